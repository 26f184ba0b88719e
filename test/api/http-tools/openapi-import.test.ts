/** OpenAPI documents that strangers paste: which operations become tools, and what a hostile document can do. */
import assert from 'node:assert/strict';
import type { OpenapiOperations } from '../../../src/contract/http-tools/http-tools.ts';
import { useSharedStack } from '../../support/stack.ts';

const shop = `
openapi: 3.0.3
info: { title: Shop, version: '1' }
servers: [{ url: 'https://{region}.shop.example/v2/', variables: { region: { default: eu } } }]
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Shop-Key } }
  parameters: { Order: { in: path, name: orderId, required: true, schema: { type: string, pattern: '^(a+)+$' } } }
  schemas:
    Refund:
      type: object
      required: [reason]
      properties:
        reason: { type: string, maxLength: 100, nullable: true }
        lines: { type: array, items: { $ref: '#/components/schemas/Line' } }
    Line: { type: object, properties: { sku: { type: string }, part_of: { $ref: '#/components/schemas/Line' } } }
paths:
  /orders/{orderId}:
    parameters: [{ $ref: '#/components/parameters/Order' }]
    get:
      operationId: orders.get
      summary: Read an order
      parameters: [{ in: query, name: expand, schema: { type: boolean } }]
    delete: { summary: Cancel an order }
  /orders/{orderId}/refunds:
    parameters: [{ $ref: '#/components/parameters/Order' }]
    post:
      operationId: refund
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Refund' } } } }
  /files:
    post: { operationId: upload, requestBody: { content: { multipart/form-data: { schema: { type: object } } } } }
  /old:
    get: { operationId: refund, parameters: [{ in: header, name: X-Trace, required: true, schema: { type: string } }] }
`;

describe('OpenAPI documents as HTTP tools', () => {
  const stack = useSharedStack();

  async function read(document: string, base_url?: string) {
    const body = { document, ...(base_url !== undefined && { base_url }) };
    return await stack().api.call('POST', '/tools/http/openapi', { body });
  }
  async function refused(document: string): Promise<string> {
    const { status, body } = await read(document);
    assert.equal(status, 422, JSON.stringify(body));
    return JSON.stringify(body);
  }

  it('become one tool per operation, which can be created as it is; for others, the reason is given', async () => {
    const { status, body } = await read(shop);
    assert.equal(status, 200, JSON.stringify(body));
    const { title, headers, operations } = body as OpenapiOperations;
    assert.deepEqual([title, headers], ['Shop', ['X-Shop-Key']]);
    assert.deepEqual(
      operations.map(({ method, path, tool, problem }) => [
        method,
        path,
        tool?.name ?? problem,
        tool?.effect,
      ]),
      [
        ['GET', '/orders/{orderId}', 'orders_get', 'read'],
        ['DELETE', '/orders/{orderId}', 'delete_orders_orderId', 'destructive'],
        ['POST', '/orders/{orderId}/refunds', 'refund', 'write'],
        ['POST', '/files', 'Its body is not a JSON object.', undefined],
        ['GET', '/old', 'It requires the header X-Trace, which no argument can set.', undefined],
      ],
    );
    const [get, , refund] = operations.map(({ tool }) => tool);
    assert.equal(get?.url, 'https://eu.shop.example/v2/orders/{orderId}?expand={expand}');
    assert.deepEqual(refund?.parameters['required'], ['orderId', 'reason']);
    assert.ok(!JSON.stringify(operations).includes('pattern'));
    assert.match(JSON.stringify(refund), /"reason":\{"type":\["string","null"\],"maxLength":100\}/);
    for (const { tool } of operations) {
      if (tool === null) continue;
      const made = await stack().api.call('POST', '/tools/http', { body: tool });
      assert.equal(made.status, 201, JSON.stringify(made.body));
    }
  });

  it('as JSON with another base URL do the same', async () => {
    const document = JSON.stringify({ openapi: '3.1.0', paths: { '/a': { get: { operationId: 'a' } } } });
    assert.match(await refused(document), /"path":"base_url","message":"The document names no server/);
    const { body } = await read(document, 'https://api.example.com/base/');
    const { base_url, operations } = body as OpenapiOperations;
    assert.equal(base_url, 'https://api.example.com/base');
    assert.equal(operations[0]?.tool?.url, 'https://api.example.com/base/a');
  });

  it('whose server is a path of its own host ask for the base URL, and refuse one that is no address', async () => {
    const document = JSON.stringify({ openapi: '3.0.2', servers: [{ url: '/api/v3' }], paths: {} });
    assert.match(
      await refused(document),
      /"path":"base_url","message":"[^"]*only \/api\/v3\. Enter the base URL/,
    );
    const { status, body } = await read(document, 'shop.example');
    assert.equal(status, 422);
    assert.match(JSON.stringify(body), /"path":"base_url","message":"must begin with https/);
  });

  it('of the maximum length are read, although a request escapes each quote and line break', async () => {
    const lines = Array.from({ length: 50_000 }, (_, n) => `  "x${n}": "a"`).join(',\n');
    const document = `{"openapi": "3.1.0", "servers": [{"url": "https://a.example"}],\n"x": {${lines}}}`;
    const body = { document: document.padEnd(900_000, '\n') };
    assert.ok(JSON.stringify(body).length > 1024 * 1024);
    const { status } = await stack().api.call('POST', '/tools/http/openapi', { body });
    assert.equal(status, 200);
    const longer = { document: `${body.document} ` };
    assert.equal((await stack().api.call('POST', '/tools/http/openapi', { body: longer })).status, 413);
  });

  it('that are hostile are refused, or end in their time: bombs, circles, foreign references', async () => {
    assert.match(await refused('{"swagger":"2.0"}'), /not an OpenAPI 3 document/);
    assert.match(await refused('a: [1, 2'), /neither JSON nor YAML/);
    assert.match(await refused('[]'), /neither a JSON nor a YAML object/);
    const levels = Array.from({ length: 30 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}, *a${n}]`);
    assert.match(await refused(`a0: &a0 [x, x]\n${levels.join('\n')}\nopenapi: 3.0.0`), /document/);
    assert.match(await refused(`{"openapi":"3.0.0","x":${'['.repeat(400_000)}`), /document/);
    // Their pairwise comparison takes minutes.
    const keys = Array.from({ length: 60_000 }, (_, n) => n.toString(36)).join(',');
    assert.match(await refused(`x: {${keys}}\nopenapi: '2.0'`), /not an OpenAPI 3 document/);
    const paths = {
      '/a': { get: { parameters: [{ $ref: 'http://169.254.169.254/x' }, { $ref: '#/paths' }] } },
      '/b': { $ref: '#/paths/~1b' },
      '/c': {
        post: {
          requestBody: { content: { 'application/json': { schema: { $ref: 'file:///etc/passwd' } } } },
        },
      },
    };
    const servers = [{ url: 'https://shop.example' }];
    const { body } = await read(JSON.stringify({ openapi: '3.0.0', servers, paths }));
    assert.deepEqual(
      (body as OpenapiOperations).operations.map(({ path, problem }) => [path, problem]),
      [
        ['/a', null],
        ['/c', 'Its body is not a JSON object.'],
      ],
    );
    const wide = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`f${n}`, { type: 'string' }]));
    const schema = { type: 'object', properties: wide };
    const many = { '/a': { post: { requestBody: { content: { 'application/json': { schema } } } } } };
    const answer = (await read(JSON.stringify({ openapi: '3.0.0', servers, paths: many }))).body;
    assert.equal((answer as OpenapiOperations).operations[0]?.problem, 'It has too many fields.');
  });
});
