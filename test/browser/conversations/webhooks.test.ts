/** The page Webhooks, and what a person does about a callback that did not arrive. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { useConsole } from '../../support/browser/console.ts';
import { focused } from '../../support/browser/keyboard.ts';
import { chooseAction } from '../../support/browser/row-actions.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const run = promisify(execFile);

describe('Webhooks in the console', () => {
  const shared = useConsole(() =>
    useStack({
      env: {
        ...{ ENCRYPTION_KEY: randomBytes(32).toString('base64') },
        ...{ SUPERVISED: 'true', CALLBACK_ALLOW: '' },
      },
    }),
  );

  it('repairs a localhost webhook from what the screen shows: blocked, allowed by a click, sent again, delivered', async () => {
    const { signedIn, api, receiver } = shared();
    const agent = await api.createAgent({ script: [{ reply: 'x' }] });
    const webhook_url = receiver.url('/mended');
    const { conversation_id } = await api.send(agent.id, { message: 'a', webhook_url });
    await until(
      'it to be blocked',
      async () => (await api.deliveries({ conversation_id, status: 'blocked' }))[0],
    );
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/deliveries');
    await page.getByRole('cell', { name: 'Private address' }).waitFor();
    await page.getByRole('row').filter({ hasText: 'Blocked' }).getByRole('link').click();
    const detail = page.getByRole('region', { name: 'Delivery' });
    await detail.getByText(`CALLBACK_ALLOW=${receiver.host}`).waitFor();
    await visitor.look('delivery-blocked-local');
    assert.doesNotMatch(await page.locator('body').innerText(), /internal_name|private_address/);
    await detail.getByRole('button', { name: `Allow callbacks to ${receiver.host}` }).click();
    await detail.getByText(`Callbacks to ${receiver.host} are allowed`).waitFor();
    // The setting, which only a start of Parley reads, is no longer asked for.
    assert.equal(await page.getByText('CALLBACK_ALLOW').count(), 0);
    await detail.getByText('is a private address').waitFor();
    await detail.getByRole('button', { name: 'Send again' }).click();
    const question = detail.getByRole('group', { name: 'Send this callback again?' });
    await visitor.look('delivery-send-again');
    await question.getByRole('button', { name: 'Send again' }).click();
    await detail.getByText('Sent again on purpose').waitFor();
    await detail.getByText('Delivered', { exact: true }).waitFor();
    await visitor.look('delivery-sent-again');
    assert.equal(receiver.requestsTo('/mended').length, 1);
    await detail.getByRole('link', { name: 'Open the first delivery' }).click();
    await detail.getByText('Blocked', { exact: true }).waitFor();

    await visitor.open('/webhooks');
    await page.getByRole('heading', { name: 'Receivers on this machine' }).waitFor();
    const local = page.getByRole('list', { name: 'Receivers on this machine' });
    await chooseAction(local.getByRole('listitem'), 'Block');
    await page.getByRole('button', { name: 'Block receiver' }).click();
    await page.getByText('Receiver blocked').waitFor();
    await page.getByRole('heading', { name: 'Receivers on this machine' }).waitFor({ state: 'detached' });
  });

  it('signs an endpoint, shows its secret once, rotates it, and tests it', async () => {
    const { signedIn, api, receiver } = shared();
    const visitor = await signedIn();
    visitor.expectRefusals();
    const { page } = visitor;
    await visitor.open('/');
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByText('No endpoints yet').waitFor();
    await visitor.look('webhooks-empty');

    const url = receiver.url('/tested-here');
    await page.getByLabel('Receiver URL').fill(url);
    await page.getByRole('button', { name: 'Send test callback' }).click();
    const result = page.getByRole('region', { name: 'Result of the test callback' });
    await result.getByText('Blocked').waitFor();
    await visitor.look('webhooks-test-blocked');
    await result.getByRole('button', { name: /^Allow callbacks to/ }).click();
    await result.getByText(/are allowed\. Send the callback again\.$/).waitFor();

    await page.getByRole('button', { name: 'Add endpoint' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Endpoint URL').fill('https://shop.example/?query');
    await dialog.getByRole('button', { name: 'Create secret' }).click();
    await dialog.getByText(/without credentials, query and fragment/).waitFor();
    await dialog.getByLabel('Endpoint URL').fill(url);
    await dialog.getByRole('button', { name: 'Create secret' }).click();
    const first = await dialog.getByLabel('Signing secret').innerText();
    await visitor.look('webhooks-secret');
    await dialog.getByRole('button', { name: 'Done' }).click();
    assert.equal(await page.getByRole('heading', { name: 'Other URLs that got callbacks' }).count(), 0);
    const row = page.getByRole('row').filter({ hasText: url });
    await row.getByRole('button', { name: 'Send test' }).click();
    await dialog.getByRole('button', { name: 'Send test callback' }).click();
    await dialog.getByText('Delivered').waitFor();
    await dialog.getByText('Signed', { exact: true }).waitFor();
    await visitor.look('webhooks-test-of-endpoint');
    // A click in the dialog of a row does not open the row's link.
    await dialog.getByText('Delivered').click();
    assert.equal(new URL(page.url()).pathname, '/webhooks');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await chooseAction(row, 'Rotate secret');
    await visitor.look('webhooks-rotate');
    await dialog.getByRole('button', { name: 'Rotate secret' }).click();
    const second = await dialog.getByLabel('Signing secret').innerText();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await row.getByText('Previous secret signs until').waitFor();
    await chooseAction(row, 'Secret and alerts');
    await dialog.getByText('whsec_…').waitFor();
    const waiting = dialog.getByRole('switch', { name: 'Waiting conversations' });
    assert.equal(await waiting.isChecked(), false);
    // Not check(), which expects the change at once: the switch follows what is sent.
    await waiting.click();
    const isStored = (isOn: true | undefined) =>
      until('it to be saved', async () => {
        const { body } = await api.call('GET', '/webhook-endpoints');
        return (body as { data: { waiting_alerts?: true }[] }).data[0]?.waiting_alerts === isOn;
      });
    await isStored(true);
    await until('the switch to be on', () => waiting.isChecked());
    await row.getByText('Waiting conversations').waitFor();
    await visitor.look('webhooks-waiting-alerts');
    await waiting.click();
    await isStored(undefined);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    receiver.behave('/tested-here', { status: 200, headers: { 'x-server': 'shop' }, body: '{"ok":true}' });
    await page.getByRole('button', { name: 'Send test callback' }).click();
    await result.getByText('Delivered').waitFor();
    await result.getByText('HTTP 200').waitFor();
    await result.getByText('Signed', { exact: true }).waitFor();
    await result.getByText('x-server: shop').waitFor();
    await visitor.look('webhooks-test-delivered');
    const request = receiver.requestsTo('/tested-here').at(-1);
    assert.ok(request);
    for (const secret of [first, second])
      new Webhook(secret).verify(request.body, Object.fromEntries(request.rawHeaders));

    await chooseAction(row, 'Remove');
    await page.getByRole('button', { name: 'Remove endpoint' }).click();
    await page.getByText('No endpoints yet').waitFor();
    // The button that had the focus is gone with its row.
    assert.equal((await focused(page)).trim(), 'MAIN');
    const holding = (await visitor.allAnswers()).filter(
      ({ text }) => text.includes(first) || text.includes(second),
    );
    assert.equal(holding.length, 2);
  });

  it('shows how each endpoint and each unsigned URL answers, what helps a blocked one, and copies a callback with a signature that is right', async () => {
    const { signedIn, api, receiver } = shared();
    receiver.behave('/shop/broken', { status: 500 });
    const made = await api.call('POST', '/webhook-endpoints', { body: { url: receiver.url('/shop') } });
    const { secret } = made.body as { secret: string };
    const visitor = await signedIn();
    await visitor.context.request.post(`${visitor.origin}/console/api/loopback-receivers`, {
      data: { url: receiver.url('/') },
      headers: { origin: visitor.origin },
    });
    const agent = await api.createAgent({ script: [{ reply: "it's $HOME `id` \\n" }] });
    let conversation = '';
    for (const path of ['/shop/orders?key=1', '/shop/orders?key=2', '/shop/broken', '/other']) {
      const { conversation_id } = await api.send(agent.id, { message: 'a', webhook_url: receiver.url(path) });
      await until('the callback', async () => {
        const found = await api.deliveries({ conversation_id });
        return found.some(({ status }) => status === 'delivered' || status === 'failed');
      });
      if (path === '/shop/broken') conversation = conversation_id;
    }
    const { conversation_id } = await api.send(agent.id, {
      message: 'a',
      webhook_url: 'http://intranet.local/parley',
    });
    await until(
      'it to be blocked',
      async () => (await api.deliveries({ conversation_id, status: 'blocked' }))[0],
    );
    const { page } = visitor;
    await visitor.open('/webhooks');
    const rowsOf = (name: string) => page.getByRole('table', { name }).getByRole('row');
    const saved = rowsOf('Your endpoints');
    const others = rowsOf('Other URLs that got callbacks');
    const signed = saved.filter({ hasText: receiver.url('/shop') });
    await signed.getByText('66.7%').waitFor();
    await signed.getByText('Signed', { exact: true }).waitFor();
    await signed.getByText('of 3', { exact: true }).waitFor();
    await signed.getByRole('img', { name: /^Deliveries by day\. .* delivered$/ }).waitFor();
    await signed.getByText('HTTP 500').waitFor();
    const failures = signed.getByRole('link', { name: '1 failed: deliveries to ' });
    const host = encodeURIComponent(new URL(receiver.url('')).host);
    assert.equal(await failures.getAttribute('href'), `/deliveries?host=${host}&status=failed_or_blocked`);
    const unsigned = others.filter({ hasText: receiver.url('/other') });
    await unsigned.getByText('100%').waitFor();
    assert.equal(await unsigned.getByRole('link', { name: 'deliveries to' }).count(), 0);
    await unsigned.getByText(/^\d+ ms$/).waitFor();
    const blocked = others.filter({ hasText: 'http://intranet.local/parley' });
    await blocked.getByText('Private address').waitFor();
    await blocked.getByText('CALLBACK_ALLOW=intranet.local').waitFor();
    await blocked.getByText('0%', { exact: true }).waitFor();
    // What fails is looked at first. What is well is signed.
    const seeFailures = blocked.getByRole('link', { name: 'See the failures of intranet.local' });
    assert.equal(
      await seeFailures.getAttribute('href'),
      '/deliveries?host=intranet.local&status=failed_or_blocked',
    );
    assert.equal(await blocked.getByRole('button', { name: 'Add and sign' }).count(), 0);
    assert.equal(await unsigned.getByRole('link', { name: 'See the failures' }).count(), 0);
    await chooseAction(blocked, 'Add and sign');
    const proposed = page.getByRole('dialog').getByLabel('Endpoint URL');
    assert.equal(await proposed.inputValue(), 'http://intranet.local/parley');
    await page.keyboard.press('Escape');
    await proposed.waitFor({ state: 'detached' });
    const urlsOf = async (rows: typeof saved) =>
      (await rows.locator('td:first-child .row-link').allInnerTexts()).map((url) =>
        url.replace(receiver.url(''), ''),
      );
    assert.deepEqual(await urlsOf(saved), ['/shop']);
    assert.deepEqual(await urlsOf(others), ['http://intranet.local/parley', '/other']);
    await visitor.look('webhooks-receivers');
    const count = page.getByRole('button', { name: 'Days in UTC. Of each day' });
    await count.focus();
    await page.getByRole('tooltip').getByText('the newest 500 deliveries are counted').waitFor();
    await visitor.look('webhooks-count');
    await unsigned.getByRole('button', { name: `Add and sign ${receiver.url('/other')}` }).click();
    const dialog = page.getByRole('dialog');
    assert.equal(await dialog.getByLabel('Endpoint URL').inputValue(), receiver.url('/other'));
    await dialog.getByRole('button', { name: 'Create secret' }).click();
    // The secret is shown although the row that opened the dialog has moved to the other table.
    await saved.filter({ hasText: receiver.url('/other') }).waitFor();
    await dialog.getByLabel('Signing secret').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await unsigned.waitFor({ state: 'detached' });

    const [failed] = await api.deliveries({ conversation_id: conversation });
    await visitor.open(`/deliveries/${failed?.id}`);
    const detail = page.getByRole('region', { name: 'Delivery' });
    // Awaited before the click, because it is shown for 2 s only.
    await Promise.all([
      detail.getByText('Copied').first().waitFor(),
      detail.getByRole('button', { name: 'Copy as curl, with signature' }).click(),
    ]);
    await visitor.look('delivery-signed-curl');
    const command = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.ok(!command.includes(secret));
    const { stderr } = await run('sh', ['-c', command], { env: { ...process.env, WEBHOOK_SECRET: secret } });
    assert.equal(stderr, '');
    const [first, second] = receiver.requestsTo('/shop/broken');
    assert.equal(second?.body, first?.body);
    new Webhook(secret).verify(second?.body ?? '', Object.fromEntries(second?.rawHeaders ?? []));
    await assert.rejects(run('sh', ['-c', command]), /Set it to the signing secret of the endpoint/);
  });

  it('shows a member without the capability neither the page nor the buttons', async () => {
    const { signedIn, person, api } = shared();
    const agent = await api.createAgent({ script: [{ reply: 'x' }] });
    const { conversation_id } = await api.send(agent.id, {
      ...{ message: 'a', webhook_url: 'http://localhost:5000/x' },
    });
    const delivery = await until(
      'it to be blocked',
      async () => (await api.deliveries({ conversation_id, status: 'blocked' }))[0],
    );
    const visitor = await signedIn({ as: await person(['deliveries.view']) });
    await visitor.open(`/deliveries/${delivery.id}`);
    const detail = visitor.page.getByRole('region', { name: 'Delivery' });
    await detail.getByText('CALLBACK_ALLOW=localhost:5000').waitFor();
    assert.equal(await detail.getByRole('button', { name: /Send again|Allow callbacks/ }).count(), 0);
    assert.equal(await visitor.page.getByRole('link', { name: 'Webhooks' }).count(), 0);
  });
});
