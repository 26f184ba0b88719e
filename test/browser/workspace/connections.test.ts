import assert from 'node:assert/strict';
import type { Overview } from '../../../src/contract/data/overview.ts';
import type { Channel } from '../../../src/contract/whatsapp/channel.ts';
import { startGatewayEmulator, type GatewayEmulator } from '../../support/gateway/start-gateway-emulator.ts';
import { backing } from '../../support/backing.ts';
import { useConsole } from '../../support/browser/console.ts';
import { chooseAction } from '../../support/browser/row-actions.ts';
import { connect } from '../../support/docs-stack.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';
import {
  defaultClient,
  startWorkspaceEmulator,
  type WorkspaceEmulator,
} from '../../support/workspace/emulator.ts';

const client = { ...defaultClient, redirectUris: [''] };
const hostile = '<img src=x onerror="document.title=1">';

describe('/admin/tools and an agent’s channel', () => {
  let gateway: GatewayEmulator;
  let workspace: WorkspaceEmulator;
  const stack = useStack(async () => {
    workspace = await startWorkspaceEmulator({ oauthClients: [client] });
    return {
      env: {
        DOCS_API_URL: workspace.url,
        DOCS_OAUTH_CLIENT_ID: workspace.oauth.clientId,
        DOCS_OAUTH_CLIENT_SECRET: workspace.oauth.clientSecret,
        TEMPORAL_UI_URL: (await backing()).temporalUiUrl,
        GATEWAY_ALLOW: '127.0.0.1/32',
        GATEWAY_TIMEOUT_SECONDS: '5',
        GATEWAY_WATCH_SECONDS: '5',
        ENCRYPTION_KEY: Buffer.alloc(32, 5).toString('base64'),
      },
    };
  });
  after(async () => {
    await workspace.stop();
  });
  beforeEach(async () => {
    workspace.faults.clear();
    gateway = await startGatewayEmulator();
  });
  afterEach(async () => {
    await gateway.stop();
  });
  const shared = useConsole(() => stack);
  before(() => {
    client.redirectUris[0] = `${shared().origin}/v1/tools/docs/oauth/callback`;
  });

  it('connects a workspace by API key, lists its actions, tries one, and disconnects', async () => {
    const visitor = await shared().signedIn();
    const { page } = visitor;
    await visitor.open('/admin/tools');
    const card = page.getByRole('article', { name: 'Notion' });
    await page.getByLabel('Search tools').fill('nothing like this');
    await card.waitFor({ state: 'detached' });
    await page.getByLabel('Search tools').fill('noti');
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
    await page.getByRole('table', { name: 'Connections' }).waitFor();

    await page.getByRole('tab', { name: 'Available' }).click();
    await card.getByRole('button', { name: /actions/ }).click();
    await page.getByLabel('Search actions').fill('DOCS_LIST_USERS');
    await page.getByText('List people', { exact: true }).click();
    await page.getByText('DOCS_LIST_USERS', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Run action' }).click();
    await page.getByText('Succeeded').waitFor();
    const action = page.locator('.action').filter({ hasText: 'List people' });
    await action.getByText('Used by no agent: once today').waitFor();
    await visitor.look('tools-action');

    // A click anywhere on a kind of tools opens its tab, except on its buttons.
    await card.getByRole('button', { name: /actions/ }).click();
    await action.waitFor({ state: 'detached' });
    await card.click();
    await page.getByRole('tab', { name: 'Connected', selected: true }).waitFor();
    await page.getByRole('table', { name: 'Connections' }).waitFor();
    await visitor.look('tools-connected');
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('No connections yet').waitFor();
    const answers = await visitor.allAnswers();
    assert.ok(!answers.some(({ text }) => text.includes(workspace.tokens.main)));
  });

  it('connects by OAuth 2.0 at the workspace’s own page, after a denial and again once access is lost', async () => {
    const { signedIn, api } = shared();
    const visitor = await signedIn({ alsoVisits: workspace.url });
    visitor.expectRefusals(); // of the workspace's own page, which has no icon
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    const decide = async (decision: 'Allow access' | 'Cancel') => {
      await dialog.getByRole('button', { name: 'Continue to Notion' }).click();
      await page.getByRole('heading', { name: 'Parley asks for access' }).waitFor();
      await page.getByRole('button', { name: decision }).click();
    };
    await visitor.open('/admin/tools');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await dialog.getByText('Notion asks you which pages and databases to share').waitFor();
    await visitor.look('tools-oauth');
    await decide('Cancel');
    await page.getByText('access was denied there').waitFor();
    await page.getByText('No connections yet').waitFor();
    await visitor.look('tools-denied');

    await page.getByRole('tab', { name: 'Available' }).click();
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await decide('Allow access');
    const row = page.getByRole('row').filter({ hasText: 'Emulated workspace' });
    await row.getByText('OAuth 2.0').waitFor();
    await row.getByText('Connected', { exact: true }).waitFor();
    await row.getByText('not called today').waitFor();

    const { tokens, bots } = workspace.snapshot();
    for (const [token, bot] of tokens) if (bots.get(bot)?.client != null) workspace.forgetToken(token);
    const refused = { kind: 'error', status: 400, code: 'invalid_grant', message: 'gone' } as const;
    workspace.faults.add({ path: '/v1/oauth/token', fault: refused });
    await api.call('POST', '/tools/docs/actions/DOCS_LIST_USERS', { body: { input: {} } });
    await page.reload();
    await row.getByText('Needs attention').waitFor();
    await visitor.look('tools-reconnect');
    await row.getByRole('button', { name: 'Reconnect' }).waitFor();
    await page.getByRole('tab', { name: 'Available' }).click();
    const card = page.getByRole('article', { name: 'Notion' });
    await card.getByText('1 workspace refuses access').waitFor();
    await visitor.look('tools-refused');
    await card.getByRole('button', { name: 'Reconnect' }).click();
    await decide('Allow access');
    await row.getByText('Connected', { exact: true }).waitFor();
    assert.equal(await page.getByRole('row').filter({ hasText: 'Emulated workspace' }).count(), 1);
  });

  it('an agent’s page asks for the choice of a workspace, and the Tools page shows which agents use one', async () => {
    const { signedIn, api, db, organizationId } = shared();
    const main = await connect(api, workspace.tokens.main);
    const other = await connect(api, workspace.tokens.other);
    // More than a page of older agents.
    await db.pool.query(
      `insert into agents (id, organization_id, name, inbox_id)
         select uuidv7((n - 1000) * interval '1 second'), $1, 'Older ' || n, gen_random_uuid() from generate_series(1, 120) n`,
      [organizationId],
    );
    const agent = await api.createAgent({ name: 'Archivist', tools: ['DOCS_LIST_USERS'] });
    const tool = { name: 'find_order', description: 'Finds an order.', effect: 'read', method: 'GET' };
    await api.call('POST', '/tools/http', { body: { ...tool, url: 'https://shop.example.com/orders' } });
    const caller = await api.createAgent({ name: 'Caller', tools: ['find_order'] });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open(`/agents/${caller.id}?tab=tools`);
    await page.getByRole('combobox', { name: 'Workspaces' }).waitFor();
    assert.equal(await page.getByText('Choose a workspace').count(), 0);
    await visitor.open(`/agents/${agent.id}?tab=tools`);
    await page.getByText('Choose a workspace: until then the tools do not work.').waitFor();
    await visitor.look('agent-without-workspace');
    await page.getByRole('combobox', { name: 'Workspaces' }).click();
    await page.getByRole('option', { name: 'Other workspace' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Choose a workspace').waitFor({ state: 'detached' });
    // The form keeps its changes until the answer has come.
    await page.getByText('No unsaved changes').waitFor();
    await until('it to be saved', async () => {
      const { body } = await api.call('GET', `/agents/${agent.id}`);
      return (body as { connections?: string[] }).connections?.join() === other.id;
    });
    await visitor.open('/admin/tools');
    await page.getByRole('tab', { name: 'Connected' }).click();
    await page.getByText('Your HTTP tool needs no connection.').waitFor();
    await visitor.look('tools-connections');
    const row = page.getByRole('row').filter({ hasText: 'Other workspace' });
    await row.getByText('With an API key', { exact: true }).waitFor();
    await row.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('1 agent can no longer use it: Archivist.').waitFor();
    await visitor.look('disconnect-used-workspace');
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await row.waitFor({ state: 'detached' });
    await visitor.open(`/agents/${agent.id}?tab=tools`);
    await page.getByText('Choose a workspace: until then the tools do not work.').waitFor();
    await api.call('DELETE', `/tools/docs/connections/${main.id}`);
    await visitor.open('/admin/tools?tab=connected');
    await page.getByRole('link', { name: 'See the HTTP tool' }).click();
    await page.getByRole('row', { name: /find_order/ }).waitFor();
  });

  it('shows tool calls, a transfer and a follow-up as they happen, and leads to the workflow in Temporal', async () => {
    const { signedIn, api } = shared();
    await connect(api, workspace.tokens.main);
    const clerk = await api.createAgent({
      name: 'Clerk',
      script: [{ on: 'follow_up', reply: 'Did it help?' }, { reply: 'It is filed.' }],
      follow_ups: [{ after_seconds: 1, instructions: 'Ask whether it helped.' }],
    });
    const create = { title: hostile, parent_id: workspace.ids.home };
    const front = await api.createAgent({
      name: 'Front',
      tools: ['DOCS_CREATE_DOCS_PAGE'],
      transfers_to: [clerk.id],
      script: [
        { on: 'tool_result', reply: 'One moment.', transfer_to: 'Clerk' },
        { tool: { action: 'DOCS_CREATE_DOCS_PAGE', input: create } },
      ],
    });
    const visitor = await signedIn();
    const { page } = visitor;
    const parts = async () => {
      await page.getByText('Create a page', { exact: true }).waitFor();
      await page.getByText('succeeded').waitFor();
      await page.getByText('Front transferred the conversation to Clerk').waitFor();
      await page.getByText('It is filed.').waitFor();
      await page
        .getByText(/^Answered by Clerk in \d/)
        .first()
        .waitFor();
      await page.getByText('Follow-up 1').waitFor();
      await page.getByText('Did it help?').waitFor();
    };
    await visitor.open(`/agents/${front.id}/playground`);
    const ask = async () => {
      await page.getByLabel('Message', { exact: true }).fill('File this, please.');
      await page.keyboard.press('Enter');
    };
    await page.getByText('Not run here: Create a page.').waitFor();
    await ask();
    await page.getByText('Not run').waitFor();
    await page.getByText('It is filed.').waitFor();
    const written = () => workspace.count('POST', '/v1/pages');
    assert.equal(written(), 0);
    await visitor.look('playground-tools-off');
    await page.getByRole('switch', { name: 'Run them' }).check();
    await page.getByText('Run as for a customer: Create a page.').waitFor();
    await ask();
    await parts();
    assert.equal(written(), 1);
    await visitor.look('playground-tools');
    await page.getByRole('link', { name: 'Open in Conversations' }).click();
    await page.getByRole('region', { name: 'Timeline' }).waitFor();
    await parts();
    await page.getByText('Create a page', { exact: true }).click();
    await page.getByText('DOCS_CREATE_DOCS_PAGE', { exact: true }).waitFor();
    const input = page.getByRole('group', { name: 'Create a page: Input' });
    assert.ok((await input.innerText()).includes('<img src=x'));
    const result = page.getByRole('region', { name: 'Create a page: Result' });
    assert.match(await result.innerText(), /object\W+page/);
    assert.equal(await page.locator('img[src="x"]').count(), 0);
    await visitor.look('conversation-tools');

    const opening = page.context().waitForEvent('page');
    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByRole('link', { name: 'Open the workflow in Temporal' }).click();
    const ui = await opening;
    const workflow = `conversation/${new URL(page.url()).pathname.split('/').at(-1)!}`;
    await ui.getByText(workflow).first().waitFor();
    assert.ok(ui.url().startsWith((await backing()).temporalUiUrl));
    assert.equal(await ui.evaluate('window.opener'), null);
  });

  it('connects a gateway step by step, edits, and disconnects', async () => {
    const { signedIn, api } = shared();
    const agent = await api.createAgent({ name: 'On WhatsApp', model: 'scripted/default' });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open(`/agents/${agent.id}`);
    await page.getByRole('link', { name: 'Channel' }).click();
    await page.getByRole('button', { name: 'Connect' }).click();
    const dialog = page.getByRole('dialog');
    await page.getByLabel('Base URL').fill(gateway.url);
    await page.getByLabel('Instance token').fill('wrong');
    visitor.expectRefusals();
    await page.getByRole('button', { name: 'Validate and continue' }).click();
    await page.getByRole('alert').waitFor();
    await visitor.look('channel-refused');
    await page.getByLabel('Instance token').fill(gateway.instanceToken);
    await page.getByRole('button', { name: 'Validate and continue' }).click();
    await page.getByText('Awaiting webhook configuration').waitFor();
    await page.getByRole('button', { name: 'Copy webhook URL' }).click();
    const copied = await until('the copied URL', async () => {
      const text = await page.evaluate<string>('navigator.clipboard.readText()');
      return text.includes(`/v1/webhooks/gateway/${agent.id}/`) && text;
    });
    await page.getByText('Set it up by hand').click();
    await page.getByRole('list', { name: 'Setup steps' }).waitFor();
    await page.getByRole('button', { name: 'Compare with the gateway' }).click();
    await page.getByText('These settings differ at the gateway').waitFor();
    await visitor.look('channel-setup');

    gateway.setSession('disconnected');
    await page.getByRole('button', { name: "I've configured the webhook" }).click();
    await page.getByText('Not connected yet').waitFor();
    await visitor.look('channel-not-yet');
    gateway.setSession('connected');
    gateway.setWebhook({ url: copied });
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByText('+5511999990001').waitFor();
    await visitor.look('channel-connected');
    await page.getByRole('button', { name: 'Not now' }).click();

    await chooseAction(page.locator('main'), 'Renew webhook URL');
    await visitor.look('renew-webhook');
    await dialog.getByRole('button', { name: 'Renew webhook URL' }).click();
    await page.getByText('Webhook URL renewed').waitFor();
    const { body } = await api.call('GET', `/agents/${agent.id}/channel`);
    const url = (body as Channel).setup?.webhook_url ?? '';
    assert.match(url, new RegExp(`/v1/webhooks/gateway/${agent.id}/`));
    assert.notEqual(url, copied);
    gateway.setWebhook({ url, enabled: true, events: ['messages'] });

    const said = await gateway.deliverInbound({
      from: '5511988887777',
      name: 'Maria',
      text: 'Is anybody there?',
    });
    await page.getByRole('link', { name: 'Conversations' }).click();
    await page.getByRole('row').filter({ hasText: 'Is anybody there?' }).getByRole('link').first().click();
    await page.getByRole('region', { name: 'Run 1' }).getByText('Answered', { exact: true }).waitFor();
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await gateway.deliverInbound({
      ...{ from: '5511988887777', name: 'Maria', text: 'Is anyone there?', edited: said.messageId },
    });
    await timeline.getByText('Is anyone there?').waitFor();
    await timeline.getByText('Edited: earlier text').click();
    await timeline.getByText('Is anybody there?').waitFor();
    await visitor.look('conversation-edited');
    await page.getByRole('button', { name: 'Pause agent' }).click();
    await page.getByText('Taken over in the console by').waitFor();
    await page.getByLabel('Write as a person').fill('Yes, I am a person.');
    const buffer = Buffer.from('The prices of this year.');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'prices.txt', mimeType: 'text/plain', buffer });
    await page.getByRole('button', { name: 'Send' }).click();
    const sent = await until('the gateway to have sent it', () =>
      gateway.sent.find((one) => one.path === '/send/media'),
    );
    assert.deepEqual(
      [sent.body['docName'], sent.body['text'], sent.body['file']],
      ['prices.txt', 'Yes, I am a person.', buffer.toString('base64')],
    );
    await page.getByRole('region', { name: 'Timeline' }).getByText('Yes, I am a person.').waitFor();
    await gateway.deliverInbound({ from: '5511988887777', name: 'Maria', text: 'Where is the agent?' });
    const kept = page.getByRole('region', { name: /^Message / }).filter({ hasText: 'Where is the agent?' });
    await kept.getByText('Stored, not answered').waitFor();
    assert.doesNotMatch(await kept.innerText(), /Answered|in \d/);
    await visitor.look('conversation-taken-over');
    const overview = await visitor.context.request.get(`${visitor.origin}/console/api/overview`);
    const { totals } = (await overview.json()) as Overview;
    assert.deepEqual([totals.received, totals.answered], [2, 1]);
    await page.getByRole('button', { name: 'Resume agent' }).click();
    await page.getByRole('button', { name: 'Pause agent' }).waitFor();
    await visitor.open('/deliveries');
    const reply = page.getByRole('row').filter({ hasText: 'WhatsApp +5511988887777' }).first();
    await reply.getByText('Accepted').waitFor();
    await visitor.open(`/agents/${agent.id}/channel`);

    const settings = page.getByRole('region', { name: 'Settings of the channel' });
    const save = settings.getByRole('button', { name: 'Save' });
    assert.equal(await save.getAttribute('aria-disabled'), 'true');
    await settings.getByRole('heading', { name: 'Takeover and alerts' }).waitFor();
    const pause = settings.getByLabel('Pause after a person replies');
    assert.equal(await pause.inputValue(), '12');
    const unit = settings.getByRole('combobox', { name: 'Unit of the pause' });
    assert.equal(await unit.inputValue(), 'hours');
    await unit.click();
    await page.getByRole('option', { name: 'minutes', exact: true }).click();
    await pause.fill('45');
    await settings.getByLabel('Alert URL').fill('https://alerts.example.com/parley');
    const limits = settings.locator('summary').filter({ hasText: /^Limits/ });
    const rounds = settings.getByLabel('Instant replies in a row');
    await limits
      .getByText(/ · 300 answers a day to one contact · stops after 12 instant replies in a row$/)
      .waitFor();
    await limits.click();
    await settings.getByText(/^A contact that always replies within \d+ s is probably a bot/).waitFor();
    await settings.getByLabel('Answers per day to one contact').fill('');
    await rounds.fill('2');
    await limits.click();
    await rounds.waitFor({ state: 'detached' });
    await limits.getByText(/ in all · stops after 2 instant replies in a row$/).waitFor();
    await save.click();
    // A refused limit opens the fold.
    await until('the refused limit to be marked', async () => {
      return (await rounds.getAttribute('aria-invalid')) === 'true';
    });
    await visitor.look('channel-limit-refused');
    await rounds.fill('5');
    await save.click();
    await page.getByText('Settings saved').waitFor();
    await until('the button to be idle', async () => (await save.getAttribute('aria-disabled')) === 'true');
    const { pause_minutes, alert_url, loop_rounds, contact_answers_per_day } = (
      await api.call('GET', `/agents/${agent.id}/channel`)
    ).body as Channel;
    assert.deepEqual(
      [pause_minutes, alert_url, loop_rounds, contact_answers_per_day],
      [45, 'https://alerts.example.com/parley', 5, null],
    );
    await gateway.deliverInbound({ from: '5511988887777', kind: 'reaction', text: '👍' });
    const fold = page.locator('summary').filter({ hasText: 'Gateway events' });
    await fold.getByText(/Last received/).waitFor();
    await fold.click();
    const events = page.getByRole('table', { name: 'Gateway events' });
    await events.getByText('Reaction').waitFor();
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
    await page.getByText('Disconnected. The gateway instance still exists').waitFor();
  });

  it('shows of a channel whether messages arrive, asks the gateway on a click, and moves a number only when asked', async () => {
    const { signedIn, api } = shared();
    const desk = await api.createAgent({ name: 'Front desk' });
    const agent = await api.createAgent({ name: 'Back office' });
    const form = { base_url: gateway.url, instance_token: gateway.instanceToken };
    const step = (id: string, path: string) => api.call('POST', `/agents/${id}/channel/${path}`);
    for (const { id } of [desk, agent])
      await api.call('PUT', `/agents/${id}/channel`, { body: { ...form, take_over: true } });
    await step(agent.id, 'verify');
    // Makes the state that was possible before a number belonged to one agent.
    await stack().db.knex('channels').where({ agent_id: desk.id }).update({ state: 'connected' });
    await step(desk.id, 'webhook');
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open(`/agents/${agent.id}/channel`);
    const status = page.getByRole('alert', { name: /Connected, but no messages arrive/ });
    await status.waitFor();
    await status.getByText('leads to the agent "Front desk"').waitFor();
    await visitor.look('channel-no-messages');
    await page.getByRole('button', { name: 'Move the number to this agent' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Move the number to this agent' }).click();
    await page.getByText('Number moved').waitFor();
    await page.getByRole('button', { name: 'Set it up for me' }).first().click();
    await status.waitFor({ state: 'detached' });
    gateway.setSession('disconnected');
    await until('the page to show it', async () => {
      await page.getByRole('button', { name: 'Check now' }).click();
      return await page.getByText('WhatsApp is offline').first().isVisible();
    });
    await visitor.look('channel-offline');
    gateway.setSession('connected');
    await visitor.open(`/agents/${desk.id}/channel`);
    await page.getByText('Disconnected. The gateway instance still exists').waitFor();
  });
});
