/** The HTTP tools of the page Tools: a form without JSON, a first try, an agent that uses the tool. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { useConsole } from '../support/browser/console.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { useStack } from '../support/stack.ts';

describe('HTTP tools in the console', function () {
  this.timeout(120_000);
  let shop: Receiver;
  const shared = useConsole(() =>
    useStack(async () => {
      shop = await startReceiver();
      return { env: { ENCRYPTION_KEY: randomBytes(32).toString('base64'), TOOL_ALLOW: '127.0.0.1' } };
    }),
  );
  after(async () => {
    await shop.close();
  });

  it('a tool is added in a form, tried, changed without its key, and shows the agent that uses it', async () => {
    const { signedIn, api } = shared();
    shop.behave('/orders/17', {
      headers: { 'content-type': 'application/json' },
      body: '{"status":"shipped"}',
    });
    const visitor = await signedIn();
    visitor.expectRefusals();
    const { page } = visitor;
    await visitor.open('/admin/tools');
    await page.getByRole('tab', { name: 'HTTP tools' }).click();
    await page.getByText('No HTTP tools yet').waitFor();
    await page.getByRole('button', { name: 'Add HTTP tool' }).click();
    const dialog = page.getByRole('dialog');
    const fill = async (label: string, text: string) => {
      await dialog.getByLabel(label, { exact: true }).fill(text);
    };
    await dialog.getByRole('textbox', { name: 'Name' }).fill('find_order');
    await dialog
      .getByRole('textbox', { name: 'Description', exact: true })
      .fill('Finds an order by its number.');
    await dialog.getByRole('textbox', { name: 'URL' }).fill(shop.url('/orders/{order_id}'));
    await dialog.getByRole('button', { name: 'Save tool' }).click();
    await dialog.getByText(/names \{order_id\}, which is not among the parameters/).waitFor();
    await dialog.getByRole('button', { name: 'Add argument' }).click();
    await fill('Argument 1', 'order_id');
    await fill('Description of argument 1', 'Number of the order');
    await fill('Header', 'Authorization');
    await fill('Value of the header', 'Bearer key-of-the-shop');
    await visitor.look('http-tool-form');
    await dialog.getByRole('button', { name: 'Save tool' }).click();
    const row = page.getByRole('row', { name: /find_order/ });
    await row.getByText('No agent').waitFor();
    await visitor.look('http-tools');

    await row.getByRole('button', { name: 'Try' }).click();
    await fill('order_id', '17');
    await dialog.getByRole('button', { name: 'Send request' }).click();
    await dialog.getByText('{"status":"shipped"}').waitFor();
    await visitor.look('http-tool-tried');
    await page.keyboard.press('Escape');
    const header = () => new Map(shop.requestsTo('/orders/17').at(-1)?.rawHeaders).get('authorization');
    assert.equal(header(), 'Bearer key-of-the-shop');

    await row.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByRole('textbox', { name: 'Description', exact: true }).fill('Finds any order.');
    await dialog.getByRole('button', { name: 'Save tool' }).click();
    await row.getByText('Finds any order.').waitFor();
    const script = [
      { on: 'tool_result', when: '(.*)', reply: 'read: $1' },
      { when: 'order', tool: { action: 'find_order', input: { order_id: '17' } } },
    ];
    const agent = await api.createAgent({ name: 'Support', tools: ['find_order'], script });
    assert.equal((await api.ask(agent.id, { message: 'my order' })).response, 'read: {"status":"shipped"}');
    assert.equal(header(), 'Bearer key-of-the-shop');
    await visitor.open('/admin/tools');
    await page.getByRole('tab', { name: 'HTTP tools' }).click();
    await row.getByText('Support').waitFor();
  });
});
