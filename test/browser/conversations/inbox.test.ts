/** The inbox as a support lead works in it: new messages, customers who wait, and a search of their messages. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { useConsole } from '../../support/browser/console.ts';
import { focused } from '../../support/browser/keyboard.ts';
import { until } from '../../support/until.ts';

describe('The inbox', () => {
  const shared = useConsole();

  const rowsOf = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('link') });
  const namesOf = async (page: Page) => await rowsOf(page).getByRole('link').allInnerTexts();
  const timelineOf = (page: Page) => page.getByRole('region', { name: 'Timeline' });
  const view = async (page: Page, name: string) => {
    // The name may end with a number.
    const link = page
      .getByRole('navigation', { name: 'Show' })
      .getByRole('link', { name: new RegExp(`^${name}\\b`) });
    await link.click();
  };

  const status = (page: Page) => page.getByRole('combobox', { name: 'Status' });

  /** Conversations with these contacts, the last one the most recent. */
  async function withContacts(...names: string[]) {
    const { api } = shared();
    const agent = await api.createAgent({
      name: 'Front desk',
      script: [{ reply: 'We are looking into it.' }],
    });
    const write = async (name: string, message: string) =>
      (await api.ask(agent.id, { message, contact: { id: name.toLowerCase(), name } })).conversation_id;
    const ids: Record<string, string> = {};
    for (const name of names) ids[name] = await write(name, `${name} asks for an order`);
    return { agent, write, ids };
  }

  it('shows a customer who writes now in the first row, by a poll every second', async () => {
    const { write } = await withContacts('Maria', 'Joao', 'Ana');
    const visitor = await shared().signedIn();
    const { page } = visitor;
    const polledAt: number[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.endsWith('/api/conversations')) polledAt.push(Date.now());
    });
    await visitor.open('/conversations');
    await until('the rows', async () => (await namesOf(page)).join() === 'Ana,Joao,Maria');
    await write('Maria', 'where is it?');
    await until('the first row', async () => (await namesOf(page)).join() === 'Maria,Ana,Joao');
    await until('six polls', () => polledAt.length > 6);
    // The shortest, because a busy machine may delay each of them.
    const gaps = polledAt.slice(1).map((at, before) => at - (polledAt[before] ?? 0));
    assert.ok(Math.min(...gaps) < 2000, gaps.join());
  });

  it('says that it reconnects, until the server can be reached again', async () => {
    const { ids } = await withContacts('Maria');
    const visitor = await shared().signedIn();
    const { page, context } = visitor;
    await visitor.open(`/conversations/${ids['Maria']}`);
    await timelineOf(page).getByText('We are looking into it.').waitFor();
    const line = page.getByRole('status').getByText('Reconnecting …', { exact: true });
    assert.equal(await line.count(), 0);
    visitor.expectRefusals();
    await context.route('**/console/api/**', (route) => route.abort());
    await line.waitFor();
    // The loaded messages stay.
    await timelineOf(page).getByText('We are looking into it.').waitFor();
    await visitor.look('inbox-reconnecting');
    await context.unrouteAll();
    await line.waitFor({ state: 'detached' });
    await context.setOffline(true);
    await line.waitFor();
    await context.setOffline(false);
    await line.waitFor({ state: 'detached' });
  });

  it('opens conversations beside its list, with their details, and by keys', async () => {
    // Messages from before a member joined are not unread.
    const visitor = await shared().signedIn({ width: 1440 });
    const { ids, write } = await withContacts('Maria', 'Joao', 'Ana');
    const { page } = visitor;
    await visitor.open('/conversations');
    await page.getByText('Choose a conversation to read it here').waitFor();
    await visitor.look('inbox');
    const joao = rowsOf(page).filter({ hasText: 'Joao' });
    await joao.getByText('1 unread message').waitFor();
    // The whole row is the link.
    await joao.click();
    await timelineOf(page).getByText('Joao asks for an order').waitFor();
    await timelineOf(page).getByText('Joao', { exact: true }).waitFor();
    await timelineOf(page).getByText('today').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Joao' }).waitFor();
    await page
      .getByRole('complementary', { name: 'Details' })
      .getByText(ids['Joao'] ?? '')
      .waitFor();
    await until('it to be read', async () => (await joao.getByText('1 unread message').count()) === 0);
    assert.equal(await rowsOf(page).getByText('1 unread message').count(), 2);
    await visitor.look('inbox-conversation');
    // The look at a narrow screen, without the list, has taken the focus from it.
    await joao.getByRole('link').focus();

    const shows = async (name: string) => {
      await page.getByRole('heading', { level: 1, name }).waitFor();
      assert.match(page.url(), new RegExp(ids[name] ?? 'no id'));
      await until('the focus to be at its row', async () => (await focused(page)).endsWith(name));
    };
    await page.keyboard.press('j');
    await shows('Maria');
    await page.keyboard.press('j');
    await shows('Maria');
    await page.keyboard.press('k');
    await shows('Joao');
    await page.keyboard.press('ArrowUp');
    await until('the focus to be above', async () => (await focused(page)).endsWith('Ana'));
    await page.keyboard.press('Enter');
    await shows('Ana');
    await page.keyboard.press('/');
    await page.keyboard.type('jk maria');
    const search = page.getByLabel('Search messages and contacts');
    assert.equal(await search.inputValue(), 'jk maria');
    await search.fill('maria asks');
    await until('one row', async () => (await namesOf(page)).join() === 'Maria');
    assert.equal(await page.locator('mark').first().innerText(), 'Maria');
    await page.getByRole('heading', { level: 1, name: 'Ana' }).waitFor();
    // On a slow machine the keys have opened Maria's for long enough to mark it as read.
    await write('Maria', 'Maria asks again');
    await view(page, 'Unread');
    await page.getByText('No conversations').waitFor({ state: 'hidden' });
    assert.match(page.url(), /search=maria.asks&only=unread|only=unread/);
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByText('No conversations').waitFor();
  });

  it('takes its keys as soon as it is shown: after a load, and from the menu', async () => {
    const visitor = await shared().signedIn();
    const { page } = visitor;
    await withContacts('Maria', 'Joao');
    const opensFirst = async () => {
      await rowsOf(page).getByRole('link').first().waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/conversations\/[0-9a-f-]{36}/);
    };
    await visitor.open('/conversations');
    await opensFirst();
    await visitor.open('/agents');
    await page.getByRole('navigation').getByRole('link', { name: 'Conversations' }).click();
    await opensFirst();
  });

  it('is the list or the conversation on a phone, the messages first', async () => {
    const visitor = await shared().signedIn({ width: 390 });
    await withContacts('Maria', 'Joao');
    const { page } = visitor;
    await visitor.open('/conversations?only=unread');
    await rowsOf(page).getByRole('link', { name: 'Maria' }).click();
    await timelineOf(page).getByText('Maria asks for an order').waitFor();
    assert.equal(await page.getByRole('table').isVisible(), false);
    // The messages end above the message field, which is at the bottom of the screen.
    const { y, height } = (await timelineOf(page).boundingBox()) ?? assert.fail('no messages are shown');
    const foot = (await page.locator('.thread-foot').boundingBox()) ?? assert.fail('no field is shown');
    const gap = foot.y - (y + height);
    assert.ok(gap >= 0 && gap < 90, `the messages end ${gap} px above the field`);
    assert.ok(Math.abs(844 - 12 - foot.y - foot.height) <= 2, `the field ends at ${foot.y + foot.height} px`);
    const details = page.getByRole('complementary', { name: 'Details' });
    assert.equal(await details.isVisible(), false);
    await page.getByRole('button', { name: 'Details' }).click();
    await details.getByRole('button', { name: 'Copy identifier' }).waitFor();
    await page.getByRole('link', { name: 'All conversations' }).click();
    await page.getByRole('heading', { level: 1, name: 'Conversations' }).waitFor();
    await until('the filter to be kept', async () => (await namesOf(page)).join() === 'Joao');
  });

  it('lists who waits for a person until somebody has dealt with it, and tests of members apart', async () => {
    const { signedIn, person, db } = shared();
    const { agent, ids } = await withContacts('Maria', 'Joao');
    await db
      .knex('conversations')
      .where({ id: ids['Maria'] })
      .update({ waiting_since: new Date(), channel: 'whatsapp' });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open(`/agents/${agent.id}/playground`);
    await page.getByLabel('Message', { exact: true }).fill('only a try');
    await page.keyboard.press('Enter');
    await page.getByText('We are looking into it.').waitFor();
    await visitor.open('/conversations');
    await until('customers alone', async () => (await namesOf(page)).join() === 'Joao,Maria');
    const waiting = page.getByRole('region', { name: 'Waiting for a person' });
    await waiting.getByText('No agent answers · ').waitFor();
    await waiting.getByText('1 min', { exact: true }).waitFor();
    assert.equal(
      await waiting.getByRole('link', { name: 'Maria' }).getAttribute('href'),
      `/conversations/${ids['Maria'] ?? ''}?only=waiting`,
    );
    await rowsOf(page).filter({ hasText: 'Maria' }).getByText('1 min', { exact: true }).waitFor();
    await visitor.look('inbox-nothing-opened');
    await status(page).selectOption('Tests');
    await until('the test alone', async () => (await namesOf(page)).join() === 'Unknown contact');
    await rowsOf(page).getByText('Test', { exact: true }).waitFor();
    await status(page).selectOption('Open');
    await view(page, 'Needs a person');
    await until('who waits', async () => (await namesOf(page)).join() === 'Maria');
    await rowsOf(page).getByText('Needs a person', { exact: true }).waitFor();
    await visitor.look('inbox-waiting');

    const reader = await signedIn({ as: await person(['conversations.view']) });
    await reader.open(`/conversations/${ids['Maria'] ?? ''}`);
    await timelineOf(reader.page).getByText('Maria asks for an order').waitFor();
    assert.equal(await reader.page.getByRole('button', { name: 'Mark as done' }).count(), 0);

    await rowsOf(page).getByRole('link').click();
    await page.getByRole('button', { name: 'Mark as done' }).click();
    await page.getByText('No conversations').waitFor();
    await page.locator('.mantine-Badge-root').getByText('Needs a person').waitFor({ state: 'detached' });
  });

  it('lists open conversations; one that is done leaves them, until it is opened again or the customer writes', async () => {
    const { write } = await withContacts('Maria', 'Joao', 'Ana');
    const visitor = await shared().signedIn({ width: 1440 });
    const { page } = visitor;
    const lists = async (names: string) => {
      await until(names, async () => (await namesOf(page)).join() === names);
    };
    await visitor.open('/conversations');
    await lists('Ana,Joao,Maria');
    const all = page.getByRole('navigation', { name: 'Assigned to' }).getByRole('link', { name: /^All/ });
    await until('three open ones', async () => (await all.innerText()) === 'All 3');
    await rowsOf(page).filter({ hasText: 'Joao' }).click();
    await page.getByRole('button', { name: 'Mark as done' }).click();
    await lists('Ana,Maria');
    await until('two open ones', async () => (await all.innerText()) === 'All 2');
    const head = page.getByRole('region', { name: 'Conversation', exact: true });
    await head.getByText('Done', { exact: true }).waitFor();
    await rowsOf(page).filter({ hasText: 'Maria' }).click();
    await page.getByRole('heading', { level: 1, name: 'Maria' }).waitFor();
    await page.keyboard.press('e');
    await lists('Ana');
    await status(page).selectOption('Done');
    await lists('Joao,Maria');
    assert.equal(await all.innerText(), 'All');
    assert.match(page.url(), /status=done/);
    await visitor.look('inbox-done');
    await page.getByRole('button', { name: 'Reopen' }).click();
    await lists('Joao');
    await status(page).selectOption('Any status');
    await lists('Maria,Ana,Joao');
    await status(page).selectOption('Open');
    await write('Joao', 'one more thing');
    await lists('Joao,Maria,Ana');
    await page.getByLabel('Search messages and contacts').fill('asks');
    await until('a search of all', async () => (await status(page).inputValue()) === 'all');
  });

  it('narrows down by agent, channel and days, all in its address', async () => {
    const { db } = shared();
    const { ids } = await withContacts('Maria', 'Joao');
    const at = new Date(2026, 0, 15, 12).toISOString();
    await db.knex('conversations').where({ id: ids['Maria'] }).update({ updated_at: at });
    const visitor = await shared().signedIn();
    const { page } = visitor;
    // The worker marks Maria's as done within a minute.
    await visitor.open('/conversations?status=all');
    await until('both', async () => (await namesOf(page)).join() === 'Joao,Maria');
    await rowsOf(page).getByText('Jan 15').waitFor();
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Active until').fill('2026-01-15');
    await until('the older one', async () => (await namesOf(page)).join() === 'Maria');
    await page.getByLabel('Active from').fill('2026-01-15');
    await until('the same', () => page.url().endsWith('to=2026-01-15&from=2026-01-15'));
    await visitor.look('inbox-filters');
    await page.reload();
    await until('the older one', async () => (await namesOf(page)).join() === 'Maria');
    await page.getByRole('combobox', { name: 'Channel' }).click();
    await page.getByRole('option', { name: 'WhatsApp' }).click();
    await page.getByText('No conversations').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await until('both', async () => (await namesOf(page)).join() === 'Joao,Maria');
    await page.getByRole('combobox', { name: 'Order' }).click();
    await page.getByRole('option', { name: 'Oldest first' }).click();
    await until('the older one first', async () => (await namesOf(page)).join() === 'Maria,Joao');
    assert.ok(page.url().endsWith('sort=oldest'), page.url());
  });

  it('narrows down to the conversations in which a tool was called, and offers the called tools alone', async () => {
    const { api, db } = shared();
    const agent = await api.createAgent({
      script: [
        { tool: { action: 'DOCS_LIST_USERS', input: {} }, when: 'team', reply: 'Here they are.' },
        { reply: 'Hi.' },
      ],
      tools: ['DOCS_LIST_USERS', 'DOCS_FETCH_ROW'],
    });
    for (const [name, message] of [
      ['Maria', 'the team, please'],
      ['Joao', 'hello'],
    ] as const)
      await api.ask(agent.id, { message, contact: { id: name.toLowerCase(), name } });
    assert.equal((await db.knex('tool_executions').where({ action: 'DOCS_LIST_USERS' })).length, 1);
    const visitor = await shared().signedIn();
    const { page } = visitor;
    await visitor.open('/conversations');
    await until('both', async () => (await namesOf(page)).join() === 'Joao,Maria');
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('combobox', { name: 'Called tool' }).click();
    const offered = page.getByRole('listbox').getByRole('option');
    await offered.first().waitFor();
    assert.deepEqual(await offered.allInnerTexts(), ['DOCS_LIST_USERS']);
    await page.getByRole('option', { name: 'DOCS_LIST_USERS' }).click();
    await until('who called it', async () => (await namesOf(page)).join() === 'Maria');
    await until('the address', () => page.url().endsWith('?tool=DOCS_LIST_USERS'));
    await visitor.look('inbox-tool-filter');
    await page.reload();
    await until('the same', async () => (await namesOf(page)).join() === 'Maria');
    // A tool that no conversation has called is shown too, because the filter is set.
    await visitor.open('/conversations?tool=gone');
    await page.getByText('No conversations').waitFor();
    assert.equal(await page.getByRole('combobox', { name: 'Called tool' }).inputValue(), 'gone');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await until('both', async () => (await namesOf(page)).join() === 'Joao,Maria');
  });
});
