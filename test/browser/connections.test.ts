import assert from 'node:assert/strict';
import { startGatewayEmulator, type GatewayEmulator } from '../support/gateway/start-gateway-emulator.ts';
import { useConsole } from '../support/browser/console.ts';
import { useStack } from '../support/stack.ts';
import { until } from '../support/until.ts';
import { startWorkspaceEmulator, type WorkspaceEmulator } from '../support/workspace/emulator.ts';

describe('/admin/tools and an agent’s channel', function () {
  this.timeout(120_000);
  let gateway: GatewayEmulator;
  let workspace: WorkspaceEmulator;
  const stack = useStack(async () => {
    [gateway, workspace] = await Promise.all([startGatewayEmulator(), startWorkspaceEmulator()]);
    return {
      env: {
        DOCS_API_URL: workspace.url,
        GATEWAY_ALLOW: '127.0.0.1/32',
        GATEWAY_TIMEOUT_SECONDS: '5',
        GATEWAY_WATCH_SECONDS: '5',
        ENCRYPTION_KEY: Buffer.alloc(32, 5).toString('base64'),
      },
    };
  });
  after(async () => {
    await Promise.all([gateway.stop(), workspace.stop()]);
  });
  const shared = useConsole(() => stack);

  it('connects a workspace by API key, lists its actions, tries one, and disconnects', async () => {
    const visitor = await shared().signedIn();
    const { page } = visitor;
    await visitor.open('/admin/tools');
    const card = page.getByRole('article', { name: 'Document workspace' });
    await page.getByLabel('Search tools').fill('nothing like this');
    await card.waitFor({ state: 'detached' });
    await page.getByLabel('Search tools').fill('docu');
    await card.waitFor();
    await visitor.look('tools');
    await card.getByRole('button', { name: 'Connect' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('API key', { exact: true }).click();
    visitor.expectRefusals();
    await dialog.getByLabel('API key', { exact: true }).last().fill('secret_wrong');
    await dialog.getByRole('button', { name: 'Connect' }).click();
    await dialog.getByRole('alert').waitFor();
    await visitor.look('tools-connect');
    await dialog.getByLabel('API key', { exact: true }).last().fill(workspace.tokens.main);
    await dialog.getByRole('button', { name: 'Connect' }).click();
    await dialog.waitFor({ state: 'detached' });

    await card.getByRole('button', { name: /actions/ }).click();
    await page.getByLabel('Search actions').fill('DOCS_LIST_USERS');
    await page.getByText('DOCS_LIST_USERS', { exact: true }).click();
    await page.getByRole('button', { name: 'Run action' }).click();
    await page.getByText('Succeeded').waitFor();
    await visitor.look('tools-action');

    await page.getByRole('tab', { name: 'Connected' }).click();
    await page.getByRole('table', { name: 'Connected workspaces' }).waitFor();
    await visitor.look('tools-connected');
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('Nothing is connected').waitFor();
    const answers = await visitor.allAnswers();
    assert.ok(!answers.some(({ text }) => text.includes(workspace.tokens.main)));
  });

  it('connects a gateway step by step, edits, and disconnects', async () => {
    const { signedIn, api } = shared();
    const agent = await api.createAgent({ name: 'On WhatsApp' });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open(`/agents/${agent.id}`);
    await page.getByRole('link', { name: 'Channel' }).click();
    await page.getByRole('button', { name: 'Connect' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Base URL').fill(gateway.url);
    await dialog.getByLabel('Instance token').fill('wrong');
    visitor.expectRefusals();
    await dialog.getByRole('button', { name: 'Validate and continue' }).click();
    await dialog.getByRole('alert').waitFor();
    await visitor.look('channel-refused');
    await dialog.getByLabel('Instance token').fill(gateway.instanceToken);
    await dialog.getByRole('button', { name: 'Validate and continue' }).click();
    await page.getByText('Awaiting webhook configuration').waitFor();
    await page.getByRole('button', { name: 'Copy webhook URL' }).click();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.match(copied, new RegExp(`/v1/webhooks/gateway/${agent.id}/`));
    await page.getByRole('button', { name: 'Compare with the gateway' }).click();
    await page.getByText('These settings differ at the gateway').waitFor();
    await visitor.look('channel-setup');

    gateway.setSession('disconnected');
    await page.getByRole('button', { name: "I've configured the webhook" }).click();
    await page.getByText('Not connected yet').waitFor();
    await visitor.look('channel-not-yet');
    gateway.setSession('connected');
    await page.getByRole('button', { name: 'Set it at the gateway for me' }).click();
    await page.getByText('is set as it must be').waitFor();
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByText('Connected number').waitFor();
    await visitor.look('channel-connected');

    gateway.setWebhook({ url: copied, enabled: true, events: ['messages'] });
    await gateway.deliverInbound({ from: '5511988887777', name: 'Maria', text: 'Is anybody there?' });
    await page.getByRole('link', { name: 'Conversations' }).click();
    await page.getByRole('row').filter({ hasText: 'Is anybody there?' }).getByRole('link').first().click();
    await page.getByRole('button', { name: 'Pause agent' }).click();
    await page.getByText('Taken over in the console by').waitFor();
    await page.getByLabel('Write as a person').fill('Yes, I am a person.');
    await page.getByRole('button', { name: 'Send' }).click();
    await until('the gateway to have sent it', () =>
      gateway.sent.some((one) => JSON.stringify(one).includes('Yes, I am a person.')),
    );
    await page.getByRole('region', { name: 'Timeline' }).getByText('Yes, I am a person.').waitFor();
    await visitor.look('conversation-taken-over');
    await page.getByRole('button', { name: 'Resume agent' }).click();
    await page.getByRole('button', { name: 'Pause agent' }).waitFor();
    await visitor.open(`/agents/${agent.id}/channel`);

    await page.getByText('Takeover and alerts').click();
    await page.getByLabel('Minutes of silence after a person wrote').fill('45');
    await page.getByLabel('Alert address').fill('https://alerts.example.com/parley');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Settings saved').waitFor();
    await gateway.deliverInbound({ from: '5511988887777', kind: 'reaction', text: '👍' });
    await page.getByText('Events of the gateway').click();
    const events = page.getByRole('table', { name: 'Events of the gateway' });
    await events.getByText('A reaction').waitFor();
    await visitor.look('channel-settings');

    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('Instance token').fill('wrong again');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Instance token').fill(gateway.instanceToken);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Connection saved').waitFor();

    await page.getByRole('button', { name: 'Disconnect' }).click();
    await dialog.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('Disconnected. The gateway instance itself is still there').waitFor();
  });
});
