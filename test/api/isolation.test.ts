/**
 * Every operation with the identifiers of another organization, in its path, its query and its body: answered as an
 * unknown one is, and not a row of the other organization is changed. Generated from the table of operations. The
 * identifiers that the operation's path and bodies name are always tried, of the others a sample.
 */
import assert from 'node:assert/strict';
import { z } from 'zod';
import { endpoints } from '../../src/api/endpoints/index.ts';
import {
  changesOfAgents,
  newVictim,
  RowsOfOrganizations,
  type Victim,
} from '../support/isolation-victims.ts';
import { drawnBy, isDrawn } from '../support/sample.ts';
import { unknownId } from '../support/unknown-id.ts';
import { useUnlimitedStack } from '../support/stack.ts';

/** Bodies that name something by its identifier, beside those that merely fit. */
const bodies: Record<
  string,
  (id: string, own: { agentId: string; inboxId: string }) => [path: string, body: unknown][]
> = {
  'post /agents': (id) => [
    ['/agents', { name: `Isolated ${crypto.randomUUID()}`, transfers_to: [id] }],
    ['/agents', { name: `Isolated ${crypto.randomUUID()}`, connections: [id] }],
  ],
  ...changesOfAgents,
  'patch /inboxes/{id}': (id, { agentId, inboxId }) => [
    [`/inboxes/${id}`, { agent_id: agentId }],
    [`/inboxes/${inboxId}`, { agent_id: id }],
  ],
  'post /chat/{id}': (id, { agentId }) => [
    [`/chat/${id}`, { message: 'hello' }],
    [`/chat/${agentId}`, { message: 'hello', conversation_id: id }],
  ],
  'post /openai/chat/completions': (id, { agentId }) => {
    const messages = [{ role: 'user', content: 'hello' }];
    return [
      ['/openai/chat/completions', { model: id, messages }],
      ['/openai/chat/completions', { model: agentId, messages, metadata: { conversation_id: id } }],
    ];
  },
  'post /openai/responses': (id, { agentId }) => [
    ['/openai/responses', { model: id, input: 'hello' }],
    ['/openai/responses', { model: agentId, input: 'hello', conversation: id }],
    ['/openai/responses', { model: agentId, input: 'hello', previous_response_id: `resp_${id}` }],
  ],
  'post /tools/docs/actions/{action}': (id) => [
    [`/tools/docs/actions/${id}`, { input: {} }],
    ['/tools/docs/actions/DOCS_LIST_USERS', { input: {}, connection_id: id }],
  ],
  // These name nothing by an identifier.
  'post /tools/docs/connections': () => [],
  'post /tools/http': () => [],
  'post /tools/http/openapi': () => [],
  'patch /tools/http/{id}': (id) => [[`/tools/http/${id}`, { timeout_seconds: 20 }]],
  'post /tools/http/{id}/run': (id) => [[`/tools/http/${id}/run`, { input: {} }]],
  'post /tools/mcp': () => [],
  'patch /tools/mcp/{id}': (id) => [[`/tools/mcp/${id}`, { timeout_seconds: 20 }]],
  'put /tools/mcp/{id}/tools': (id) => [[`/tools/mcp/${id}/tools`, { tools: [] }]],
  'post /tools/mcp/{id}/run': (id) => [[`/tools/mcp/${id}/run`, { name: 'mcp_mine_tool', input: {} }]],
  'patch /organization': () => [],
  'post /webhook-endpoints': () => [],
  'post /test-callbacks': () => [],
  'patch /webhook-endpoints/{id}': (id) => [[`/webhook-endpoints/${id}`, { waiting_alerts: true }]],
  'post /webhook-endpoints/{id}/rotate': (id) => [[`/webhook-endpoints/${id}/rotate`, {}]],
  'put /agents/{id}/channel': (id) => [
    [`/agents/${id}/channel`, { base_url: 'https://gateway.example', instance_token: 'a-token' }],
  ],
  'patch /agents/{id}/channel': (id) => [[`/agents/${id}/channel`, { pause_minutes: 5 }]],
  'post /agents/{id}/channel/hello': (id) => [
    [`/agents/${id}/channel/hello`, { request_id: id, to: '+5511999990009' }],
  ],
  'post /conversations/{conversationId}/regenerate': (id) => [
    [`/conversations/${id}/regenerate`, { sync: true }],
  ],
  'post /approvals/{id}': (id) => [[`/approvals/${id}`, { decision: 'approve' }]],
  'post /conversations/{conversationId}/pause': (id) => [[`/conversations/${id}/pause`, { minutes: 5 }]],
  'post /conversations/{conversationId}/messages': (id) => [
    [`/conversations/${id}/messages`, { text: 'hello' }],
  ],
};

/** Tables whose rows no operation names. */
const unreachable = [
  ...['audit_log', 'channel_checks', 'console_accounts', 'console_roles', 'console_sessions'],
  ...['console_two_factors', 'console_verifications', 'credit_reservations', 'credit_windows', 'erasures'],
];

describe(`Isolation of organizations (${drawnBy})`, () => {
  const stack = useUnlimitedStack();
  let rows: RowsOfOrganizations;
  let victims: Victim[];

  before(async () => {
    rows = new RowsOfOrganizations(stack());
    victims = [await newVictim(stack()), await newVictim(stack())];
  });
  after(async () => {
    await rows.close();
  });

  it('has rows in every table that outsiders could reach', async () => {
    const found = await rows.of(victims[0]?.organizationId ?? '');
    const filled = [
      'agents',
      'api_tokens',
      'approvals',
      'attachments',
      'channel_contacts',
      'channel_hellos',
      'channels',
      'gateway_events',
      'mcp_grants',
      'tool_executions',
      'conversations',
      'deliveries',
      'inboxes',
      'messages',
      'run_steps',
    ];
    for (const table of [
      ...filled,
      'runs',
      'tool_connections',
      'model_providers',
      'http_tools',
      'mcp_servers',
      'mcp_sign_ins',
      'mcp_tools',
      'webhook_endpoints',
      'rehearsals',
      'test_turns',
    ])
      assert.notEqual(found.get(table), '', table);
  });

  it('tries the identifier of a row of every table that has one', async () => {
    const { pool } = stack().db;
    const { rows: tables } = await pool.query<{ name: string }>(
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'id'
         where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relrowsecurity`,
    );
    for (const { ids } of victims) {
      const without: string[] = [];
      for (const { name } of tables) {
        const { rowCount } = await pool.query(`select from ${name} where id::text = any($1)`, [ids]);
        if (rowCount === 0) without.push(name);
      }
      assert.deepEqual(without.sort(), unreachable);
    }
  });

  const tried = new Set<string>();
  for (const { method, path, params, query, body } of endpoints) {
    const name = `${method} ${path}`;
    const filters =
      query instanceof z.ZodObject ? Object.keys(query.shape).filter((key) => key.endsWith('_id')) : [];
    const named =
      body === undefined
        ? params !== undefined
        : bodies[name]?.('', { agentId: '', inboxId: '' }).length !== 0;
    if (!named && filters.length === 0) continue;
    tried.add(name);

    it(`${name} shows nothing of others, and changes nothing`, async () => {
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
        assert.ok(answers.length > 0, name);
        return JSON.parse(JSON.stringify(answers).replaceAll(id, 'ID')) as unknown;
      };
      const expected = await ask(unknownId);
      for (const victim of victims) {
        const before = await rows.of(victim.organizationId);
        for (const id of victim.idsFor(path, (id) => isDrawn(`${name} ${id}`, 6)))
          assert.deepEqual(await ask(id), expected, `${name} ${id}`);
        assert.deepEqual(await rows.of(victim.organizationId), before);
      }
    });
  }

  it('tries every operation that names something by an identifier', () => {
    const untried = endpoints
      .map(({ method, path }) => `${method} ${path}`)
      .filter((name) => name.includes('{') && !tried.has(name));
    assert.deepEqual(untried, []);
  });
});
