import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { useConsole } from '../../support/browser/console.ts';
import { until } from '../../support/until.ts';

const hostile = '<img src=x onerror="document.title=\'broken\'"><script>document.title="broken"</script>';

describe('/conversations and /deliveries', () => {
  const shared = useConsole();

  it('shows messages and recorded answers as text, whatever they hold', async () => {
    const { signedIn, api, receiver } = shared();
    receiver.behave('/hostile', { status: 500, body: hostile });
    const agent = await api.createAgent({ name: `Agent ${hostile}`, script: [{ reply: `No: ${hostile}` }] });
    const { conversation_id: id } = await api.send(agent.id, {
      message: hostile,
      webhook_url: receiver.url('/hostile'),
      metadata: { note: hostile },
      contact: { id: `c-${hostile}`, name: hostile },
    });
    await api.settled(id);
    await until('the delivery to have failed', async () =>
      (await api.deliveries({ conversation_id: id })).every(({ status }) => status === 'failed'),
    );
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/conversations');
    const row = page.getByRole('row').filter({ hasText: 'onerror' });
    await row.waitFor();
    await visitor.look('conversations');
    await row.getByRole('link').first().click();
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByText(`No: ${hostile}`).waitFor();
    await page.getByText('Callback').click();
    await page.getByRole('region', { name: 'Recorded answer' }).getByText('onerror').waitFor();
    await visitor.look('conversation');

    await page.getByRole('link', { name: 'Deliveries' }).click();
    await page.getByText('HTTP 500').waitFor();
    await visitor.look('deliveries');
    await page.getByText('HTTP 500').click();
    const detail = page.getByRole('region', { name: 'Delivery' });
    assert.equal(await detail.getByRole('region', { name: 'Recorded answer' }).innerText(), hostile);
    await detail.getByRole('region', { name: 'Request body' }).getByText('message.completed').waitFor();
    await detail.getByRole('button', { name: 'Copy as curl' }).click();
    const copied = await until('the copied command', async () => {
      const text = await page.evaluate<string>('navigator.clipboard.readText()');
      return text.startsWith('curl') && text;
    });
    const made = await promisify(execFile)('/bin/sh', ['-c', copied.replace(/^curl/, 'printf "%s\\n"')]);
    const [, , , url, , , , sent = ''] = made.stdout.split('\n');
    assert.equal(url, receiver.url('/hostile'));
    assert.equal(sent, receiver.requestsTo('/hostile')[0]?.body);
    await visitor.look('delivery');
    await page.keyboard.press('Escape');

    await visitor.open(`/agents/${agent.id}/playground`);
    await page.getByLabel('Message', { exact: true }).fill(hostile);
    await page.keyboard.press('Enter');
    await page.getByText(`No: ${hostile}`).waitFor();

    assert.equal(await page.locator('img[src="x"]').count(), 0);
    assert.doesNotMatch(await page.title(), /^broken/);
  });

  it('shows transfers, failures and why a callback was blocked, and erases on confirmation', async () => {
    const { signedIn, person, api } = shared();
    const billing = await api.createAgent({ name: 'Billing desk', script: [{ reply: 'Paid.' }] });
    const front = await api.createAgent({
      name: 'Front desk',
      transfers_to: [billing.id],
      script: [
        { when: 'break', fail: { message: 'The model is away.', retryable: false } },
        { reply: 'One moment.', transfer_to: 'Billing desk' },
      ],
    });
    const first = await api.send(front.id, { message: 'break', webhook_url: 'http://10.0.0.1/x' });
    await until('the run to fail', async () =>
      (await api.messages(first.conversation_id)).some(
        (one) => one.role === 'user' && one.status === 'failed',
      ),
    );
    const id = first.conversation_id;
    await api.send(front.id, { message: 'money', conversation_id: id, webhook_url: 'http://10.0.0.1/x' });
    await until(
      'both messages',
      async () => (await api.messages(id)).filter((one) => one.role === 'agent').length === 2,
    );
    const visitor = await signedIn();
    const { page } = visitor;
    // The first report that the conversation is open is still in progress when the conversation is gone.
    const gone = Promise.withResolvers<undefined>();
    await page.route(`**/conversations/${id}/presence`, async (route) => {
      await gone.promise;
      await route.continue().catch(() => undefined);
    });
    await visitor.open(`/conversations/${id}`);
    await page.getByText('Front desk transferred the conversation to Billing desk').waitFor();
    await page.getByText('before the transfer').waitFor();
    await page.getByText('The run failed').waitFor();
    await page.getByText('Blocked').first().waitFor();
    await visitor.look('conversation-transfer');

    const taker = await signedIn({ as: await person(['conversations.view', 'conversations.take_over']) });
    await taker.open(`/conversations/${id}`);
    await taker.page.getByText('before the transfer').waitFor();
    await taker.page.getByRole('button', { name: 'Details' }).click();
    await taker.page.getByRole('button', { name: 'Copy identifier' }).waitFor();
    assert.equal(await taker.page.getByRole('button', { name: 'More actions for' }).count(), 0);
    // Its next poll would find that the conversation is gone, which the browser reports as a failed call.
    await taker.page.close();

    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByRole('button', { name: 'More actions for' }).click();
    await page.getByRole('menuitem', { name: 'Erase conversation' }).click();
    await page
      .getByRole('dialog')
      .getByText(/This erases 1 conversation, \d+ messages, \d+ deliver/)
      .waitFor();
    // The answer comes after the time at which an idle timeline is polled again.
    await page.route(`**/conversations/${id}`, async (route) => {
      const response = await route.fetch();
      gone.resolve(undefined);
      for (let polls = 0; polls < 6; polls += 1)
        await page.waitForRequest((one) => new URL(one.url()).pathname.endsWith('/conversations'));
      await route.fulfill({ response });
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Erase conversation' }).click();
    await page.getByRole('heading', { level: 1, name: 'Conversations' }).waitFor();
    assert.equal((await api.call('GET', `/conversations/${id}`)).status, 404);
  });

  it('links to the other conversations of the contact, and to nobody else’s', async () => {
    const { signedIn, api } = shared();
    const [desk, shop] = [await api.createAgent({ name: 'Desk' }), await api.createAgent({ name: 'Shop' })];
    const contact = { id: 'ana/1', name: 'Ana' };
    const here = await api.ask(desk.id, { message: 'Here', contact });
    const there = await api.ask(shop.id, { message: 'There', contact });
    await api.ask(shop.id, { message: 'Elsewhere', contact: { id: 'ana/10', name: 'Ana' } });
    const visitor = await signedIn({ width: 1440 });
    const { page } = visitor;
    await visitor.open(`/conversations/${here.conversation_id}`);
    const others = page.getByRole('region', { name: 'Other conversations of this contact' });
    await others.getByText('There').waitFor();
    assert.deepEqual(await others.getByRole('link').allInnerTexts(), ['Shop']);
    await visitor.look('conversation-others');
    await others.getByRole('link', { name: 'Shop' }).click();
    await page.waitForURL(`**/conversations/${there.conversation_id}`);
    await others.getByRole('link', { name: 'Desk' }).waitFor();
  });

  it('regenerates the last answer, and stops the run in progress, for those who may take over', async () => {
    const { signedIn, person, api, origin } = shared();
    const agent = await api.createAgent({ script: [{ reply: 'The first answer.' }] });
    const { conversation_id: id } = await api.ask(agent.id, { message: 'hello' });
    await api.changeAgent(agent.id, { script: [{ reply: 'The second answer.' }] });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open(`/conversations/${id}`);
    const regenerate = page.getByRole('button', { name: 'Regenerate answer' });
    await regenerate.click();
    await page.getByRole('region', { name: 'Timeline' }).getByText('The second answer.').waitFor();
    const first = page.getByRole('region', { name: 'Run 1', exact: true });
    await first.getByText('Replaced by a later run').waitFor();
    await first.getByText('Replaced', { exact: true }).waitFor();
    await regenerate.waitFor();
    await visitor.look('conversation-regenerated');

    await api.changeAgent(agent.id, { script: [{ reply: 'never', delay_ms: 60_000 }] });
    await regenerate.click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Cancelled', { exact: true }).waitFor();
    await regenerate.waitFor();
    await visitor.open('/audit');
    for (const done of ['Regenerated an answer', 'Cancelled pending messages'])
      await page.getByRole('row').filter({ hasText: done }).first().waitFor();

    const reader = await signedIn({ as: await person(['conversations.view']) });
    await reader.open(`/conversations/${id}`);
    await reader.page.getByRole('region', { name: 'Timeline' }).getByText('The second answer.').waitFor();
    assert.equal(await reader.page.getByRole('button', { name: 'Regenerate answer' }).count(), 0);
    reader.expectRefusals();
    const url = `${origin}/console/api/conversations/${id}/regenerate`;
    assert.equal((await reader.context.request.post(url, { data: {} })).status(), 403);
  });

  it('opens a long conversation at its newest message, marks new ones while its reader is further up, and keeps the place while older ones load', async () => {
    const { signedIn, api } = shared();
    const agent = await api.createAgent({ script: [{ reply: 'The answer to this.' }] });
    const first = await api.ask(agent.id, { message: 'Message 1' });
    const id = first.conversation_id;
    for (let n = 2; n <= 45; n++) await api.ask(agent.id, { message: `Message ${n}`, conversation_id: id });
    for (const width of [1280, 390]) {
      const visitor = await signedIn({ width });
      const { page } = visitor;
      const fromEnd = () =>
        page.evaluate<number>('document.documentElement.scrollHeight - innerHeight - scrollY');
      const timeline = page.getByRole('region', { name: 'Timeline' });
      const top = async (text: string) =>
        (await timeline.getByText(text, { exact: true }).boundingBox())?.y ?? NaN;
      await visitor.open('/conversations');
      await page.getByRole('row').getByRole('link').first().click();
      const newest = await api.messages(id);
      await timeline.getByText('Message 45', { exact: true }).waitFor();
      await until(
        'the end to be in view',
        async () => (await fromEnd()) < 5 && (await top('Message 45')) < 860,
      );
      assert.ok(newest.length >= 90);
      if (width === 1280) await visitor.look('conversation-long');

      // Further up, nothing is pulled away.
      await timeline.getByText('Message 10', { exact: true }).scrollIntoViewIfNeeded();
      const before = await top('Message 10');
      for (const message of ['one more', 'and another'])
        await api.ask(agent.id, { message, conversation_id: id });
      const mark = page.getByRole('button', { name: '4 new messages' });
      await mark.waitFor();
      assert.ok(Math.abs((await top('Message 10')) - before) < 3);
      await visitor.look(`conversation-new-messages-${width}`);
      await mark.click();
      await until('the end to be in view', async () => (await fromEnd()) < 5);
      await mark.waitFor({ state: 'detached' });

      // At the end, what comes is followed.
      await api.ask(agent.id, { message: `the last at ${width}`, conversation_id: id });
      await timeline.getByText(`the last at ${width}`, { exact: true }).waitFor();
      await until('the end to be in view', async () => (await fromEnd()) < 5);

      await page.getByRole('button', { name: 'Show older' }).scrollIntoViewIfNeeded();
      const kept = page.getByRole('region', { name: /^Run / }).first();
      const label = await kept.getAttribute('aria-label');
      const place = (await kept.boundingBox())?.y ?? NaN;
      await page.getByRole('button', { name: 'Show older' }).click();
      await timeline.getByText('Message 1', { exact: true }).waitFor();
      const now =
        (await page.getByRole('region', { name: label ?? '', exact: true }).boundingBox())?.y ?? NaN;
      assert.ok(Math.abs(now - place) < 60, `${place} → ${now}`);
    }
  });

  it('polls less often the longer nothing changes, and only for what may have changed', async () => {
    const { signedIn, api } = shared();
    const agent = await api.createAgent({
      script: [{ when: 'wait', reply: 'late', delay_ms: 40_000 }, { reply: 'x'.repeat(5000) }],
    });
    const { conversation_id: id } = await api.ask(agent.id, { message: 'hello' });
    for (let n = 0; n < 20; n++) await api.ask(agent.id, { message: 'hello', conversation_id: id });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open(`/conversations/${id}`);
    await page.getByRole('region', { name: 'Run 21', exact: true }).waitFor();
    await api.send(agent.id, { message: 'wait', conversation_id: id });
    await page.getByText('Answering').waitFor();
    const start = Date.now();
    const polls = async () => (await visitor.allAnswers()).filter(({ url }) => url.includes('/timeline'));
    const before = (await polls()).length;
    await until('15 s to pass', () => Date.now() - start > 15_000);
    const made = (await polls()).slice(before);
    // Every 400 ms it were 37.
    assert.ok(made.length >= 4 && made.length <= 20, `${made.length} calls`);
    const [whole] = await polls();
    for (const { url, text } of made) {
      assert.match(url, /since=\d+/);
      assert.ok(text.length < (whole?.text.length ?? 0) / 4, `${text.length} of ${whole?.text.length ?? 0}`);
    }
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Cancelled', { exact: true }).waitFor();
  });

  it('narrows conversations and deliveries down, says why one was blocked, and keeps the filters on the way back', async () => {
    const { signedIn, api, db } = shared();
    const [one, two] = [await api.createAgent({ name: 'One' }), await api.createAgent({ name: 'Two' })];
    const webhook_url = 'http://169.254.169.254/latest';
    const maria = await api.send(one.id, { message: 'from Maria', webhook_url, contact: { id: 'maria' } });
    const joao = await api.ask(two.id, { message: 'from Joao', contact: { id: 'joao' } });
    await api.settled(maria.conversation_id);
    await until('the delivery to be blocked', async () =>
      (await api.deliveries({ status: 'blocked' })).some((each) => each.url === webhook_url),
    );
    const visitor = await signedIn();
    const { page } = visitor;
    const rows = page
      .getByRole('table', { name: /^(?:Conversations|Deliveries) of this organization$/ })
      .getByRole('row')
      .filter({ has: page.getByRole('cell') });
    const shows = async (...names: string[]) => {
      for (const name of names) await rows.filter({ hasText: name }).waitFor();
      await until('no other row', async () => (await rows.count()) === names.length);
    };
    const choose = async (filter: string, option: string) => {
      await page.getByRole('combobox', { name: filter }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await visitor.open('/conversations');
    await shows('maria', 'joao');
    const search = page.getByLabel('Search messages and contacts');
    await search.fill('mar');
    await shows('maria');
    await search.fill(joao.conversation_id);
    await shows('joao');
    await search.fill('from joa');
    await shows('joao');
    assert.equal(await page.locator('mark').first().innerText(), 'from');
    await search.fill('');
    await shows('maria', 'joao');
    await page.getByRole('button', { name: 'Filters' }).click();
    await choose('Agent', 'Two');
    await shows('joao');
    await rows.getByRole('link').first().click();
    await page.getByRole('region', { name: 'Timeline' }).getByText('from Joao', { exact: true }).waitFor();
    await page.goBack();
    await shows('joao');
    const agentFilter = page.getByRole('combobox', { name: 'Agent' });
    await until('the filter to be as it was', async () => (await agentFilter.inputValue()) === 'Two');
    await visitor.open('/conversations');
    await page.getByRole('navigation', { name: 'Show' }).getByRole('link', { name: 'Failed' }).click();
    await page.getByText('No conversations').waitFor();
    await db.knex('runs').where({ conversation_id: maria.conversation_id }).update({ state: 'failed' });
    await shows('maria');

    await visitor.open('/deliveries');
    await shows(webhook_url);
    const statuses = page.getByRole('navigation', { name: 'Status' });
    await statuses.getByRole('link', { name: 'Delivered' }).click();
    await page.getByText('No deliveries').waitFor();
    await statuses.getByRole('link', { name: 'Failed or blocked 1', exact: true }).click();
    await shows(webhook_url);
    await visitor.open('/deliveries?status=blocked');
    await statuses.getByRole('link', { name: 'Blocked', exact: true }).waitFor();
    await choose('Agent', 'One');
    await shows(webhook_url);
    const row = rows.filter({ hasText: 'Blocked' });
    await row.getByText('Blocked', { exact: true }).click();
    const detail = page.getByRole('region', { name: 'Delivery' });
    await detail.getByText('Parley may not call this address').waitFor();
    assert.doesNotMatch(await detail.innerText(), /private_address/);
    await visitor.look('delivery-blocked');
    const opened = new URL(page.url());
    await page.keyboard.press('Escape');
    await detail.waitFor({ state: 'detached' });
    await visitor.look('deliveries');
    await row.getByRole('link').focus();
    await page.keyboard.press('Enter');
    await detail.getByText('Parley may not call this address').waitFor();
    await visitor.open(opened.pathname);
    await detail.getByText('Parley may not call this address').waitFor();
    await visitor.open('/deliveries');
    const { host } = new URL(webhook_url);
    const failing = page.getByRole('navigation', { name: 'Failures in the last day' });
    await failing.getByRole('link', { name: `${host} 1 blocked` }).waitFor();
    await visitor.look('delivery-hosts');
    await failing.getByRole('link', { name: host }).click();
    const listed = page.getByRole('table', { name: 'Deliveries of this organization' });
    await page.waitForURL((url) => url.searchParams.get('host') === host);
    await listed.getByText(webhook_url).waitFor();
    await page.getByRole('textbox', { name: 'Host' }).fill('elsewhere.example');
    await page.getByText('No deliveries').waitFor();
    assert.equal(new URL(page.url()).search, '?host=elsewhere.example');
  });

  it('answers 404 for another organization’s conversation, and 403 without the capability', async () => {
    const { signedIn, stranger, person, origin } = shared();
    const { api } = await stranger();
    const { conversation_id } = await api.ask((await api.createAgent()).id, { message: 'private' });
    const path = `${origin}/console/api/conversations/${conversation_id}/timeline`;
    const visitor = await signedIn();
    assert.equal((await visitor.context.request.get(path)).status(), 404);
    const other = await signedIn({ as: await person(['deliveries.view']) });
    for (const call of ['conversations', `conversations/${conversation_id}/timeline`, 'audit', 'members']) {
      assert.equal((await other.context.request.get(`${origin}/console/api/${call}`)).status(), 403);
    }
    assert.equal((await other.context.request.get(`${origin}/console/api/deliveries`)).status(), 200);
  });
});
