import assert from 'node:assert/strict';
import { useConsole } from '../../support/browser/console.ts';
import { focused, opened, press, tabTo, type } from '../../support/browser/keyboard.ts';
import { startGatewayEmulator, type GatewayEmulator } from '../../support/gateway/start-gateway-emulator.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

describe('WhatsApp in three screens', () => {
  let gateway: GatewayEmulator;
  const stack = useStack({
    env: {
      GATEWAY_ALLOW: '127.0.0.1/32',
      GATEWAY_TIMEOUT_SECONDS: '5',
      GATEWAY_WATCH_SECONDS: '300',
      ENCRYPTION_KEY: Buffer.alloc(32, 6).toString('base64'),
    },
  });
  beforeEach(async () => {
    gateway = await startGatewayEmulator();
  });
  afterEach(async () => {
    await gateway.stop();
  });
  const shared = useConsole(() => stack);

  it('connects a number by keyboard alone at 390 px, from its address to a hello that has arrived', async () => {
    const { signedIn, api } = shared();
    const agent = await api.createAgent({
      name: 'Desk',
      model: 'scripted/default',
      script: [{ reply: 'Hi!' }],
    });
    const visitor = await signedIn({ width: 390 });
    const { page } = visitor;
    const progress = page.getByRole('list', { name: 'Steps to connect a number' });
    const current = async () => await progress.locator('[aria-current=step]').innerText();
    const onScreen = async (title: string) => {
      await until(`the focus to be on ${title}`, async () => (await focused(page)).endsWith(title));
    };
    await visitor.open(`/agents/${agent.id}/channel`);
    await page.getByRole('button', { name: 'Connect' }).waitFor();
    await progress.getByText('Paste the base URL and the instance token.').waitFor();
    await page.getByRole('region', { name: 'What you need' }).getByText('uazapiGO v2').waitFor();
    assert.deepEqual(await page.getByRole('main').getByRole('heading', { level: 2 }).allInnerTexts(), [
      'Let this agent answer on WhatsApp',
    ]);
    await page.getByText('Not connected', { exact: true }).waitFor();
    const connect = page.getByRole('button', { name: 'Connect' });
    const parts = [page.getByText('not the official WhatsApp Business API'), connect, progress];
    const tops = await Promise.all(parts.map(async (part) => (await part.boundingBox())?.y ?? NaN));
    assert.deepEqual(
      tops,
      tops.toSorted((a, b) => a - b),
    );
    const { y = NaN, height = NaN } = (await connect.boundingBox()) ?? {};
    assert.ok(y + height <= 700, 'Connect is on the first screen');
    await visitor.look('whatsapp-not-connected');
    await press(page, 'Connect');
    await onScreen('Step 1 of 3: Address and token');
    await visitor.look('whatsapp-screen-1');
    await type(page, 'Base URL', gateway.url);
    await type(page, 'Instance token', gateway.instanceToken);
    await page.keyboard.press('Enter');

    await onScreen('Step 2 of 3: Webhook');
    assert.match(await current(), /Webhook/);
    assert.equal(await page.getByRole('list', { name: 'Setup steps' }).isVisible(), false, 'by hand: folded');
    await visitor.look('whatsapp-screen-2');
    gateway.state.receipt = { status: 'Sent', error: '' };
    await press(page, 'Set it up for me');

    await onScreen('Step 3 of 3: Test message');
    await page.getByText('+5511999990001').waitFor();
    await page.locator('summary').getByText('Webhook at the gateway: Installed').waitFor();
    await visitor.look('whatsapp-screen-3');
    await type(page, 'Phone number', '+55 34 99888-7766');
    await press(page, 'Send hello to +5534998887766');
    const state = page.getByRole('status').filter({ hasText: 'Sent to +5534998887766' });
    await state.waitFor();
    await visitor.look('whatsapp-hello-sent');
    assert.deepEqual(
      gateway.sent.map(({ number }) => number),
      ['5534998887766'],
    );
    // The phone answers, and the gateway delivers it.
    await gateway.deliverInbound({ from: '5534998887766', text: 'I see it' });
    await page.getByText('Hello has arrived at +5534998887766').waitFor();
    await page.getByText('The phone replied at').waitFor();
    await visitor.look('whatsapp-hello-arrived');
    await press(page, 'Done');
    await progress.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('+5511999990001').waitFor();
    assert.equal(await progress.count(), 0, 'a channel that has received a message needs no third screen');
    await page.getByText('Technical details').click();
    await page.getByRole('definition').getByText(gateway.url).waitFor();
    await visitor.look('channel-technical-details');
    await press(page, 'Test message');
    await page.getByRole('dialog').getByRole('button', { name: 'Send hello' }).waitFor();
    await visitor.look('channel-test-message');
    await page.keyboard.press('Escape');
    await until('the answer', () => gateway.sent.some(({ shown }) => shown === 'Hi!'));

    const other = await api.createAgent({ name: 'Without a number' });
    await visitor.open('/agents');
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await row('Desk').getByText('Connected', { exact: true }).waitFor();
    await row('Desk').getByText('+5511999990001').waitFor();
    assert.equal(await row(other.name).getByText('Connected').count(), 0);
    gateway.setSession('disconnected');
    // A check soon after another one asks nothing.
    await until('the list to show it', async () => {
      await api.call('POST', `/agents/${agent.id}/channel/check`);
      await page.reload();
      await row('Desk').waitFor();
      return await row('Desk').getByText('WhatsApp is offline').isVisible();
    });
    await visitor.look('agents-channel-offline');
  });

  it('shows on each screen what is wrong, and what to do', async () => {
    const { signedIn, api } = shared();
    const agent = await api.createAgent({ name: 'Desk' });
    const visitor = await signedIn();
    visitor.expectRefusals();
    const { page } = visitor;
    await visitor.open(`/agents/${agent.id}/channel`);
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByLabel('Base URL').fill(gateway.url);
    await page.getByLabel('Instance token').fill(gateway.instanceToken);
    await page.getByRole('button', { name: 'Validate and continue' }).click();

    gateway.faults.always('/webhook', 'server_error');
    await page.getByRole('button', { name: 'Set it up for me' }).click();
    await page.getByText('Follow the set-up steps in its dashboard').waitFor();
    gateway.faults.clear();
    gateway.setSession('disconnected');
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByText('Scan the QR code').first().waitFor();
    assert.equal(gateway.state.webhooks.length, 1, 'the webhook is set meanwhile');
    gateway.setSession('connected');
    await page.getByRole('button', { name: 'Check again' }).click();

    const number = page.getByLabel('Phone number');
    await number.fill(gateway.state.owner);
    await page.getByRole('button', { name: /^Send hello/ }).click();
    await page.getByText('enter the number of another phone').waitFor();
    gateway.faults.next('/send/text', 'timelock');
    await number.fill('+5534998887766');
    await page.getByRole('button', { name: /^Send hello/ }).click();
    await page.getByText('The message was not delivered').waitFor();
    await page.getByText('Write to this number from the phone').first().waitFor();
    await visitor.look('whatsapp-hello-refused');
    assert.equal(gateway.sent.length, 0);
    // Another try is another message.
    await page.getByRole('button', { name: /^Send hello/ }).click();
    await page.getByText('The gateway reported it as delivered at').waitFor();
    assert.equal(gateway.sent.length, 1);
  });

  it('sends a hello once although its answer is lost', async () => {
    const { signedIn, api } = shared();
    const agent = await api.createAgent({ name: 'Desk' });
    const body = { base_url: gateway.url, instance_token: gateway.instanceToken };
    await api.call('PUT', `/agents/${agent.id}/channel`, { body });
    await api.call('POST', `/agents/${agent.id}/channel/webhook`);
    await api.call('POST', `/agents/${agent.id}/channel/verify`);
    const visitor = await signedIn();
    visitor.expectRefusals();
    const { page } = visitor;
    let lost = 0;
    await page.route('**/channel/hello', async (route) => {
      if (lost++ > 0) {
        await route.continue();
        return;
      }
      await route.fetch();
      await route.abort();
    });
    await visitor.open(`/agents/${agent.id}/channel`);
    await page.getByLabel('Phone number').fill('+5534998887766');
    await page.getByRole('button', { name: /^Send hello/ }).click();
    await page.getByText('The server cannot be reached').waitFor();
    await page.getByRole('button', { name: /^Send hello/ }).click();
    await page.getByText('Hello has arrived').waitFor();
    assert.deepEqual([lost, gateway.sent.length], [2, 1]);
  });

  it('asks before it takes a number over from another agent', async () => {
    const { signedIn, api } = shared();
    const desk = await api.createAgent({ name: 'Front desk' });
    const agent = await api.createAgent({ name: 'Back office' });
    const body = { base_url: gateway.url, instance_token: gateway.instanceToken };
    await api.call('PUT', `/agents/${desk.id}/channel`, { body });
    await api.call('POST', `/agents/${desk.id}/channel/webhook`);
    await api.call('POST', `/agents/${desk.id}/channel/verify`);
    const stateOf = async (id: string) =>
      ((await api.call('GET', `/agents/${id}/channel`)).body as { state: string }).state;
    const visitor = await signedIn();
    visitor.expectRefusals();
    const { page } = visitor;
    await visitor.open(`/agents/${agent.id}/channel`);
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByLabel('Base URL').fill(gateway.url);
    await page.getByLabel('Instance token').fill(gateway.instanceToken);
    await tabTo(page, 'Validate and continue');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Move the number to this agent?' });
    await dialog.getByText('"Front desk" answers on this number').waitFor();
    await opened(page);
    await visitor.look('whatsapp-take-over');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual([await stateOf(desk.id), await stateOf(agent.id)], ['connected', 'not_connected']);
    await page.getByRole('button', { name: 'Validate and continue' }).click();
    await dialog.getByRole('button', { name: 'Move the number' }).click();
    await page.getByText('Step 2 of 3: Webhook').waitFor();
    assert.deepEqual([await stateOf(desk.id), await stateOf(agent.id)], ['inactive', 'awaiting_webhook']);
  });
});
