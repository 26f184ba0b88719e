/** How members learn that a conversation waits for a person: in the menu, the tab's title and notifications. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { plainHost, useConsole } from '../../support/browser/console.ts';
import { until } from '../../support/until.ts';

/** A page's script: also records the notifications that the browser shows, which no page can list. */
const recordNotifications = `
  window.shown = [];
  window.Notification = class extends Notification {
    constructor(title, options) {
      super(title, options);
      shown.push(this);
    }
  };`;

describe('Conversations that wait for a person', () => {
  const shared = useConsole();

  const entry = (page: Page) =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Conversations', exact: true });
  const titled = (page: Page, title: string) =>
    until(`the title ${title}`, async () => (await page.title()) === title);
  const newAgent = () =>
    shared().api.createAgent({
      name: 'Front desk',
      script: [
        {
          when: 'a person',
          reply: 'One moment.',
          tool: { action: 'hand_over_to_person', input: { reason: 'Wants a person' } },
        },
        { reply: 'We look into it.' },
      ],
      may_hand_over: true,
    });
  /** A conversation that waits, because a message arrived during a takeover. */
  const waitingOne = async (agentId: string, name: string) => {
    const { api } = shared();
    const contact = { id: name.toLowerCase(), name };
    const { conversation_id: id } = await api.ask(agentId, { message: `${name} asks`, contact });
    await api.call('POST', `/conversations/${id}/pause`, { body: { minutes: 60 } });
    await api.send(agentId, { message: `${name} asks again`, contact });
    return id;
  };

  it('are counted in the menu and in the title of every page, up to 99, until they are dealt with', async () => {
    const { signedIn, person, db } = shared();
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/agents');
    await titled(page, 'Agents · Parley');
    assert.equal(await entry(page).getAttribute('aria-describedby'), null);
    const agent = await newAgent();
    const id = await waitingOne(agent.id, 'Maria');
    await titled(page, '(1) Agents · Parley');
    assert.match(await entry(page).innerText(), /1$/);
    const described = (await entry(page).getAttribute('aria-describedby')) ?? '';
    assert.equal(await page.locator(`[id="${described}"]`).innerText(), '1 conversation waits for a person');
    await db.knex.raw(
      `insert into conversations (id, organization_id, target_id, agent_id, waiting_since)
         select gen_random_uuid(), organization_id, target_id, agent_id, now() from conversations, generate_series(1, 99) where id = ?`,
      [id],
    );
    await visitor.open('/conversations');
    await titled(page, '(99+) Conversations · Parley');
    assert.match(await entry(page).innerText(), /99\+$/);
    await visitor.look('waiting-count');
    await db
      .knex('conversations')
      .where({ agent_id: agent.id })
      .whereNot({ id })
      .update({ waiting_since: null });
    await visitor.open(`/conversations/${id}`);
    await titled(page, '(1) Conversations · Parley');
    await page.getByRole('button', { name: 'Mark as done' }).click();
    await titled(page, 'Conversations · Parley');

    const other = await signedIn({ as: await person(['agents.manage']) });
    await other.open('/agents');
    await titled(other.page, 'Agents · Parley');
  });

  it('are counted on the menu button of a phone', async () => {
    const visitor = await shared().signedIn({ width: 390 });
    const { page } = visitor;
    await visitor.open('/agents');
    const menu = (name: string) => page.getByRole('button', { name, exact: true });
    await menu('Menu').waitFor();
    const agent = await newAgent();
    await waitingOne(agent.id, 'Maria');
    await menu('Menu, 1 waiting').waitFor();
    assert.equal(await menu('Menu, 1 waiting').innerText(), '1');
    await visitor.look('waiting-menu-button');
  });

  it('are announced by the browser while the tab is hidden, once each, and a click opens them', async () => {
    const { signedIn, origin } = shared();
    const visitor = await signedIn({ leavesTraces: true });
    const { page, context } = visitor;
    // Takes all other permissions from this origin, for example the one for the clipboard.
    await context.grantPermissions(['notifications'], { origin });
    await page.addInitScript(recordNotifications);
    const agent = await newAgent();
    await waitingOne(agent.id, 'Earlier');
    await visitor.open('/conversations');
    const button = page.getByRole('button', { name: 'Notify me' });
    await button.click();
    await until('the choice', async () => (await button.getAttribute('aria-pressed')) === 'true');
    assert.equal(await page.evaluate('shown[0].title'), 'Notify me');
    await visitor.open('/agents');
    await titled(page, '(1) Agents · Parley');
    const turn = async (state: 'hidden' | 'visible') => {
      await page.evaluate(
        `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
         document.dispatchEvent(new Event('visibilitychange'));`,
      );
    };
    const shown = async () =>
      await page.evaluate<{ title: string; body: string }[]>(
        'shown.map(({ title, body }) => ({ title, body }))',
      );
    await waitingOne(agent.id, 'Seen');
    await titled(page, '(2) Agents · Parley');
    await turn('hidden');
    const maria = await waitingOne(agent.id, 'Maria');
    await until('a notification', async () => (await shown()).length === 1);
    const contact = { id: 'joao', name: 'Joao' };
    await shared().api.ask(agent.id, { message: 'a person, please', contact });
    await until('another one', async () => (await shown()).length === 2);
    assert.deepEqual(await shown(), [
      { title: 'Maria waits for a person', body: 'The agent Front desk does not answer a message.' },
      { title: 'Joao waits for a person', body: 'The agent Front desk handed the conversation over.' },
    ]);
    await page.evaluate('shown[0].onclick()');
    await page.waitForURL(`**/conversations/${maria}`);
    await turn('visible');
    await page.getByRole('button', { name: 'Notify me' }).click();
    assert.equal(await page.evaluate("localStorage.getItem('parley.notify-me')"), 'false');
  });

  it('are not announced if the browser refuses, and the page says what to do', async () => {
    const { signedIn, visit, person } = shared();
    // A browser in which an earlier test has granted nothing.
    const refused = await signedIn({ isFirstVisit: true });
    await refused.open('/conversations');
    await refused.page.getByRole('button', { name: 'Notify me' }).click();
    await refused.page.getByText('Allow them in the settings beside the address').waitFor();
    const button = refused.page.getByRole('button', { name: 'Notify me' });
    assert.equal(await button.getAttribute('aria-pressed'), 'false');
    await refused.look('notify-refused');

    const { email, password } = await person();
    const plain = await visit({ host: plainHost });
    await plain.open('/conversations');
    await plain.page.getByLabel('Email').fill(email);
    await plain.page.getByLabel('Password').fill(password);
    await plain.page.keyboard.press('Enter');
    await plain.page.getByRole('button', { name: 'Notify me' }).click();
    await plain.page.getByText('Ask your administrator to serve Parley over https').waitFor();
  });
});
