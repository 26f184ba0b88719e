/** The titles and the precision of tools' arguments, as people who decide on calls see them. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  findArgumentSchemas,
  schemasOfCall,
} from '../../../src/adapters/postgres/conversations/argument-schemas.ts';
import { openChannelGround, type ChannelGround } from '../../support/channel-ground.ts';

describe('findArgumentSchemas', () => {
  let ground: ChannelGround;
  beforeEach(async () => {
    ground = await openChannelGround();
  });
  afterEach(() => ground.close());

  async function addHttpTool(name: string, parameters: unknown): Promise<void> {
    await ground.db.knex('http_tools').insert({
      ...{ id: randomUUID(), organization_id: ground.organizationId, name, description: 'd', method: 'POST' },
      ...{ url: 'https://shop.example/', parameters: JSON.stringify(parameters), effect: 'write' },
      ...{ timeout_seconds: 15, answer_max_chars: 8000 },
    });
  }

  async function addMcpTool(name: string, parameters: unknown): Promise<void> {
    const server_id = randomUUID();
    await ground.db.knex('mcp_servers').insert({
      ...{ id: server_id, organization_id: ground.organizationId, name, url: 'https://shop.example/mcp' },
      ...{ auth: 'none', status: 'connected', timeout_seconds: 30, answer_max_chars: 8000 },
    });
    await ground.db.knex('mcp_tools').insert({
      ...{ id: randomUUID(), organization_id: ground.organizationId, server_id, name, remote_name: 'tool' },
      ...{
        description: 'd',
        parameters: JSON.stringify(parameters),
        digest: 'd'.repeat(64),
        effect: 'write',
      },
    });
  }

  const find = async (...names: string[]) =>
    Object.fromEntries(await findArgumentSchemas(ground.db, ground.organizationId, names));

  it('returns the titles and the precision of HTTP and MCP tools by name, without other keywords', async () => {
    await addHttpTool('Refund', {
      type: 'object',
      properties: {
        amount: { type: 'number', title: 'Amount in R$', multipleOf: 0.01, description: 'x' },
        order: { type: 'string' },
      },
    });
    await addMcpTool('mcp_shop_pay', { type: 'object', properties: { sum: { multipleOf: 0.5 } } });
    await addHttpTool('other', { type: 'object', properties: { a: { title: 'A' } } });
    assert.deepEqual(await find('Refund', 'mcp_shop_pay', 'DOCS_LIST_USERS'), {
      Refund: { amount: { title: 'Amount in R$', multipleOf: 0.01 } },
      mcp_shop_pay: { sum: { multipleOf: 0.5 } },
    });
    const stranger = await findArgumentSchemas(ground.db, randomUUID(), ['Refund', 'mcp_shop_pay']);
    assert.equal(stranger.size, 0);
  });

  it('returns for a call only the arguments that it has, with short titles', async () => {
    await addHttpTool('long', {
      type: 'object',
      properties: { a: { title: 'A'.repeat(5000) }, b: { title: 'B' } },
    });
    const { long } = await find('long');
    assert.deepEqual(schemasOfCall(long, { a: 1, c: 2 }), {
      argument_schemas: { a: { title: 'A'.repeat(100) } },
    });
    for (const input of [{}, [], 'b', null]) assert.deepEqual(schemasOfCall(long, input), {});
    assert.deepEqual(schemasOfCall(undefined, { a: 1 }), {});
  });

  it('ignores what an MCP server calls a schema and is none', async () => {
    await addMcpTool('mcp_one', { properties: [{ title: 'x' }] });
    await addMcpTool('mcp_two', {
      properties: { a: true, b: { title: 7, multipleOf: 0 }, c: { title: ' ' } },
    });
    await addMcpTool('mcp_three', 'no schema');
    assert.deepEqual(await find('mcp_one', 'mcp_two', 'mcp_three'), {});
  });
});
