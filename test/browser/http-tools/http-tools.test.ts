/** The HTTP tools of the page Tools: a form without JSON, a first try, an agent that uses the tool. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Locator } from 'playwright-core';
import type { HttpTool } from '../../../src/contract/http-tools/http-tools.ts';
import type { ApiClient } from '../../support/api-client.ts';
import { useConsole } from '../../support/browser/console.ts';
import { focused, opened, press, tabTo, type } from '../../support/browser/keyboard.ts';
import { chooseAction } from '../../support/browser/row-actions.ts';
import { startReceiver, type Receiver } from '../../support/receiver.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const openapi = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Shop' },
  servers: [{ url: '/v2' }],
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Shop-Key' } } },
  paths: {
    '/orders/{id}': {
      parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'string' } }],
      get: { operationId: 'readOrder', summary: 'Read an order' },
      delete: { operationId: 'cancelOrder', summary: 'Cancel an order' },
    },
    '/stock': { get: { operationId: 'stock', summary: 'How many are left' } },
    '/files': { post: { requestBody: { content: { 'image/png': {} } }, summary: 'Upload a picture' } },
  },
});

async function idOf(api: ApiClient, name: string): Promise<string> {
  const { data } = (await api.call('GET', '/tools/http')).body as { data: HttpTool[] };
  return data.find((one) => one.name === name)?.id ?? '';
}

describe('HTTP tools in the console', () => {
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
    await dialog.getByText('Sent in the path of the URL').waitFor();
    await fill('Description of argument 1', 'Number of the order');
    await dialog.getByRole('button', { name: 'Add header' }).click();
    await fill('Header 1', 'Authorization');
    await dialog.getByRole('button', { name: 'Save tool' }).click();
    await dialog.getByText('Enter the value, or remove this header.').waitFor();
    await fill('Value of header 1', 'Bearer key-of-the-shop');
    await visitor.look('http-tool-form');
    await dialog.getByRole('button', { name: 'Save tool' }).click();

    // A first try right after saving.
    await dialog.getByRole('heading', { name: 'Try find_order' }).waitFor();
    const row = page.getByRole('row', { name: /find_order/ });
    await fill('order_id', '17');
    await dialog.getByRole('button', { name: 'Send request' }).click();
    await dialog.getByText('{"status":"shipped"}').waitFor();
    await visitor.look('http-tool-tried');
    await page.keyboard.press('Escape');
    await row.getByText('No agent').waitFor();
    await row.getByText('once today').waitFor();
    await visitor.look('http-tools');
    const header = () => new Map(shop.requestsTo('/orders/17').at(-1)?.rawHeaders).get('authorization');
    assert.equal(header(), 'Bearer key-of-the-shop');

    await chooseAction(row, 'Edit');
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
    await row.getByRole('link', { name: 'Support' }).waitFor();
    await row.getByText('2 times today').waitFor();
    shop.behave('/orders/17', { status: 500, body: 'broken' });
    await row.getByRole('button', { name: 'Try' }).click();
    await fill('order_id', '17');
    await dialog.getByRole('button', { name: 'Send request' }).click();
    await dialog.getByText('Failed', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await row.getByText('3 times today, 1 failed').waitFor();
    await visitor.look('http-tools-used');
    await row.getByRole('link', { name: 'Support' }).click();
    await page.getByRole('heading', { level: 1, name: 'Support' }).waitFor();
  });

  it('marks a tool whose calls an agent asks a person about; one that runs without leads to the policy', async () => {
    const { signedIn, api } = shared();
    for (const [name, effect, method] of [
      ['find_order', 'read', 'GET'],
      ['refund_order', 'write', 'POST'],
      ['cancel_order', 'destructive', 'DELETE'],
    ]) {
      const body = { name, description: 'Calls the shop.', effect, method, url: shop.url('/orders') };
      assert.equal((await api.call('POST', '/tools/http', { body })).status, 201);
    }
    await api.createAgent({
      ...{ name: 'Refunds', tools: ['find_order', 'refund_order', 'cancel_order'] },
      tool_policies: [{ tool: 'refund_order', policy: 'ask' }],
    });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/admin/tools?tab=http');
    const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
    await row('refund_order').getByText('Needs approval').waitFor();
    await row('refund_order').getByRole('button', { name: 'Try (writes)', exact: true }).waitFor();
    await row('find_order').getByRole('button', { name: 'Try', exact: true }).waitFor();
    assert.equal(await row('find_order').getByText('Needs approval').count(), 0);
    assert.equal(await page.getByText('Runs without approval').count(), 1);
    await visitor.look('http-tools-approval');
    await row('cancel_order').getByRole('link', { name: 'Require approval in Refunds' }).click();
    await page.getByRole('combobox', { name: 'Policy of cancel_order' }).waitFor();
    await until('the policy to have the focus', async () =>
      (await focused(page)).endsWith('Policy of cancel_order'),
    );
  });

  it('every field of a tool is changed in the form: optional arguments, several headers, JSON Schema', async () => {
    const { signedIn, api } = shared();
    const visitor = await signedIn();
    visitor.expectRefusals();
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    const fill = async (label: string, text: string) => {
      await dialog.getByLabel(label, { exact: true }).fill(text);
    };
    const select = async (label: string, option: string) => {
      await dialog.getByRole('combobox', { name: label, exact: true }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    const save = () => dialog.getByRole('button', { name: 'Save tool' }).click();
    const stored = async (name: string) => {
      const { data } = (await api.call('GET', '/tools/http')).body as { data: HttpTool[] };
      const { id: _, created_at: _c, updated_at: _u, ...tool } = data.find((one) => one.name === name)!;
      return tool;
    };
    await visitor.open('/admin/tools?tab=http');
    await page.getByRole('button', { name: 'Add HTTP tool' }).click();
    await fill('Name', 'book_table');
    await dialog.getByRole('textbox', { name: 'Description', exact: true }).fill('Books a table.');
    await select('Method', 'POST');
    await dialog.getByRole('textbox', { name: 'URL' }).fill(shop.url('/{place}/tables?lang={lang}'));
    await select('Effect', 'Writes');
    const rows = [
      ['place', 'Text'],
      ['lang', 'Text'],
      ['guests', 'Whole number'],
      ['wishes', 'List of texts'],
    ] as const;
    for (const [index, [name, type]] of rows.entries()) {
      await dialog.getByRole('button', { name: 'Add argument' }).click();
      await fill(`Argument ${String(index + 1)}`, index === 3 ? 'guests' : name);
      await select(`Type of argument ${String(index + 1)}`, type);
    }
    await save();
    await dialog.getByText('Another argument has this name.').waitFor();
    await fill('Argument 4', 'wishes');
    assert.ok(await dialog.getByRole('checkbox', { name: 'Argument 1 is required' }).isDisabled());
    await dialog.getByRole('checkbox', { name: 'Argument 2 is required' }).uncheck();
    await dialog.getByRole('checkbox', { name: 'Argument 4 is required' }).uncheck();
    await dialog.getByText('Sent in the query of the URL').waitFor();
    assert.equal(await dialog.getByText('Sent in the JSON body').count(), 2);
    for (const [index, name] of ['X-Key', 'X-Shop'].entries()) {
      await dialog.getByRole('button', { name: 'Add header' }).click();
      await fill(`Header ${String(index + 1)}`, name);
      await fill(`Value of header ${String(index + 1)}`, `value-of-${name}`);
    }
    await visitor.look('http-tool-form-rows');
    await save();
    await dialog.getByRole('heading', { name: 'Try book_table' }).waitFor();
    await page.keyboard.press('Escape');
    const first = await stored('book_table');
    assert.deepEqual(first.parameters, {
      type: 'object',
      properties: {
        ...{ place: { type: 'string' }, lang: { type: 'string' }, guests: { type: 'integer' } },
        wishes: { type: 'array', items: { type: 'string' } },
      },
      required: ['place', 'guests'],
    });

    const row = page.getByRole('row', { name: /book_table/ });
    await chooseAction(row, 'Edit');
    const asSchema = dialog.getByRole('switch', { name: 'Edit as JSON Schema' });
    await asSchema.click();
    const schema = {
      ...first.parameters,
      properties: { ...(first.parameters.properties as object), when: { enum: ['noon', 'evening'] } },
    };
    await fill('JSON Schema of the arguments', '{');
    await save();
    await dialog.getByText('Enter the JSON Schema as an object', { exact: false }).waitFor();
    await fill('JSON Schema of the arguments', JSON.stringify({ ...schema, required: [] }));
    await save();
    await dialog.getByText(/must list place as required/).waitFor();
    await fill('JSON Schema of the arguments', JSON.stringify(schema));
    await asSchema.click();
    await dialog.getByText('These arguments can be edited as JSON Schema only.').waitFor();
    await visitor.look('http-tool-form-schema');
    await dialog.getByRole('button', { name: 'Remove Header 1' }).click();
    await fill('Time limit in seconds', '20');
    await fill('Maximum characters of the answer', '500');
    await save();
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual(await stored('book_table'), {
      ...first,
      ...{ parameters: schema, headers: [{ name: 'X-Shop' }], timeout_seconds: 20, answer_max_chars: 500 },
    });
    await chooseAction(row, 'Edit');
    assert.ok(await asSchema.isChecked());
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    const input = { place: 'garden', guests: 2 };
    await api.call('POST', `/tools/http/${await idOf(api, 'book_table')}/run`, { body: { input } });
    const [request] = shop.requestsTo('/garden/tables');
    const sent = new Map(request?.rawHeaders);
    assert.deepEqual([sent.get('x-shop'), sent.get('x-key')], ['value-of-X-Shop', undefined]);
  });

  it('a first try has fields for numbers, yes or no, choices and lists; JSON for other arguments alone', async () => {
    const { signedIn, api } = shared();
    const parameters = {
      type: 'object',
      required: ['note', 'count', 'express', 'size', 'tags'],
      properties: {
        ...{ note: { type: 'string', description: 'For the driver' }, count: { type: 'integer' } },
        ...{ express: { type: 'boolean' }, size: { enum: ['small', 'large'] } },
        tags: { type: 'array', items: { type: 'string' } },
        ...{ lines: { type: 'array', items: { type: 'object' } }, page: { type: 'integer' } },
      },
    };
    const tool = { name: 'send_parcel', description: 'Sends a parcel.', effect: 'write', method: 'POST' };
    const made = await api.call('POST', '/tools/http', {
      body: { ...tool, url: shop.url('/parcels'), parameters },
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const visitor = await signedIn();
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    const choose = async (label: string, option: string) => {
      await dialog.getByRole('combobox', { name: label, exact: true }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await visitor.open('/admin/tools');
    await page.getByRole('tab', { name: 'HTTP tools' }).click();
    await page.getByRole('button', { name: 'Try' }).click();
    await dialog.getByRole('button', { name: 'Send request' }).click();
    await until('the marks', async () => (await dialog.getByText('This field is required').count()) === 4);
    assert.match(await focused(page), /note$/);
    await dialog.getByLabel('note').fill('Ring twice');
    await dialog.getByLabel('count').fill('3');
    await choose('express', 'No');
    await choose('size', 'large');
    await dialog.getByLabel('tags').fill('fragile');
    await page.keyboard.press('Enter');
    await dialog.getByLabel('tags').fill('plant');
    await page.keyboard.press('Enter');
    const lines = dialog.getByLabel('lines (optional), as JSON');
    await lines.fill('[{"sku": ');
    await dialog.getByRole('button', { name: 'Send request' }).click();
    await dialog.getByText('This is not JSON.', { exact: false }).waitFor();
    await visitor.look('http-tool-try-fields');
    await lines.fill('[{"sku": "fern"}]');
    await dialog.getByRole('button', { name: 'Send request' }).click();
    await dialog.getByText('Succeeded', { exact: true }).waitFor();
    const [request, another] = shop.requestsTo('/parcels');
    assert.equal(another, undefined);
    assert.deepEqual(JSON.parse(request?.body ?? ''), {
      ...{ note: 'Ring twice', count: 3, express: false, size: 'large', tags: ['fragile', 'plant'] },
      lines: [{ sku: 'fern' }],
    });
  });

  it('chosen operations of an OpenAPI document become tools with one header, by keyboard alone', async () => {
    const { signedIn, api } = shared();
    shop.behave('/v2/orders/17', { body: 'on its way' });
    const visitor = await signedIn();
    visitor.expectRefusals();
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    const choose = async (label: string) => {
      await tabTo(page, label);
      await page.keyboard.press('Space');
    };
    await visitor.open('/admin/tools');
    await tabTo(page, 'Available');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await press(page, 'Import OpenAPI');
    await opened(page);
    await press(page, 'Show operations');
    await dialog.getByText('This field is required').waitFor();
    await visitor.look('openapi-document');
    await tabTo(page, 'OpenAPI document');
    await page.keyboard.insertText(openapi);
    await press(page, 'Show operations');
    await dialog.getByText(/names no server with an absolute URL, only \/v2\. Enter the base URL/).waitFor();
    await until('the focus on the field', async () => (await focused(page)).endsWith('Address'));
    await page.keyboard.type(shop.url('/v2'));
    await page.keyboard.press('Enter');

    await dialog.getByText('Cannot be a tool. Its body is not a JSON object.').waitFor();
    await type(page, 'Search operations', 'order');
    await until('the search', async () => (await dialog.getByText('GET /stock').count()) === 0);
    await choose('Choose all 2 that are shown');
    await visitor.look('openapi-operations');
    await tabTo(page, 'Tool name of DELETE /orders/{id}');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('not a name');
    await press(page, 'Add 2 tools');
    await dialog.getByText('Enter the value, or remove this header.').waitFor();
    await type(page, 'Value of header 1', 'key-of-the-shop');
    await press(page, 'Add 2 tools');
    await dialog.getByText('1 tool was not added.', { exact: false }).waitFor();
    await dialog.getByText(/must begin with a letter/).waitFor();
    await dialog.getByText('Added', { exact: true }).waitFor();
    await visitor.look('openapi-partly-added');
    await tabTo(page, 'Tool name of DELETE /orders/{id}');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('readOrder');
    await press(page, 'Add 1 tool');
    await dialog.getByText('Another tool has this name.', { exact: false }).waitFor();
    await tabTo(page, 'Tool name of DELETE /orders/{id}');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('stop_order');
    await press(page, 'Add 1 tool');
    await dialog.waitFor({ state: 'detached' });
    await page
      .getByRole('row', { name: /stop_order/ })
      .getByText('Deletes or pays')
      .waitFor();
    await visitor.look('openapi-imported');

    const { body } = await api.call('GET', '/tools/http');
    const { data } = body as { data: HttpTool[] };
    assert.deepEqual(
      data.map(({ name, method, url, effect, headers }) => [name, method, url, effect, headers]),
      [
        ['readOrder', 'GET', shop.url('/v2/orders/{id}'), 'read', [{ name: 'X-Shop-Key' }]],
        ['stop_order', 'DELETE', shop.url('/v2/orders/{id}'), 'destructive', [{ name: 'X-Shop-Key' }]],
      ],
    );
    await api.call('POST', `/tools/http/${data[0]?.id ?? ''}/run`, { body: { input: { id: '17' } } });
    const [request] = shop.requestsTo('/v2/orders/17');
    assert.equal(new Map(request?.rawHeaders).get('x-shop-key'), 'key-of-the-shop');
    for (const { url, text } of await visitor.allAnswers()) assert.ok(!text.includes('key-of-the-shop'), url);
  });

  it('a long list of operations scrolls above the buttons of the dialog, which stay in view', async () => {
    const visitor = await shared().signedIn();
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    const paths = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [`/orders/${n}`, { get: { operationId: `order${n}` } }]),
    );
    await visitor.open('/admin/tools');
    await page.getByRole('tab', { name: 'HTTP tools' }).click();
    await page.getByRole('button', { name: 'Import OpenAPI' }).click();
    const document = { openapi: '3.0.3', servers: [{ url: 'https://shop.example' }], paths };
    await dialog.getByLabel('OpenAPI document').fill(JSON.stringify(document));
    await dialog.getByRole('button', { name: 'Show operations' }).click();
    await dialog.getByText('Operations (0 of 30 chosen)').waitFor();
    const bottomOf = async (what: Locator) => {
      const box = await what.boundingBox();
      return box === null ? Infinity : box.y + box.height;
    };
    const add = dialog.getByRole('button', { name: 'Add tools' });
    assert.ok((await bottomOf(add)) < (await bottomOf(dialog)));
    await visitor.look('openapi-long-list');
    // A field that gets the focus scrolls above the buttons too.
    const last = dialog.getByRole('checkbox', { name: 'GET /orders/29' });
    await last.focus();
    await until('it to be above', async () => {
      const [field, buttons] = [await bottomOf(last), await add.boundingBox()];
      return buttons !== null && field < buttons.y;
    });
  });

  it('a file that is too large is refused before it is read, and one that is no document says why', async () => {
    const { signedIn } = shared();
    const visitor = await signedIn();
    visitor.expectRefusals();
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    const give = async (name: string, buffer: Buffer) => {
      await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/json', buffer });
    };
    await visitor.open('/admin/tools');
    await page.getByRole('tab', { name: 'HTTP tools' }).click();
    await page.getByRole('button', { name: 'Import OpenAPI' }).click();
    await give('large.json', Buffer.alloc(4 * 1024 * 1024 + 1, ' '));
    await dialog.getByText('large.json is larger than 4 MB.', { exact: false }).waitFor();
    const document = dialog.getByLabel('OpenAPI document');
    assert.equal(await document.inputValue(), '');
    await give('long.yaml', Buffer.alloc(900_001, 'a'));
    await until('the file', async () => (await document.inputValue()) !== '');
    await dialog.getByRole('button', { name: 'Show operations' }).click();
    await dialog.getByText(/The document has 900,001 characters/).waitFor();
    await give('indented.json', Buffer.from(JSON.stringify(JSON.parse(openapi), null, 1).padEnd(1_000_000)));
    await until('the file', async () => (await document.inputValue()).includes('openapi'));
    await dialog.getByLabel('Address').fill('https://shop.example');
    await dialog.getByRole('button', { name: 'Show operations' }).click();
    await dialog.getByText('Operations (0 of 4 chosen)').waitFor();
    await dialog.getByRole('button', { name: 'Change document' }).click();
    await give('swagger.json', Buffer.from('{"swagger":"2.0"}'));
    await until('the file', async () => (await document.inputValue()).includes('swagger'));
    await dialog.getByRole('button', { name: 'Show operations' }).click();
    await dialog.getByText('This is not an OpenAPI 3 document', { exact: false }).first().waitFor();
  });
});
