import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { ageRuns } from '../../support/age-runs.ts';
import { useConsole } from '../../support/browser/console.ts';

const firstPageJavaScriptBytes = 350_000;

describe('The overview', () => {
  const shared = useConsole();

  it('leads a newcomer to a first answer: a token, the call, the answer', async () => {
    const { signedIn, api } = shared();
    await api.createAgent({ name: 'First agent', script: [{ reply: 'Hello to you.' }] });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/');
    await page.getByRole('button', { name: 'Generate a token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Generate' }).click();
    await dialog.getByLabel('Token Name').and(page.locator('[aria-invalid=true]')).waitFor();
    await visitor.look('first-steps-name');
    await dialog.getByLabel('Token Name').fill('My laptop');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const command = await page.getByRole('region', { name: 'Command' }).innerText();
    await visitor.look('first-steps');
    const answer = await new Promise<string>((resolve, reject) => {
      execFile('/bin/sh', ['-c', command], (error, stdout) => {
        if (error === null) resolve(stdout);
        else reject(new Error('the command failed', { cause: error }));
      });
    });
    assert.equal((JSON.parse(answer) as { response: string }).response, 'Hello to you.');
    await page.getByText('Your agent answered.').waitFor();
    await page.getByRole('link', { name: 'Open the conversation' }).click();
    await page.getByText('Hello to you.').waitFor();
    await visitor.open('/settings/api');
    await page.getByRole('row').filter({ hasText: 'My laptop' }).waitFor();
  });

  it('counts messages, answers and failures by day and agent', async () => {
    const { signedIn, api, db } = shared();
    const agent = await api.createAgent({
      name: 'Counted',
      script: [{ when: 'no', fail: { message: 'away', retryable: false } }, { reply: 'yes' }],
    });
    for (const message of ['one', 'two']) await api.ask(agent.id, { message });
    const { conversation_id } = await api.ask(agent.id, { message: 'three' });
    await api.refused(502, 'POST', `/chat/${agent.id}`, { body: { message: 'no', sync: true } });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/');
    const row = page.getByRole('row').filter({ hasText: 'Counted' });
    await row.waitFor();
    assert.deepEqual((await row.getByRole('cell').allInnerTexts()).slice(0, 4), ['Counted', '4', '3', '1']);
    await page.getByText(/^(?:4 today, 0|0 today, 4) yesterday$/).waitFor();
    const failed = page
      .getByRole('region', { name: 'Health' })
      .getByRole('listitem')
      .filter({ hasText: '1 answer failed today' });
    assert.equal(
      await failed.getByRole('link', { name: 'See the conversations' }).getAttribute('href'),
      '/conversations?only=failed&status=all',
    );
    const charts = page.getByRole('img', { name: 'Messages, answers and failures by day' });
    await page.getByText('The charts appear once there is activity on two days.').waitFor();
    assert.equal(await charts.count(), 0);
    await visitor.look('overview-first-day');
    // A message that no agent answers, because a person has taken over, counts for its agent too.
    const waiting = await api.createAgent({ name: 'Waiting', script: [{ reply: 'x' }] });
    const asked = await api.ask(waiting.id, { message: 'a' });
    await api.call('POST', `/conversations/${asked.conversation_id}/pause`, { body: { minutes: 60 } });
    await api.send(waiting.id, { message: 'b', conversation_id: asked.conversation_id });
    const all = page.getByRole('row').filter({ has: page.getByRole('cell') });
    await page.getByRole('link', { name: 'Messages: 6' }).waitFor();
    await page.getByRole('link', { name: 'Conversations: 5' }).waitFor();
    await page.getByText('4 handled by agents alone').waitFor();
    await page.getByText('20% of the conversations').waitFor();
    const counts = (await all.allInnerTexts()).map((text) => Number(text.split(/\s+/)[1]));
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      6,
    );
    await ageRuns(db, conversation_id, 1);
    await charts.waitFor();
    await visitor.look('overview');
    // The list of the agents has the failed answers, their share, and the median time of the last 7 days.
    const agents = await visitor.context.newPage();
    await agents.goto(new URL('/agents', page.url()).href);
    const listed = agents.getByRole('row').filter({ hasText: 'Counted' });
    await listed.getByText('1 failed (25%)').waitFor();
    await listed.getByText(/^Median \d+(?:\.\d)? m?s$/).waitFor();
    await agents.close();
    // A click on the row's empty part opens the agent, as its name does; with Ctrl, in a new tab.
    const place = { position: { x: 5, y: 5 } };
    const [tab] = await Promise.all([
      visitor.context.waitForEvent('page'),
      row.click({ ...place, modifiers: ['ControlOrMeta'] }),
    ]);
    await tab.waitForURL(({ pathname }) => pathname === `/agents/${agent.id}`);
    assert.equal(new URL(page.url()).pathname, '/');
    await row.click(place);
    await page.waitForURL(({ pathname }) => pathname === `/agents/${agent.id}`);
  });

  it('shows that all is well, then each fault with the way to it, and marks the menu', async () => {
    const { signedIn, api, db, organizationId, origin } = shared();
    const agent = await api.createAgent({
      name: 'Desk',
      model: 'scripted/default',
      script: [{ reply: 'ok' }],
    });
    await db.knex('organizations').where({ id: organizationId }).update({ default_model: 'shop/m' });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/');
    const panel = page.getByRole('region', { name: 'Health' });
    await panel.getByText('All systems fine').waitFor();
    await visitor.look('health-fine');
    const entry = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true });
    assert.equal(await entry('Deliveries').getAttribute('aria-describedby'), null);

    const { conversation_id } = await api.send(agent.id, {
      ...{ message: 'hello', webhook_url: 'http://localhost:5000/parley' },
    });
    await api.settled(conversation_id);
    await panel.getByText('Parley may not call localhost:5000').waitFor();
    await panel.getByText('CALLBACK_ALLOW=localhost:5000').waitFor();
    await db
      .knex('conversations')
      .where({ id: conversation_id })
      .update({ waiting_since: new Date(Date.now() - 11 * 60_000) });
    await panel.getByText('1 conversation waits for a person').waitFor();
    await panel.getByText(/^Unknown contact has been waiting for 11 min\. No agent answers/).waitFor();
    assert.equal(
      await panel.getByRole('link', { name: 'Unknown contact' }).getAttribute('href'),
      `/conversations/${conversation_id}?only=waiting`,
    );
    await page.request.put(`${origin}/console/api/limit`, { data: { monthly_message_limit: 1 } });
    await panel.getByText('The monthly limit of messages is reached').waitFor();
    await panel.getByText('3 things need attention').waitFor();
    for (const name of ['Deliveries', 'Conversations', 'Usage and data'])
      assert.notEqual(await entry(name).getAttribute('aria-describedby'), null, name);
    assert.equal(await entry('Models').getAttribute('aria-describedby'), null);
    await visitor.look('health-faults');
    await panel.getByRole('link', { name: 'Answer', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Conversations' }).waitFor();
    assert.equal(new URL(page.url()).search, '?only=waiting');
    await visitor.open('/');
    await page.getByRole('link', { name: 'Messages: 1' }).waitFor();
    await panel.getByRole('link', { name: 'Raise the limit' }).click();
    await page.getByRole('heading', { level: 1, name: 'Usage and data' }).waitFor();
  });

  it('needs at most 350 kB of JavaScript for its first page', async () => {
    const { signedIn, api, db } = shared();
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    for (const days of [0, 1])
      await ageRuns(db, (await api.ask(agent.id, { message: 'a' })).conversation_id, days);
    const visitor = await signedIn({ isFirstVisit: true });
    const sizes: Promise<number>[] = [];
    visitor.page.on('response', (response) => {
      if (!response.url().endsWith('.js')) return;
      assert.match(response.headers()['content-encoding'] ?? '', /^(?:br|gzip)$/);
      sizes.push(
        response
          .request()
          .sizes()
          .then((size) => size.responseBodySize),
      );
    });
    await visitor.open('/');
    await visitor.page.getByRole('img', { name: 'Messages, answers and failures by day' }).waitFor();
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    assert.ok(bytes > 50_000 && bytes <= firstPageJavaScriptBytes, `${bytes} bytes`);
  });

  it('offers to reload if the code of its pages cannot be fetched', async () => {
    const visitor = await shared().signedIn();
    // A page of its own, because React reports the error on the browser's console.
    const page = await visitor.context.newPage();
    await page.route('**/assets/signed-in-*.js', (route) => route.abort());
    await page.goto(visitor.origin);
    await page.getByRole('alert').getByText('This page ran into a problem').waitFor();
    await page.unroute('**/assets/signed-in-*.js');
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.close();
  });

  it('folds the navigation under Menu on a narrow screen', async () => {
    const visitor = await shared().signedIn({ width: 390 });
    const { page } = visitor;
    await visitor.open('/');
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'API', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'API tokens' }).waitFor();
  });
});
