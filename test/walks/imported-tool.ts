/** An agent that calls a tool imported from the OpenAPI document of a shop. */
import assert from 'node:assert/strict';
import { startModelServer, userText } from '../support/model-server.ts';
import { startReceiver } from '../support/receiver.ts';
import { signIn, type Walk } from './walk.ts';

/**
 * The shop and the model provider are outside parties, so they are HTTP servers of this process. The small local model
 * does not call tools dependably; this one calls the tool when asked for an order, and answers with what it read. Both
 * are on loopback, which the operator allows at the start; the hosts of real ones are public.
 */
export const importedTool: Walk = {
  name: 'imported-tool',
  who: 'an engineer',
  goal: 'an agent calls an HTTP tool that was imported from an OpenAPI document',
  max: { seconds: 300, clicks: 35 },
  async play(begin) {
    const shop = await startReceiver();
    shop.behave('/orders/17', {
      headers: { 'content-type': 'application/json' },
      body: '{"status":"shipped"}',
    });
    const model = await startModelServer();
    model.answerWhere((body) => {
      const last = body.messages.at(-1);
      if (last?.role === 'tool')
        return {
          kind: 'stream',
          text: JSON.stringify(last.content).includes('shipped')
            ? 'Your order has been shipped.'
            : 'Unknown.',
        };
      if (userText(body).startsWith('Call the tool'))
        return { kind: 'stream', call: { name: 'report_number', input: { number: 7 } } };
      const canRead = body.tools?.some((tool) => tool.function.name === 'read_order') ?? false;
      return canRead && userText(body).includes('order 17')
        ? { kind: 'stream', call: { name: 'read_order', input: { id: '17' } } }
        : undefined;
    });
    const start = await begin({ TOOL_ALLOW: shop.host, MODEL_ALLOW: new URL(model.baseUrl).host });
    const { walker } = start;
    const { page } = walker;
    const dialog = page.getByRole('dialog');
    await signIn(start);

    await walker.link('Models');
    await walker.see('models', page.getByRole('heading', { level: 1, name: 'Models' }));
    await walker.button('Add provider');
    await walker.see('add-provider', dialog);
    await walker.choose(dialog.getByRole('combobox', { name: 'Provider' }), 'OpenAI-compatible server');
    await walker.paste(dialog.getByLabel('Base URL'), model.baseUrl);
    await walker.paste(dialog.getByLabel('API key'), 'key-of-the-shop');
    await walker.type(dialog.getByRole('combobox', { name: 'Models' }), 'shop-1');
    await walker.press('Enter');
    await walker.button('Test and save');
    await walker.see('provider-tested', dialog.getByText('It works'));
    await walker.button('Done');

    await walker.link('Tools');
    await walker.click(page.getByRole('tab', { name: 'HTTP tools' }));
    await walker.see('http-tools', page.getByText('No HTTP tools yet'));
    await walker.button('Import OpenAPI');
    await walker.see('import', dialog);
    await walker.paste(dialog.getByLabel('OpenAPI document'), documentOf(shop.url('')));
    await walker.button('Show operations');
    await walker.see('operations', dialog.getByText(/^Operations/));
    await walker.click(dialog.getByRole('checkbox', { name: /Read an order|orders\/\{id\}/ }).first());
    await walker.paste(dialog.getByLabel('Value of header 1'), 'key-of-the-shop');
    await walker.picture('operation-chosen');
    await walker.button('Add 1 tool');
    await walker.see('imported', page.getByRole('row', { name: /read_order/ }));

    await walker.link('Agents');
    await walker.see('agents', page.getByRole('heading', { level: 1, name: 'Agents' }));
    await walker.button('New agent');
    await walker.see('new-agent', dialog);
    await walker.type(dialog.getByLabel('Name'), 'Orders');
    await walker.button('Create agent');
    await walker.see('agent', page.getByRole('heading', { level: 1, name: 'Orders' }));
    await walker.click(page.getByRole('tab', { name: 'Tools and transfers' }));
    await walker.choose(page.getByRole('combobox', { name: 'Tools', exact: true }), 'read_order');
    await page.keyboard.press('Escape');
    await walker.picture('tool-chosen');
    await walker.button('Save changes');
    await walker.see('saved', page.getByText('Saved', { exact: true }));
    await walker.link('Playground');
    const field = page.getByLabel('Message', { exact: true });
    await walker.see('playground', field);
    await walker.type(field, 'Where is order 17?');
    await walker.button('Send');
    await walker.see('answer', page.getByText('Your order has been shipped.'));
    const [request, another] = shop.requestsTo('/orders/17');
    assert.equal(new Map(request?.rawHeaders).get('x-shop-key'), 'key-of-the-shop');
    assert.equal(another, undefined);
    await shop.close();
    await model.close();
  },
};

/** The OpenAPI document of the shop at this address. */
function documentOf(url: string): string {
  return JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Shop' },
    servers: [{ url }],
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Shop-Key' } } },
    paths: {
      '/orders/{id}': {
        parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'string' } }],
        get: { operationId: 'read_order', summary: 'Read an order' },
        delete: { operationId: 'cancel_order', summary: 'Cancel an order' },
      },
      '/stock': { get: { operationId: 'read_stock', summary: 'Read how many are left' } },
    },
  });
}
