/** Whole jobs in the console by keyboard alone: the inbox, a takeover, a model provider, and HTTP tools. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import type { HttpTool } from '../../src/contract/http-tools/http-tools.ts';
import { useConsole } from '../support/browser/console.ts';
import { opened, reach, type Role } from '../support/browser/keyboard.ts';
import { chooseFocused, pressAction } from '../support/browser/row-actions.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { useStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

const openapi = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Shop' },
  paths: {
    '/orders': { get: { operationId: 'listOrders', summary: 'List the orders' } },
    '/stock': { get: { operationId: 'countStock', summary: 'How many are left' } },
  },
});

/** What somebody does who has no mouse. */
function handsOn(page: Page) {
  const { keyboard } = page;
  const reached = (role: Role, name: string) => reach(page, role, name);
  const hasFocus = (role: Role, name: string) =>
    until(
      () => `the focus to be on ${role} ${name}`,
      async () =>
        (await page.getByRole(role, { name, exact: true }).and(page.locator(':focus')).count()) === 1,
    );
  return {
    reached,
    /** Waits until this control has the focus. */
    hasFocus,
    press: async (role: Role, name: string) => {
      await reached(role, name);
      await keyboard.press('Enter');
    },
    fill: async (role: 'textbox' | 'combobox' | 'searchbox', name: string, text: string) => {
      await reached(role, name);
      await keyboard.press('Control+a');
      await keyboard.type(text);
    },
    /** Chooses an option of a select by arrow keys. */
    choose: async (field: string, option: string) => {
      await reached('combobox', field);
      // A list that opens, by the focus or a key, forgets in a timer of 0 ms which option is marked: what is marked before
      // looks chosen, and Enter does nothing. A timer that is set later fires after it.
      const hasOpened = async () => {
        await page.evaluate('new Promise((done) => setTimeout(done))');
      };
      await hasOpened();
      const chosen = page.locator('[data-combobox-selected]').getByText(option, { exact: true });
      await until(`${option} to be chosen`, async () => {
        if ((await chosen.count()) > 0) return true;
        await keyboard.press('ArrowDown');
        await hasOpened();
        return false;
      });
      await keyboard.press('Enter');
    },
    closed: () => page.getByRole('dialog').waitFor({ state: 'detached' }),
  };
}

describe('By keyboard alone', () => {
  let model: ModelServer;
  let shop: Receiver;
  const shared = useConsole(() =>
    useStack(async () => {
      [model, shop] = await Promise.all([startModelServer(), startReceiver()]);
      const env = { MODEL_ALLOW: '127.0.0.1', TOOL_ALLOW: '127.0.0.1' };
      return { env: { ...env, ENCRYPTION_KEY: randomBytes(32).toString('base64') } };
    }),
  );
  after(async () => {
    await Promise.all([model.close(), shop.close()]);
  });

  const heading = (page: Page, name: string) =>
    page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  const timelineOf = (page: Page) => page.getByRole('region', { name: 'Timeline' });
  const namesOf = (page: Page) =>
    page
      .getByRole('row')
      .filter({ has: page.getByRole('link') })
      .getByRole('link')
      .allInnerTexts();
  const lists = (page: Page, ...names: string[]) =>
    until(`the list ${names.join()}`, async () => (await namesOf(page)).join() === names.join());

  /** Conversations with these contacts, the last one the most recent. */
  async function withContacts(...names: string[]) {
    const { api, receiver } = shared();
    const script = [
      { when: 'a person', tool: { action: 'hand_over_to_person', input: { reason: 'Wants a person' } } },
      { reply: 'We are looking into it.' },
    ];
    const agent = await api.createAgent({ name: 'Front desk', script, may_hand_over: true });
    const ids: Record<string, string> = {};
    for (const name of names) {
      const contact = { id: name.toLowerCase(), name };
      const webhook_url = receiver.url(`/by-keyboard/${agent.id}/${name}`);
      const message = `${name} asks for an order`;
      const { conversation_id } = await api.send(agent.id, { message, contact, webhook_url });
      await api.settled(conversation_id);
      ids[name] = conversation_id;
    }
    return { agent, ids };
  }

  it('the inbox: a conversation is opened, read and left, and the list filtered and searched', async () => {
    const { api, signedIn } = shared();
    // Messages from before a member joined are not unread.
    const visitor = await signedIn({ width: 390 });
    const { page } = visitor;
    const { agent } = await withContacts('Maria', 'Joao', 'Ana');
    const contact = { id: 'ana', name: 'Ana' };
    await api.ask(agent.id, { message: 'a person, please', contact });
    const { press, reached, fill, choose, hasFocus } = handsOn(page);

    // A phone shows the list or the conversation.
    await visitor.open('/');
    await press('button', 'Menu, 1 waiting');
    await opened(page);
    await press('link', 'Conversations');
    await heading(page, 'Conversations');
    await press('link', 'Joao');
    await timelineOf(page).getByText('Joao asks for an order').waitFor();
    await heading(page, 'Joao');
    await hasFocus('main', '');
    await press('link', 'All conversations');
    await heading(page, 'Conversations');
    await hasFocus('main', '');

    // A wide screen shows both.
    await page.setViewportSize({ width: 1440, height: 860 });
    await visitor.open('/');
    await press('link', 'Skip to content');
    await hasFocus('main', '');
    await page.keyboard.press('Control+k');
    await opened(page);
    await page.keyboard.type('conversations');
    await page.getByRole('dialog').getByText('Conversations', { exact: true }).first().waitFor();
    await page.keyboard.press('Enter');
    await heading(page, 'Conversations');
    await lists(page, 'Ana', 'Joao', 'Maria');
    await press('link', 'Maria');
    await heading(page, 'Maria');
    await hasFocus('link', 'Maria');
    await page.keyboard.press('Enter');
    await hasFocus('region', 'Timeline');
    await page.keyboard.press('k');
    await heading(page, 'Joao');
    await hasFocus('link', 'Joao');
    await page.keyboard.press('r');
    await hasFocus('textbox', 'Write as a person');

    await press('link', 'Needs a person 1');
    await lists(page, 'Ana');
    await hasFocus('link', 'Needs a person 1');
    await press('link', 'Needs a person 1');
    await lists(page, 'Ana', 'Joao', 'Maria');
    await page.keyboard.press('/');
    await hasFocus('searchbox', 'Search messages and contacts');
    await page.keyboard.type('maria asks');
    await lists(page, 'Maria');
    await fill('searchbox', 'Search messages and contacts', ' ');
    await lists(page, 'Ana', 'Joao', 'Maria');
    await press('button', 'Filters');
    await choose('Agent', 'Front desk');
    await until('the filter', () => page.url().includes(`agent_id=${agent.id}`));
    await lists(page, 'Ana', 'Joao', 'Maria');
    await press('button', 'Clear filters');
    await until('no filter', () => !page.url().includes('agent_id'));
    await hasFocus('button', 'Filters');
    await press('link', 'Unread 1');
    await page.getByText('No conversations').waitFor({ state: 'hidden' });
    await reached('button', 'Mark all as read');
    await page.keyboard.press('Space');
    await page.getByText('No conversations').waitFor();
    await hasFocus('button', 'Mark all as read');
  });

  it('a takeover: a conversation is taken over, assigned, noted on, answered and handed back', async () => {
    const { api, receiver, signedIn } = shared();
    const { agent, ids } = await withContacts('Maria');
    const id = ids['Maria'] ?? '';
    const visitor = await signedIn({ width: 1440 });
    const { page } = visitor;
    const { press, reached, fill, hasFocus, closed } = handsOn(page);
    const timeline = timelineOf(page);
    await visitor.open('/conversations');
    await press('link', 'Maria');
    await heading(page, 'Maria');

    await press('button', 'Pause agent');
    await page.getByText('Taken over in the console by Administrator.').waitFor();
    await hasFocus('button', 'Resume agent');
    await reached('button', 'Assigned to Administrator');
    const assign = async (from: string, to: string) => {
      await press('button', from);
      await opened(page, 'menu');
      await chooseFocused(page, to);
    };
    await assign('Assigned to Administrator', 'Nobody');
    await hasFocus('button', 'Assign');
    await assign('Assign', 'Me');
    await hasFocus('button', 'Assigned to Administrator');

    await reached('radio', 'Reply');
    await page.keyboard.press('ArrowRight');
    await hasFocus('radio', 'Note');
    await fill('textbox', 'Note', 'Call back on Monday.');
    await press('button', 'Add note');
    await timeline.getByRole('region', { name: 'Note' }).getByText('Call back on Monday.').waitFor();
    await hasFocus('button', 'Add note');
    await press('button', 'Delete note');
    await opened(page);
    await hasFocus('button', 'Cancel');
    await press('button', 'Delete note');
    await closed();
    await hasFocus('region', 'Timeline');

    await reached('radio', 'Note');
    await page.keyboard.press('ArrowLeft');
    await fill('textbox', 'Write as a person', 'It arrives tomorrow, Maria.');
    await press('button', 'Send');
    await timeline.getByText('It arrives tomorrow, Maria.').waitFor();
    await hasFocus('button', 'Send');
    const [, reply] = await receiver.callbacks(`/by-keyboard/${agent.id}/Maria`, 2);
    assert.ok(reply?.event === 'message.completed' && reply.by_person === true);

    await press('button', 'Resume agent');
    await page.getByRole('button', { name: 'Pause agent' }).waitFor();
    await hasFocus('button', 'Pause agent');
    const contact = { id: 'maria', name: 'Maria' };
    const answer = await api.ask(agent.id, { message: 'Thank you.', contact });
    assert.deepEqual([answer.conversation_id, answer.response], [id, 'We are looking into it.']);
  });

  it('models: a provider is added by a real call, its model made the default, and both are removed', async () => {
    const { signedIn, api } = shared();
    const visitor = await signedIn();
    visitor.expectRefusals();
    const { page } = visitor;
    const { press, reached, fill, choose, hasFocus, closed } = handsOn(page);
    const add = async (name: string, ...models: string[]) => {
      await press('button', 'Add provider');
      await opened(page);
      await choose('Provider', 'OpenAI-compatible server');
      await fill('textbox', 'Name', name);
      await fill('textbox', 'Base URL', model.baseUrl);
      await fill('textbox', 'API key', 'key-of-the-shop');
      await reached('combobox', 'Models');
      for (const one of models) {
        await page.keyboard.type(one);
        await page.keyboard.press('Enter');
      }
      await press('button', 'Test and save');
      await page.getByRole('dialog').getByText('It works').waitFor();
      await hasFocus('button', 'Done');
      await page.keyboard.press('Enter');
      await closed();
    };
    await visitor.open('/');
    await press('link', 'Models');
    await heading(page, 'Models');
    await page.getByText('No AI provider yet').waitFor();
    await add('shop', 'one', 'two');
    // The button that opened the dialog was that of the empty page.
    await hasFocus('main', '');
    await add('spare', 'three');
    await hasFocus('button', 'Add provider');

    await choose('Default model', 'shop/two');
    await page.getByText('Default model saved').waitFor();
    await hasFocus('combobox', 'Default model');
    const agent = await api.createAgent({ name: 'Support' });
    await api.ask(agent.id, { message: 'by default' });
    assert.equal(model.callsFor('by default')[0]?.body.model, 'two');

    await reached('button', 'Test');
    await page.keyboard.press('Space');
    await opened(page);
    await press('button', 'Test now');
    await page
      .getByRole('dialog')
      .getByText(/^one answered in/)
      .waitFor();
    await hasFocus('button', 'Test now');
    await page.keyboard.press('Escape');
    await closed();
    await hasFocus('button', 'Test');
    await pressAction(page, 'shop', 'Edit');
    await opened(page);
    await fill('textbox', 'Base URL', 'http://localhost:11434/v1');
    await fill('textbox', 'API key', 'another key');
    await press('button', 'Test and save');
    await page
      .getByRole('dialog')
      .getByText(/localhost:11434 is private/)
      .waitFor();
    await hasFocus('textbox', 'Base URL');
    await press('button', 'Cancel');
    await closed();
    await hasFocus('button', 'More actions for shop');
    await pressAction(page, 'shop', 'Remove');
    await opened(page);
    await hasFocus('button', 'Cancel');
    await press('button', 'Remove provider');
    await closed();
    await page.getByRole('article', { name: 'shop' }).waitFor({ state: 'detached' });
    await hasFocus('main', '');
    await until(
      'no default',
      async () => (await page.getByRole('combobox', { name: 'Default model' }).inputValue()) === 'None',
    );
    await pressAction(page, 'spare', 'Remove');
    await opened(page);
    await press('button', 'Remove provider');
    await page.getByText('No AI provider yet').waitFor();
    await closed();
    await hasFocus('main', '');
  });

  it('tools: one is created, tried, edited and deleted, and others are imported', async () => {
    const { signedIn, api } = shared();
    shop.behave('/orders/17', { body: 'on its way' });
    const visitor = await signedIn();
    visitor.expectRefusals();
    const { page } = visitor;
    const { press, reached, fill, choose, hasFocus, closed } = handsOn(page);
    const dialog = page.getByRole('dialog');
    const tools = async () => {
      const { data } = (await api.call('GET', '/tools/http')).body as { data: HttpTool[] };
      return data.map(({ name, description, headers }) => [name, description, headers.length]);
    };
    await visitor.open('/');
    await press('link', 'Tools');
    await heading(page, 'Tools');
    await reached('tab', 'Available');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.getByText('No HTTP tools yet').waitFor();
    await press('button', 'Add HTTP tool');
    await opened(page);
    await press('button', 'Save tool');
    await dialog.getByText('This field is required').first().waitFor();
    await hasFocus('textbox', 'Name');
    await fill('textbox', 'Name', 'find_order');
    await fill('textbox', 'Description', 'Finds an order.');
    await choose('Method', 'POST');
    await fill('textbox', 'URL', shop.url('/orders/{order_id}'));
    await press('button', 'Add argument');
    await hasFocus('textbox', 'Argument 1');
    await fill('textbox', 'Argument 1', 'order_id');
    await press('button', 'Add argument');
    await hasFocus('textbox', 'Argument 2');
    await press('button', 'Remove Argument 2');
    await hasFocus('group', 'Arguments');
    await press('button', 'Add header');
    await hasFocus('textbox', 'Header 1');
    await fill('textbox', 'Header 1', 'X-Key');
    await fill('textbox', 'Value of header 1', 'key-of-the-shop');
    await press('button', 'Save tool');

    await dialog.getByRole('heading', { name: 'Try find_order' }).waitFor();
    await opened(page);
    await fill('textbox', 'order_id', '17');
    await page.keyboard.press('Enter');
    await dialog.getByText('on its way').waitFor();
    await press('button', 'Send request');
    await until('another request', () => shop.requestsTo('/orders/17').length === 2);
    await hasFocus('button', 'Send request');
    assert.equal(new Map(shop.requestsTo('/orders/17')[0]?.rawHeaders).get('x-key'), 'key-of-the-shop');
    await press('button', 'Cancel');
    await closed();
    // The button that opened the dialog was that of the empty list.
    await hasFocus('main', '');

    await pressAction(page, 'find_order', 'Edit');
    await opened(page);
    await fill('textbox', 'Description', 'Finds any order.');
    await press('button', 'Remove Header 1');
    await hasFocus('group', 'Headers');
    await press('button', 'Save tool');
    await closed();
    await hasFocus('button', 'More actions for find_order');
    assert.deepEqual(await tools(), [['find_order', 'Finds any order.', 0]]);
    await press('button', 'Try');
    await opened(page);
    await page.keyboard.press('Escape');
    await closed();
    await hasFocus('button', 'Try');

    await press('button', 'Import OpenAPI');
    await opened(page);
    await reached('textbox', 'OpenAPI document');
    await page.keyboard.insertText(openapi);
    await fill('textbox', 'Address', shop.url('/'));
    await press('button', 'Show operations');
    await hasFocus('searchbox', 'Search operations');
    await reached('checkbox', 'GET /stock');
    await page.keyboard.press('Space');
    await press('button', 'Change document');
    await hasFocus('textbox', 'OpenAPI document');
    await press('button', 'Show operations');
    await hasFocus('searchbox', 'Search operations');
    await reached('checkbox', 'GET /orders');
    await page.keyboard.press('Space');
    await press('button', 'Add 1 tool');
    await closed();
    await hasFocus('button', 'Import OpenAPI');

    for (const [index, name] of ['find_order', 'listOrders'].entries()) {
      await pressAction(page, name, 'Delete');
      await opened(page);
      await hasFocus('button', 'Cancel');
      await press('button', 'Delete');
      await closed();
      await until('it to be deleted', async () => (await tools()).length === 1 - index);
      await hasFocus('main', '');
    }
    await page.getByText('No HTTP tools yet').waitFor();
  });
});
