import assert from 'node:assert/strict';
import type { AgentContent } from '../../../src/contract/conversations/agent-versions.ts';
import { useConsole } from '../../support/browser/console.ts';
import { focused, opened, tabTo } from '../../support/browser/keyboard.ts';
import { useModelStack } from '../../support/model-stack.ts';
import { until } from '../../support/until.ts';

const instructions = `You answer the customers of a plant shop.
- Say how long a delivery takes before anybody asks twice.
- Never promise a date.`;

describe('Why this answer?', () => {
  const stack = useModelStack();
  const shared = useConsole(() => stack);

  /** A conversation whose last answer took a failed model call, a tool and a transfer. */
  async function answered() {
    const { api, receiver } = shared();
    const { model } = stack();
    receiver.behave('/plants?order=4711', { body: '{"orders":[{"number":"4711","state":"on its way"}]}' });
    const made = await api.call('POST', '/tools/http', {
      body: {
        ...{ name: 'find_order', description: 'Finds an order of the shop by its number.', method: 'GET' },
        ...{ url: `${receiver.url('/plants')}?order={order}`, effect: 'read' },
        parameters: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
      },
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const desk = await api.createAgent({ name: 'Delivery desk', instructions, tools: ['find_order'] });
    const front = await api.createAgent({
      ...{ name: 'Front desk', instructions: 'Pass questions on orders to the delivery desk.' },
      transfers_to: [desk.id],
    });
    const contact = { id: `c-${desk.id}`, name: 'Ana Souza' };
    const webhook_url = receiver.url('/inspected');
    model.answer('Hello, is anybody there?', { kind: 'stream', text: 'Good morning! How can I help?' });
    const { conversation_id: id } = await api.ask(front.id, { message: 'Hello, is anybody there?', contact });
    const question = `Where is my order 4711? (${id.slice(-4)})`;
    model.answer(
      question,
      { kind: 'status', status: 529, body: '{"error":{"message":"Overloaded. Please try again."}}' },
      {
        kind: 'stream',
        text: 'One moment, I pass you on.',
        call: { name: 'transfer_to_agent', input: { agent: 'Delivery desk' } },
      },
      { kind: 'stream', call: { name: 'find_order', input: { order: '4711' } } },
      { kind: 'stream', text: 'Your order 4711 is on its way. Deliveries take two to four days.' },
    );
    await api.send(front.id, { message: question, contact, webhook_url });
    await until('both callbacks', async () => {
      const sent = await api.deliveries({ conversation_id: id });
      return sent.length === 2 && sent.every(({ status }) => status === 'delivered');
    });
    return { id, desk, front, question };
  }

  it('opens from an answer by mouse and keyboard, has an address, and shows what happened', async () => {
    const { id, desk } = await answered();
    const { signedIn, api } = shared();
    await api.changeAgent(desk.id, { instructions: 'Say nothing about deliveries.' });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open(`/conversations/${id}`);
    await page
      .getByText('Your order 4711 is on its way. Deliveries take two to four days.', { exact: true })
      .waitFor();
    // Without unfolding: the result of the tool, and the tools below the answer alone.
    await page.locator('summary').getByText('{"orders":[{"number":"4711","state":"on its way"}]}').waitFor();
    await page.getByText(/^Used Find order · /).waitFor();
    assert.equal(await page.getByText(/^Used /).count(), 1);
    await page.getByRole('link', { name: 'Why this answer?' }).last().click();
    const dialog = page.getByRole('dialog', { name: 'Why this answer?' });
    await dialog.getByText('Where the time went').waitFor();
    const address = page.url();
    assert.match(address, /\/conversations\/[\w-]+\?why=[\w-]+$/);
    await dialog.getByText('A call failed after').waitFor();
    await dialog.getByText('The provider said: Overloaded. Please try again.').waitFor();
    await dialog.getByText('Transferred to Delivery desk').waitFor();
    await visitor.look('inspector');

    await dialog.getByText('Find order: “4711”').click();
    await dialog.getByText('Finds an order of the shop by its number.').waitFor();
    await dialog
      .getByRole('region', { name: 'Find order: Result that the model read' })
      .getByText('on its way')
      .waitFor();
    await dialog.getByText('Instructions of Delivery desk').click();
    await dialog.getByText('Never promise a date.').waitFor();
    await dialog.getByText('2 earlier messages').click();
    await dialog.getByText('Good morning! How can I help?').waitFor();
    await visitor.look('inspector-open');
    await dialog.getByRole('button', { name: 'Copy link' }).scrollIntoViewIfNeeded();
    await visitor.look('inspector-end');

    await page.reload();
    await dialog.getByText('Where the time went').waitFor();
    await opened(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    assert.equal(page.url(), address.replace(/\?.*/, ''));

    await page.getByRole('link', { name: 'Why this answer?' }).last().focus();
    await page.keyboard.press('Enter');
    await opened(page);
    await tabTo(page, 'Copy link');
    await page.keyboard.press('Enter');
    await until(
      'the link to be copied',
      async () => (await page.evaluate<string>('navigator.clipboard.readText()')) === address,
    );
    await page.keyboard.press('Escape');
    await until('the focus to return', async () => (await focused(page)).endsWith('Why this answer?'));
  });

  it('makes an answer again with other instructions, keeps them, and saves them as the draft', async () => {
    const { id, front, question } = await answered();
    const { signedIn, person, api } = shared();
    const { model } = stack();
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open(`/conversations/${id}`);
    await page.getByRole('link', { name: 'Why this answer?' }).last().click();
    await page.getByRole('link', { name: 'Change and try again' }).click();
    const field = page.getByLabel('Instructions of Front desk');
    assert.equal(await field.inputValue(), 'Pass questions on orders to the delivery desk.');
    await page.getByRole('region', { name: 'Answer before' }).getByText(question).waitFor();
    await field.fill('Answer yourself.');
    await page.reload();
    assert.equal(await field.inputValue(), 'Answer yourself.');
    model.answer(question, { kind: 'stream', text: 'It is on its way, Ana.' });
    await page.getByRole('button', { name: 'Try again' }).click();
    const now = page.getByRole('region', { name: 'Answer now' });
    await now.getByText('It is on its way, Ana.').waitFor();
    await visitor.look('try-again');
    const asked = model.callsFor(question).at(-1)?.body.messages[0]?.content;
    assert.equal(asked, 'Answer yourself.');
    assert.equal((await api.deliveries({ conversation_id: id })).length, 2);
    await now.getByRole('link', { name: 'Why this answer?' }).click();
    await page.getByRole('dialog').getByText('tried here').waitFor();
    // A trial of the trial begins with its instructions.
    const again = page.getByRole('dialog').getByRole('link', { name: 'Change and try again' });
    const second = await visitor.context.newPage();
    await second.goto(new URL((await again.getAttribute('href')) ?? '', page.url()).href);
    await until(
      'the instructions of the trial',
      async () => (await second.getByLabel('Instructions of Front desk').inputValue()) === 'Answer yourself.',
    );
    await second.close();
    await page.keyboard.press('Escape');
    // Somebody else changes the agent meanwhile, and this page has read it again.
    await api.changeAgent(front.id, { instructions: 'Pass everything on.' });
    await page.reload();
    await page.getByText('Somebody has changed the agent’s instructions').waitFor();
    visitor.expectRefusals();
    const save = page.getByRole('button', { name: 'Save draft' });
    await save.click();
    await page.getByText('Someone else changed this in the meantime.').waitFor();
    const at = `/agents/${front.id}`;
    const published = async () => {
      const { instructions: text, version } = (await api.call('GET', at)).body as AgentContent & {
        version: number;
      };
      return [text, version];
    };
    const saved = async () =>
      ((await api.call('GET', `${at}/draft`)).body as { content: AgentContent }).content;
    assert.deepEqual(await published(), ['Pass everything on.', 2]);
    await api.refused(404, 'GET', `${at}/draft`);
    await page.getByRole('button', { name: 'Drop mine, start from theirs' }).click();
    assert.equal(await field.inputValue(), 'Pass everything on.');
    await field.fill('Answer yourself.');
    await save.click();
    await page.getByText('Draft saved').waitFor();
    assert.deepEqual(await published(), ['Pass everything on.', 2]);
    assert.equal((await saved()).instructions, 'Answer yourself.');

    // A draft that changes more keeps the rest, and is what is tried.
    const script = [{ reply: 'From the draft.' }];
    const body = { instructions: 'Answer yourself.', script, model: 'scripted/default' };
    assert.equal((await api.call('PUT', `${at}/draft`, { body })).status, 200);
    await page.reload();
    assert.equal(await field.inputValue(), 'Answer yourself.');
    await field.fill('Answer yourself, briefly.');
    await page.getByRole('button', { name: 'Try again' }).click();
    await now.getByText('From the draft.').waitFor();
    await save.click();
    await page.getByText('Draft saved').waitFor();
    const kept = await saved();
    assert.deepEqual([kept.instructions, kept.script], ['Answer yourself, briefly.', script]);
    assert.deepEqual(await published(), ['Pass everything on.', 2]);

    const reader = await signedIn({ as: await person(['conversations.view']) });
    await reader.open(`/conversations/${id}`);
    await reader.page.getByRole('link', { name: 'Why this answer?' }).last().click();
    await reader.page.getByRole('button', { name: 'Copy link' }).waitFor();
    assert.equal(await reader.page.getByRole('link', { name: 'Change and try again' }).count(), 0);
  });
});
