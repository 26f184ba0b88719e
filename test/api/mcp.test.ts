import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { connect, newDocsCaller, useDocsStack } from '../support/docs-stack.ts';

async function mcpClient(apiUrl: string, token: string): Promise<Client> {
  const transport = new StreamableHTTPClientTransport(new URL(`${apiUrl}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  const client = new Client({ name: 'a client', version: '1' });
  await client.connect(transport);
  return client;
}

const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]!.text;

describe('/v1/mcp', function () {
  this.timeout(90_000);
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

  it('runs one; a failure is a result that says what to do, not an error of the protocol', async () => {
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

  it('says which connection is missing, and runs in the one that is named', async () => {
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

  it('401 without a good token; 405 for GET and DELETE, as it keeps no sessions', async () => {
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
