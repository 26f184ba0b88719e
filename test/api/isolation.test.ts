/**
 * Every operation with every identifier of another organization, in its path, its query and its body: answered as an
 * unknown one is, and not a row of the other organization is changed. Generated from the table of operations.
 */
import assert from 'node:assert/strict';
import { z } from 'zod';
import { endpoints } from '../../src/api/endpoints/index.ts';
import { connectDatabase, type Database } from '../../src/adapters/db/database.ts';
import { inOrganization } from '../../src/adapters/db/organization-scope.ts';
import { useSharedStack } from '../support/stack.ts';
import type { ApiClient } from '../support/api-client.ts';

const unknownId = '01890000-0000-7000-8000-000000000000';

/** Bodies that name something by its identifier, beside those that merely fit. */
const bodies: Record<
  string,
  (id: string, own: { agentId: string; inboxId: string }) => [path: string, body: unknown][]
> = {
  'post /agents': (id) => [['/agents', { name: `Isolated ${crypto.randomUUID()}`, transfers_to: [id] }]],
  'patch /agents/{id}': (id, { agentId }) => [
    [`/agents/${id}`, { description: 'changed' }],
    [`/agents/${agentId}`, { transfers_to: [id] }],
  ],
  'patch /inboxes/{id}': (id, { agentId, inboxId }) => [
    [`/inboxes/${id}`, { agent_id: agentId }],
    [`/inboxes/${inboxId}`, { agent_id: id }],
  ],
  'post /chat/{id}': (id, { agentId }) => [
    [`/chat/${id}`, { message: 'hello' }],
    [`/chat/${agentId}`, { message: 'hello', conversation_id: id }],
  ],
  'post /tools/docs/actions/{action}': (id) => [
    [`/tools/docs/actions/${id}`, { input: {} }],
    ['/tools/docs/actions/DOCS_LIST_USERS', { input: {}, connection_id: id }],
  ],
  'post /tools/docs/connections': () => [],
  'put /agents/{id}/channel': (id) => [
    [`/agents/${id}/channel`, { base_url: 'https://gateway.example', instance_token: 'a-token' }],
  ],
  'patch /agents/{id}/channel': (id) => [[`/agents/${id}/channel`, { pause_minutes: 5 }]],
  'post /conversations/{id}/pause': (id) => [[`/conversations/${id}/pause`, { minutes: 5 }]],
  'post /conversations/{conversationId}/messages': (id) => [
    [`/conversations/${id}/messages`, { text: 'hello' }],
  ],
};

describe('Isolation of organizations', () => {
  const stack = useSharedStack();
  let scoped: Database;
  let victims: { organizationId: string; api: ApiClient; ids: string[] }[];

  before(async function () {
    this.timeout(120_000);
    scoped = connectDatabase(stack().databaseUrl, 2, true);
    victims = [await newVictim(), await newVictim()];
  });
  after(async () => {
    await scoped.close();
  });

  /** An organization with something of every kind. */
  async function newVictim() {
    const { organizationId, api, tokenId } = await stack().stranger();
    const { receiver, db } = stack();
    const agent = await api.createAgent({ script: [{ when: 'x', reply: 'y' }] });
    const other = await api.createAgent({ transfers_to: [agent.id] });
    const { conversation_id } = await api.send(agent.id, {
      message: 'private',
      webhook_url: receiver.url('/isolated'),
    });
    const messages = await api.settled(conversation_id);
    const deliveries = await api.deliveries({ conversation_id });
    const connection = crypto.randomUUID();
    await db.knex('tool_connections').insert({
      ...{ id: connection, organization_id: organizationId, auth: 'API_KEY', status: 'needs_reconnect' },
    });
    const secret = { webhook_secret: 'sealed', webhook_secret_hash: Buffer.from(connection) };
    await db.knex('channels').insert({ agent_id: agent.id, organization_id: organizationId, ...secret });
    const ids = [agent.id, agent.inbox_id, other.id, conversation_id, connection, tokenId, organizationId];
    return {
      ...{ organizationId, api },
      ids: [...ids, ...messages.map(({ id }) => id), ...deliveries.map(({ id }) => id)],
    };
  }

  /** Every row that the organization has, in every table; but not how often it has called itself, written later. */
  async function rowsOf(organizationId: string): Promise<Map<string, string>> {
    const tables = await stack().db.pool.query<{ relname: string }>(
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relrowsecurity`,
    );
    return await inOrganization(organizationId, async () => {
      const rows = new Map<string, string>();
      for (const { relname } of tables.rows) {
        const found = await scoped.pool.query<{ sum: string | null }>(
          `select string_agg(sum, '' order by sum) as sum
             from (select md5((to_jsonb(t) - 'call_count' - 'last_used_at')::text) as sum from ${relname} t) rows`,
        );
        rows.set(relname, found.rows[0]?.sum ?? '');
      }
      return rows;
    });
  }

  it('finds something in the tables that outsiders could reach', async () => {
    const rows = await rowsOf(victims[0]?.organizationId ?? '');
    const filled = [
      'agents',
      'api_tokens',
      'channels',
      'conversations',
      'deliveries',
      'inboxes',
      'messages',
      'run_steps',
    ];
    for (const table of [...filled, 'runs', 'tool_connections']) assert.notEqual(rows.get(table), '', table);
  });

  for (const { method, path, params, query, body } of endpoints) {
    const name = `${method} ${path}`;
    const filters =
      query instanceof z.ZodObject ? Object.keys(query.shape).filter((key) => key.endsWith('_id')) : [];
    if (params === undefined && body === undefined && filters.length === 0) continue;

    it(`${name} tells nothing of others, and changes nothing`, async function () {
      this.timeout(60_000);
      const { api } = stack();
      const own = await api.createAgent();
      const calls = (id: string): [path: string, body?: unknown][] => [
        ...(body === undefined
          ? params === undefined
            ? []
            : [[path.replaceAll(/\{\w+\}/g, id)] as [string]]
          : (bodies[name]?.(id, { agentId: own.id, inboxId: own.inbox_id }) ??
            assert.fail('needs its line above'))),
        ...filters.map((filter) => [`${path}?${filter}=${id}`] as [string]),
      ];
      const ask = async (id: string) => {
        const answers = [];
        for (const [at, given] of calls(id)) {
          const { status, body: said, headers } = await api.call(method.toUpperCase(), at, { body: given });
          answers.push({ status, said, names: [...headers.keys()].sort() });
        }
        return JSON.parse(JSON.stringify(answers).replaceAll(id, 'ID')) as unknown;
      };
      const expected = await ask(unknownId);
      for (const victim of victims) {
        const before = await rowsOf(victim.organizationId);
        for (const id of victim.ids) assert.deepEqual(await ask(id), expected, `${name} ${id}`);
        assert.deepEqual(await rowsOf(victim.organizationId), before);
      }
    });
  }
});
