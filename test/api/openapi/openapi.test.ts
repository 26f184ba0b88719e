/** The OpenAPI document: valid, of exactly the routes that there are, and true of what they answer. */
import assert from 'node:assert/strict';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { connectDatabase } from '../../../src/adapters/postgres/database.ts';
import { createApp, type AppParts } from '../../../src/api/app.ts';
import { errorTable } from '../../../src/contract/error-table.ts';
import { readConfig } from '../../../src/config.ts';
import type { ApiAnswer } from '../../support/api-client.ts';
import { useSharedStack } from '../../support/stack.ts';

type Json = Record<string, unknown>;
type Content = Record<'application/json', { schema: Json; examples?: Record<string, { value: unknown }> }>;
type Operation = {
  operationId: string;
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Content };
  security?: object[];
  responses: Record<string, { content?: Content; headers?: Json }>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Json>;
    pathItems: Record<string, { post: { requestBody: { content: Content } } }>;
  };
};
/** Its proof is not a token. */
const isOpen = ({ security }: Operation) => security?.length === 0;
type Layer = { route?: { path: string; methods: Record<string, boolean> }; handle: { stack?: Layer[] } };

/** This document itself; the gateway's webhook and the files for it, whose addresses are secrets. */
const beside =
  /^get \/openapi\.json$|^get \/files\/:id\/:until\/:signature$|^post \/:agentId(\/:secret(\/\*suffix)?)?$/;

/** Answers may get more fields, which the document allows; a field that it does not describe yet fails here. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const rest = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  return 'properties' in rest ? { additionalProperties: false, ...rest } : rest;
}

describe('openapi.json', () => {
  const stack = useSharedStack();
  let document: Document;
  let validate: (schema: Json) => ValidateFunction;

  before(async () => {
    const answer = await stack().api.call('GET', '/openapi.json', { token: null });
    assert.equal(answer.status, 200);
    document = answer.body as Document;
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addFormat('base64', true);
    const components = closed(document.components);
    validate = (schema) => ajv.compile({ ...schema, components });
  });

  const operations = () =>
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    );
  function assertFits(schema: Json, value: unknown, what: string): void {
    const check = validate(schema);
    assert.ok(check(value), `${what}: ${JSON.stringify(check.errors)}\n${JSON.stringify(value)}`);
  }

  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    assert.ok(valid, JSON.stringify(errors));
    assert.match(String((document as unknown as Json)['openapi']), /^3\.1\./);
  });

  it('names every route of /v1, and no other', async () => {
    const config = readConfig({ DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' });
    const db = connectDatabase(config.DATABASE_URL, 1);
    const parts = {
      deps: { config, db, tools: {} },
      rates: {},
      consoleFolder: '/nowhere',
    } as unknown as AppParts;
    const { stack: layers } = createApp(parts).router as unknown as { stack: Layer[] };
    await db.close();
    const all = (found: Layer[]): string[] =>
      found.flatMap(({ route, handle }) =>
        route === undefined
          ? all(handle.stack ?? [])
          : Object.keys(route.methods)
              .filter((method) => method !== '_all')
              .map((method) => `${method} ${route.path}`),
      );
    const v1 = layers.find(({ handle }) => handle.stack && all(handle.stack).includes('get /agents'));
    const top = all(layers.filter(({ route }) => route?.path.startsWith('/v1')));
    const routes = [...all(v1?.handle.stack ?? []), ...top.map((route) => route.replace('/v1', ''))].filter(
      (route) => !beside.test(route),
    );
    const documented = operations().map(
      ({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    );
    assert.deepEqual(routes.toSorted(), documented.toSorted());
    assert.ok(documented.length >= 12);
  });

  it('matches the running API: each operation exists and requires a token, other methods do not exist', async () => {
    for (const { path, method, operation } of operations()) {
      const at = path.replaceAll(/\{\w+\}/g, '01890000-0000-7000-8000-000000000000');
      if (!isOpen(operation)) {
        const answer = await stack().api.call(method.toUpperCase(), at, { token: null });
        assert.equal(answer.status, 401, `${method} ${path}`);
      }
      const { headers } = await stack().api.call('OPTIONS', at);
      const allowed = (headers.get('allow') ?? '').toLowerCase().split(', ');
      assert.deepEqual(allowed.toSorted(), Object.keys(document.paths[path] ?? {}).toSorted());
    }
  });

  it('names each path parameter, and no operation twice', () => {
    const ids = operations().map(({ operation }) => operation.operationId);
    assert.equal(new Set(ids).size, ids.length);
    for (const { path, operation } of operations()) {
      const named = (operation.parameters ?? []).filter((one) => one.in === 'path').map(({ name }) => name);
      assert.deepEqual(
        named,
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
        path,
      );
    }
  });

  it('describes every operation, parameter, header, schema and field', () => {
    const silent: string[] = [];
    let seen = 0;
    const needs = (node: Json, where: string) => {
      seen += 1;
      if (typeof node['description'] !== 'string' || node['description'] === '') silent.push(where);
    };
    const visit = (node: unknown, where: string): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const [key, value] of Object.entries(node as Json)) {
        // Names within such an object are keys: the fields of an object, the headers of an answer. A field may have
        // such a name.
        const isField = where.endsWith(' properties');
        if (!isField && /^(properties|headers|schemas)$/.test(key) && !Array.isArray(value))
          for (const [name, one] of Object.entries(value as Record<string, Json>))
            needs(one, `${where} ${name}`);
        if (!/^examples?$/.test(key)) visit(value, `${where} ${key}`);
      }
    };
    for (const { path, method, operation } of operations()) {
      needs({ ...operation }, `${method} ${path}`);
      for (const one of operation.parameters ?? []) needs(one, `${method} ${path} ${one.name}`);
    }
    visit(document, '');
    assert.deepEqual(silent, []);
    assert.ok(seen > 300, `${seen} places`);
  });

  it('has no property that can only be null, because generators of clients do not know such a type', () => {
    const found: string[] = [];
    const visit = (node: unknown, at: string) => {
      if (typeof node !== 'object' || node === null) return;
      if ('properties' in node)
        for (const [name, schema] of Object.entries(node.properties as Record<string, Json>))
          if (schema['type'] === 'null') found.push(`${at}/${name}`);
      for (const [key, value] of Object.entries(node)) visit(value, `${at}/${key}`);
    };
    visit(document.components.schemas, '');
    assert.deepEqual(found, []);
  });

  it('has examples that match their schemas', () => {
    let seen = 0;
    const check = (schema: Json, value: unknown, what: string) => {
      assertFits(schema, value, what);
      seen += 1;
    };
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      if ('example' in schema) check(schema, schema['example'], name);
    }
    for (const name of ['ChatRequest', 'CreateAgent', 'UpdateAgent']) {
      assert.ok('example' in (document.components.schemas[name] ?? {}), name);
    }
    for (const { path, method, operation } of operations()) {
      for (const [status, { content }] of Object.entries(operation.responses)) {
        const { schema = {}, examples = {} } = content?.['application/json'] ?? {};
        for (const { value } of Object.values(examples)) check(schema, value, `${method} ${path} ${status}`);
      }
    }
    assert.ok(seen > 50, `${seen} examples`);
  });

  it('lists each error by its code under its status, with Retry-After if it has one', () => {
    for (const { path, method, operation } of operations().filter((one) => !isOpen(one.operation))) {
      for (const status of ['401', '429', '500', '503']) {
        const { content, headers } = operation.responses[status] ?? {};
        const codes = Object.keys(content?.['application/json'].examples ?? {});
        const known = Object.entries(errorTable).filter(([, [code]]) => String(code) === status);
        assert.ok(
          codes.every((code) => known.some(([name]) => name === code)) && codes.length > 0,
          `${method} ${path}`,
        );
        if (status === '429' || status === '503') assert.ok(headers && 'Retry-After' in headers);
      }
    }
  });

  it("describes the operations whose form is another party's as they are", async () => {
    const { api, apiUrl } = stack();
    const mcp = document.paths['/mcp']?.['post'];
    const accept = 'application/json, text/event-stream';
    for (const [status, body, headers] of [
      [200, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { accept }],
      [202, { jsonrpc: '2.0', method: 'notifications/initialized' }, { accept }],
      [400, { jsonrpc: '1.0' }, { accept }],
      [400, '{', { accept }],
      [406, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { accept: '*/*' }],
    ] as const) {
      const answer = await api.call('POST', '/mcp', { body, headers });
      assert.equal(answer.status, status);
      const content = mcp?.responses[String(status)]?.content;
      const type = answer.headers.get('content-type')?.split(';')[0];
      assert.deepEqual(Object.keys(content ?? {}), type === undefined ? [] : [type]);
      if (type === 'application/json') assertFits(content![type].schema, answer.body, `${status}`);
    }
    const back = document.paths['/tools/docs/oauth/callback']?.['get'];
    const answer = await fetch(`${apiUrl}/tools/docs/oauth/callback?state=x&code=y`, { redirect: 'manual' });
    assert.ok(back?.responses[String(answer.status)]?.headers?.['Location']);
    assert.match(answer.headers.get('location') ?? '', /connection=expired$/);
    const signIn = document.paths['/tools/mcp/{id}/callback']?.['get'];
    for (const id of [crypto.randomUUID(), 'no-uuid']) {
      const at = `${apiUrl}/tools/mcp/${id}/callback?state=x&code=y`;
      const returned = await fetch(at, { redirect: 'manual' });
      assert.ok(signIn?.responses[String(returned.status)]?.headers?.['Location']);
      assert.match(returned.headers.get('location') ?? '', /sign_in=expired$/);
    }
  });

  it('describes the actual responses, status and body', async () => {
    const { api, receiver } = stack();
    const judge = async (method: string, path: string, at: string, call = {}): Promise<ApiAnswer> => {
      const answer = await api.call(method.toUpperCase(), at, call);
      const response = document.paths[path]?.[method]?.responses[String(answer.status)];
      assert.ok(response, `${method} ${path} answers ${answer.status}, which is not documented`);
      if (response.content === undefined) assert.equal(answer.body, '');
      else assertFits(response.content['application/json'].schema, answer.body, `${method} ${path}`);
      return answer;
    };
    const name = `Documented ${crypto.randomUUID()}`;
    const script = [{ when: 'fail', fail: { message: 'no', retryable: false } }, { reply: 'ok' }];
    const made = await judge('post', '/agents', '/agents', {
      body: { name, script, follow_ups: [{ after_seconds: 3600, instructions: 'ask' }] },
    });
    const { id, inbox_id } = made.body as { id: string; inbox_id: string };
    await judge('post', '/agents', '/agents', { body: { name } });
    await judge('patch', '/agents/{id}', `/agents/${id}`, { body: { grouping_window_seconds: 0.1 } });
    await judge('patch', '/agents/{id}', `/agents/${id}`, { body: { grouping_window_seconds: -1 } });
    await judge('patch', '/inboxes/{id}', `/inboxes/${inbox_id}`, { body: { agent_id: id } });
    const body = { message: 'a', webhook_url: receiver.url('/documented'), metadata: { n: 1 } };
    const sent = await judge('post', '/chat/{id}', `/chat/${id}`, { body });
    assert.equal(sent.status, 202);
    const { conversation_id } = sent.body as { conversation_id: string };
    const of = `/conversations/${conversation_id}`;
    await judge('post', '/chat/{id}', `/chat/${id}`, { body: { message: 'b', sync: true, conversation_id } });
    const failed = await judge('post', '/chat/{id}', `/chat/${id}`, {
      body: { message: 'fail', sync: true },
    });
    assert.equal(failed.status, 502);
    await judge('post', '/chat/{id}', `/chat/${id}`, { body: '{' });
    await judge('post', '/chat/{id}', `/chat/${inbox_id.replace(/.$/, 'x')}`, { body });
    await api.settled(conversation_id, 2);
    await receiver.waitFor('/documented', 1);
    for (const [path, at] of [
      ['/agents', '/agents'],
      ['/agents/{id}', `/agents/${id}`],
      ['/conversations', '/conversations'],
      ['/conversations/{conversationId}', of],
      ['/conversations/{conversationId}/messages', `${of}/messages`],
      ['/deliveries', '/deliveries'],
      ['/deliveries', '/deliveries?status=lost'],
      ['/tools/docs/actions', '/tools/docs/actions'],
      ['/agents/{id}/channel', `/agents/${id}/channel`],
    ] as const) {
      await judge('get', path, at);
    }
    await judge('delete', '/conversations/{conversationId}', of);
    await judge('get', '/conversations/{conversationId}', of);
    await judge('delete', '/agents/{id}', `/agents/${id}`);
    const { messageCompleted } = document.components.pathItems;
    const callback = messageCompleted?.post.requestBody.content['application/json'];
    const [request] = receiver.requestsTo('/documented');
    assertFits(callback?.schema ?? {}, JSON.parse(request?.body ?? ''), 'the callback');
  });
});
