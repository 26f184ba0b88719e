import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { connect, newDocsCaller, useDocsStack } from '../../support/docs-stack.ts';

async function mcpClient(apiUrl: string, token: string): Promise<Client> {
  const transport = new StreamableHTTPClientTransport(new URL(`${apiUrl}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  const client = new Client({ name: 'a client', version: '1' });
  await client.connect(transport);
  return client;
}

const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]!.text;

describe('/v1/mcp', () => {
  const docs = useDocsStack();

  it('shows the 45 actions to the official client, with their schemas', async () => {
    const { token } = await newDocsCaller(docs());
    const client = await mcpClient(docs().stack.apiUrl, token);
    const { tools } = await client.listTools();
    assert.equal(tools.length, 45);
    const create = tools.find(({ name }) => name === 'DOCS_CREATE_DOCS_PAGE');
    assert.deepEqual(create?.inputSchema.required, ['title', 'parent_id']);
    assert.equal(tools.find(({ name }) => name === 'DOCS_FETCH_DATA')?.annotations?.readOnlyHint, true);
    await client.close();
  });

  it('runs an action; a failure is a result that says what to do, not a protocol error', async () => {
    const { emulator, stack } = docs();
    const { token } = await newDocsCaller(docs());
    const client = await mcpClient(stack.apiUrl, token);
    const made = await client.callTool({
      name: 'DOCS_CREATE_DOCS_PAGE',
      arguments: { title: 'Over MCP', parent_id: emulator.ids.home },
    });
    assert.equal(made.isError, false);
    const { id } = JSON.parse(textOf(made)) as { id: string };
    const read = await client.callTool({ name: 'DOCS_RETRIEVE_PAGE', arguments: { page_id: id } });
    assert.ok(textOf(read).includes('Over MCP'));
    const wrong = await client.callTool({ name: 'DOCS_RETRIEVE_PAGE', arguments: { page_id: 'x' } });
    assert.equal(wrong.isError, true);
    assert.match(textOf(wrong), /^INVALID_INPUT: page_id/);
    await assert.rejects(client.callTool({ name: 'DOCS_NOTHING', arguments: {} }), /There is no tool/);
    await client.close();
  });

  it('asks for the connection if there are several, and runs in the named one', async () => {
    const { emulator, stack } = docs();
    const { api, token } = await stack.stranger();
    const client = await mcpClient(stack.apiUrl, token);
    const none = await client.callTool({ name: 'DOCS_GET_ABOUT_ME', arguments: {} });
    assert.match(textOf(none), /No document workspace is connected/);
    await connect(api, emulator.tokens.main);
    const other = await connect(api, emulator.tokens.other);
    const several = await client.callTool({ name: 'DOCS_GET_ABOUT_ME', arguments: {} });
    assert.match(textOf(several), /give connection_id, one of/);
    const there = await client.callTool({
      name: 'DOCS_GET_ABOUT_ME',
      arguments: { connection_id: other.id },
    });
    assert.ok(textOf(there).includes('Other workspace'));
    await client.close();
  });

  it('announces no listChanged: no connection stays open for the notification', async () => {
    const { token } = await newDocsCaller(docs());
    const client = await mcpClient(docs().stack.apiUrl, token);
    assert.deepEqual(client.getServerCapabilities(), { tools: {} });
    await client.close();
  });

  const accept = 'application/json, text/event-stream';
  for (const version of ['2025-03-26', '2025-06-18', '2025-11-25'])
    it(`speaks ${version} with a client that asks for it`, async () => {
      const { api } = docs().stack;
      const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'a', version: '1' } };
      const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
      const answer = await api.call('POST', '/mcp', { body, headers: { accept } });
      assert.equal(answer.status, 200);
      const said = JSON.parse(/^data: (.*)$/m.exec(String(answer.body))?.[1] ?? '') as { result: object };
      assert.partialDeepStrictEqual(said.result, { protocolVersion: version, capabilities: { tools: {} } });
    });

  it('speaks 2026-07-28: no handshake, each request is complete, no subscriptions', async () => {
    const { api } = docs().stack;
    const call = async (method: string, params: Record<string, unknown> = {}, version = '2026-07-28') => {
      const meta = {
        'io.modelcontextprotocol/protocolVersion': version,
        'io.modelcontextprotocol/clientInfo': { name: 'a', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      const body = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } };
      const name = typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {};
      const headers = { accept, 'mcp-protocol-version': version, 'mcp-method': method, ...name };
      const answer = await api.call('POST', '/mcp', { body, headers });
      const { result, error } = answer.body as { result?: Record<string, unknown>; error?: { code: number } };
      return { status: answer.status, result, error };
    };
    const found = await call('server/discover');
    assert.partialDeepStrictEqual(found.result, { capabilities: { tools: {} } });
    const listed = await call('tools/list');
    assert.equal((listed.result?.['tools'] as unknown[]).length, 45);
    const called = await call('tools/call', { name: 'DOCS_RETRIEVE_PAGE', arguments: { page_id: 'x' } });
    assert.equal(called.result?.['isError'], true);
    const listen = { notifications: { toolsListChanged: true } };
    assert.equal((await call('subscriptions/listen', listen)).result, undefined);
    assert.equal((await call('tools/list', {}, '2030-01-01')).status, 400);
  });

  for (const [origin, status] of [
    ['http://127.0.0.1:3000', 200],
    ['http://localhost:3000', 200],
    ['http://127.0.0.1:3001', 403],
    ['https://127.0.0.1:3000', 403],
    ['http://rebound.example:3000', 403],
    ['https://evil.example', 403],
    ['null', 403],
    ['', 403],
  ] as const)
    it(`${status} for a page of the origin "${origin}", also if it is the Host of the request`, async () => {
      const { api } = docs().stack;
      const host = URL.canParse(origin) ? { host: new URL(origin).host } : {};
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
      const answer = await api.call('POST', '/mcp', { body, headers: { accept, origin, ...host } });
      assert.equal(answer.status, status);
      if (status === 403)
        assert.match(JSON.stringify(answer.body), /"code":"forbidden"|pages of another origin/);
    });

  it('401 without a valid token; 405 for GET and DELETE, because it has no sessions', async () => {
    const { api } = docs().stack;
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    for (const token of [null, 'pk_wrong'])
      assert.equal((await api.call('POST', '/mcp', { token, body })).status, 401);
    for (const method of ['GET', 'DELETE']) {
      const answer = await api.call(method, '/mcp');
      assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'POST']);
    }
    assert.equal((await api.call('POST', '/mcp', { body: '{' })).status, 400);
  });
});
