/** Organizations whose identifiers strangers try, and what proves that nothing of theirs was touched. */
import { createRole } from '../../src/adapters/postgres/accounts/change-members.ts';
import { connectDatabase, type Database } from '../../src/adapters/postgres/database.ts';
import { createEncryption } from '../../src/adapters/secrets/encryption.ts';
import { inOrganization } from '../../src/adapters/postgres/organization-scope.ts';
import { makePerson } from './console-person.ts';
import type { Stack } from './stack.ts';

/** Bodies that change agents, for the API and the console: of the agent `id`, or of an own one that names `id`. */
export const changesOfAgents: Record<
  string,
  (id: string, own: { agentId: string }) => [path: string, body: unknown][]
> = {
  'patch /agents/{id}': (id, { agentId }) => [
    [`/agents/${id}`, { description: 'changed' }],
    [`/agents/${agentId}`, { transfers_to: [id] }],
    [`/agents/${agentId}`, { connections: [id] }],
  ],
  'put /agents/{id}/draft': (id, { agentId }) => [
    [`/agents/${id}/draft`, { instructions: 'changed' }],
    [`/agents/${agentId}/draft`, { transfers_to: [id] }],
    [`/agents/${agentId}/draft`, { connections: [id] }],
  ],
  'post /agents/{id}/versions': (id) => [[`/agents/${id}/versions`, { percent: 10 }]],
  'put /agents/{id}/candidate': (id) => [[`/agents/${id}/candidate`, { version: 1, percent: 10 }]],
  'post /agents/{id}/rollback': (id) => [[`/agents/${id}/rollback`, { version: 1 }]],
  'post /agents/{id}/rehearsals': (id) => [[`/agents/${id}/rehearsals`, { max_turns: 10 }]],
  'post /agents/{id}/test-turns': (id, { agentId }) => [
    [`/agents/${id}/test-turns`, { conversation_id: id }],
    [`/agents/${agentId}/test-turns`, { run_id: id }],
    [`/agents/${agentId}/test-turns`, { conversation_id: id }],
  ],
};

export type Victim = {
  organizationId: string;
  ids: string[];
  /**
   * What the path names, what bodies name, and those of the others that `isDrawn` takes, each named by its place in
   * `ids`.
   */
  idsFor: (path: string, isDrawn: (name: string) => boolean) => string[];
  /** What the path of an operation names, of this organization. */
  idFor: (path: string) => string;
};

/** An organization with something of every kind. */
export async function newVictim(stack: Stack): Promise<Victim> {
  const { receiver, db } = stack;
  const { organizationId, api, tokenId } = await stack.stranger();
  const agent = await api.createAgent({ script: [{ when: 'x', reply: 'y' }] });
  const other = await api.createAgent({ transfers_to: [agent.id] });
  const deleted = await api.createAgent();
  await api.call('DELETE', `/agents/${deleted.id}`);
  const contactId = crypto.randomUUID();
  const { conversation_id } = await api.send(agent.id, {
    message: 'private',
    webhook_url: receiver.url('/isolated'),
    contact: { id: contactId },
    attachments: [{ content_base64: 'aGk=' }],
  });
  const messages = await api.settled(conversation_id);
  const deliveries = await api.deliveries({ conversation_id });
  const request = crypto.randomUUID();
  await db.knex('api_requests').insert({
    ...{ id: request, organization_id: organizationId, token_id: tokenId, at: new Date() },
    ...{ method: 'GET', route: '/v1/agents', status: 200, duration_ms: 1 },
  });
  const connection = crypto.randomUUID();
  await db.knex('tool_connections').insert({
    ...{ id: connection, organization_id: organizationId, auth: 'API_KEY', status: 'needs_reconnect' },
  });
  const provider = crypto.randomUUID();
  await db.knex('model_providers').insert({
    ...{ id: provider, organization_id: organizationId, name: 'mine', kind: 'compatible', models: ['m'] },
  });
  const httpTool = crypto.randomUUID();
  await db.knex('http_tools').insert({
    ...{ id: httpTool, organization_id: organizationId, name: 'mine', description: 'd', method: 'GET' },
    ...{ url: 'https://shop.example/', parameters: '{"type":"object"}', effect: 'read' },
    ...{ timeout_seconds: 15, answer_max_chars: 8000 },
  });
  const mcpServer = crypto.randomUUID();
  await db.knex('mcp_servers').insert({
    ...{ id: mcpServer, organization_id: organizationId, name: 'mine', url: 'https://shop.example/mcp' },
    ...{ auth: 'none', status: 'connected', timeout_seconds: 30, answer_max_chars: 8000 },
  });
  const mcpSignIn = crypto.randomUUID();
  await db.knex('mcp_sign_ins').insert({
    ...{ id: mcpSignIn, organization_id: organizationId, server_id: mcpServer, status: 'completed' },
    ...{ issuer: 'https://auth.example', token_endpoint: 'https://auth.example/token', token_auth: 'none' },
    ...{ client_id: 'mine', is_client_typed: false, names_issuer: false },
  });
  const mcpTool = crypto.randomUUID();
  await db.knex('mcp_tools').insert({
    ...{ id: mcpTool, organization_id: organizationId, server_id: mcpServer, name: 'mcp_mine_tool' },
    ...{
      remote_name: 'tool',
      description: 'd',
      parameters: '{"type":"object"}',
      digest: 'd'.repeat(64),
      effect: 'read',
    },
  });
  // Under the stack's key: a process that starts later refuses a database with secrets of another one.
  const { seal } = createEncryption(stack.env['ENCRYPTION_KEY']);
  const sealed = (table: string, column: string, rowId: string) =>
    seal('a secret', { organizationId, table, rowId, column });
  const endpoint = crypto.randomUUID();
  await db.knex('webhook_endpoints').insert({
    ...{ id: endpoint, organization_id: organizationId, url: 'https://shop.example/hooks' },
    secret: sealed('webhook_endpoints', 'secret', endpoint),
  });
  const webhook_secret = sealed('channels', 'webhook_secret', agent.id);
  const secret = { webhook_secret, webhook_secret_hash: Buffer.from(connection) };
  await db.knex('channels').insert({ agent_id: agent.id, organization_id: organizationId, ...secret });
  await makePerson({ db, organizationId });
  const { rows: members } = await db.pool.query<{ id: string; user_id: string }>(
    'select id, user_id from console_members where organization_id = $1',
    [organizationId],
  );
  const role = await createRole(db, organizationId, { name: 'Reader', capabilities: ['tokens.view'] });
  const ofOthers = await insertOfOthers(db, {
    organizationId,
    agentId: agent.id,
    userId: members[0]!.user_id,
  });
  const runs = await idsIn(db, ['runs'], organizationId);
  // With the conversation's identifier, so that a path with both names a note of its conversation.
  await db.knex('conversation_notes').insert({
    ...{ id: conversation_id, organization_id: organizationId, conversation_id },
    ...{ author_name: 'A member', text: 'private' },
  });
  const approval = await insertApproval(db, runs[0] ?? '');
  // With the agent's identifier, so that a path with both names a rehearsal and a turn of its agent.
  const ofAgent = { id: agent.id, organization_id: organizationId, agent_id: agent.id, author: 'a person' };
  await db.knex('rehearsals').insert({
    ...{ ...ofAgent, status: 'cancelled', content: {}, source: 'recent', runs_read_only_tools: false },
    ...{
      checks: { rules: [], accepts: [], judge: null },
      turns: 1,
      created_at: new Date(),
      begun_at: new Date(),
    },
  });
  await db.knex('rehearsal_turns').insert({
    ...{ rehearsal_id: agent.id, organization_id: organizationId, position: 0, run_id: runs[0] },
  });
  await db.knex('test_turns').insert({ ...ofAgent, run_id: runs[0], created_at: new Date() });
  const ids = [
    agent.id,
    agent.inbox_id,
    other.id,
    deleted.id,
    conversation_id,
    connection,
    provider,
    httpTool,
    mcpServer,
    mcpSignIn,
    mcpTool,
    endpoint,
    tokenId,
    request,
    organizationId,
    role,
    contactId,
    ...Object.values(ofOthers).filter((one) => one !== ofOthers.client),
    ...[approval, ...runs],
    ...(await idsIn(db, ['attachments'], organizationId)),
  ];
  const { contact, grant, client, invitation } = ofOthers;
  /** By the beginning of a path; a longer one comes before the one that it begins with. */
  const named: [path: string, id: string | undefined][] = [
    ['/messages/', messages[0]?.id],
    ['/deliveries/', deliveries[0]?.id],
    ['/tools/docs/connections/', connection],
    ['/tools/http/', httpTool],
    ['/tools/mcp/', mcpServer],
    ['/webhook-endpoints/', endpoint],
    ['/loopback-receivers/', '127.0.0.1:9'],
    ['/tools/docs/actions/', 'DOCS_LIST_USERS'],
    ['/tools/http/', httpTool],
    ['/model-providers/', provider],
    ['/tokens/', tokenId],
    ['/members/', members[0]?.id],
    ['/roles/', role],
    ['/invitations/', invitation],
    ['/mcp-clients/', client],
    ['/mcp-grants/', grant],
    ['/conversations/', conversation_id],
    ['/runs/', runs[0]],
    ['/approvals/', approval],
    ['/contacts/', contact],
    ['/inboxes/', agent.inbox_id],
    ['/agents/', agent.id],
    ['/deleted-agents/', deleted.id],
    ['/chat/', agent.id],
    ['/openai/models/', agent.id],
  ];
  const inPath = (path: string) => named.find(([start]) => path.startsWith(start))?.[1];
  const inBodies = [agent.id, conversation_id, connection, provider, tokenId, organizationId, role, ...runs];
  const all = [
    ...ids,
    ...[...messages, ...deliveries].map(({ id }) => id),
    ...members.flatMap(({ id, user_id }) => [id, user_id]),
  ];
  return {
    organizationId,
    ids: all,
    idsFor: (path, isDrawn) =>
      all.filter((id, place) => id === inPath(path) || inBodies.includes(id) || isDrawn(`id ${place}`)),
    idFor: (path) => {
      const id = inPath(path);
      if (id === undefined) throw new Error(`${path}: add what it names`);
      return id;
    },
  };
}

/** Inserts rows that come from a gateway, a workspace, a client of MCP or an invitation. @returns the identifiers */
async function insertOfOthers(
  { knex }: Database,
  { organizationId, agentId, userId }: Record<'organizationId' | 'agentId' | 'userId', string>,
): Promise<Record<'contact' | 'event' | 'execution' | 'client' | 'grant' | 'invitation', string>> {
  const id = () => crypto.randomUUID();
  const [contact, event, execution, client, grant, invitation] = [id(), id(), id(), id(), id(), id()];
  const ofOrganization = { organization_id: organizationId };
  const later = new Date(Date.now() + 3_600_000);
  await knex('channel_contacts').insert({ id: contact, agent_id: agentId, contact_id: 'c', phone: '551100' });
  // With the agent's identifier, so that a path with both names a hello of its channel.
  await knex('channel_hellos').insert({
    ...{ id: agentId, agent_id: agentId, request_id: agentId, number: '551100', compared: '551100' },
  });
  await knex('gateway_events').insert({ id: event, agent_id: agentId, outcome: 'ignored', reason: 'group' });
  await knex('tool_executions').insert({
    ...{ id: execution, ...ofOrganization, origin: execution, action: 'DOCS_LIST_USERS', input: '{}' },
    requested_by: { kind: 'system', name: 'a test' },
  });
  await knex('mcp_clients').insert({ id: client, name: 'a client', redirect_uris: ['https://x.example/'] });
  await knex('mcp_grants').insert({
    ...{ id: grant, ...ofOrganization, user_id: userId, client_id: client, expires_at: later },
    ...{
      resource: 'r',
      redirect_uri: 'https://x.example/',
      code_challenge: 'c',
      code_hash: Buffer.from(grant),
    },
  });
  await knex('console_invitations').insert({
    ...{ id: invitation, ...ofOrganization, email: `${invitation}@example.com`, role: 'admin' },
    ...{ inviter_id: userId, expires_at: later },
  });
  return { contact, event, execution, client, grant, invitation };
}

/** An approval that waits, of a call that the run is said to have made. @returns its id */
export async function insertApproval({ pool }: Database, runId: string): Promise<string> {
  const id = crypto.randomUUID();
  await pool.query(
    `insert into tool_calls (run_id, step, position, call_id, name, input, status) values ($1, 0, 1, 'c', 'refund', '{}', 'waiting')`,
    [runId],
  );
  await pool.query(
    `insert into approvals (id, organization_id, conversation_id, agent_id, run_id, step, position, tool, arguments, arguments_hash,
         on_expiry, requested_at, expires_at)
       select $2, organization_id, conversation_id, agent_id, id, 0, 1, 'refund', '{}', approval_hash('refund', '{}'), 'refuse', now(), now() + interval '1 day'
         from runs where id = $1`,
    [runId, id],
  );
  return id;
}

async function idsIn({ knex }: Database, tables: string[], organization_id: string): Promise<string[]> {
  const found = tables.map(
    async (table) => await knex<{ id: string; organization_id: string }>(table).where({ organization_id }),
  );
  return (await Promise.all(found)).flat().map(({ id }) => id);
}

type Digest = { name: string; sum: string };

/** Every row that an organization has, in every table; but not its log of requests and how often it has called itself,
 *  which are written later. */
export class RowsOfOrganizations {
  readonly #stack: Stack;
  readonly #scoped: Database;

  constructor(stack: Stack) {
    this.#stack = stack;
    this.#scoped = connectDatabase(stack.databaseUrl, 2, true);
  }

  /** @returns by table, a digest of its rows; empty if it has none */
  async of(organizationId: string): Promise<Map<string, string>> {
    const { pool } = this.#stack.db;
    const tables = await pool.query<{ relname: string }>(
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relrowsecurity and relname not in ('audit_chains', 'api_requests')
         and has_table_privilege('parley_api', oid, 'select')`,
    );
    // A worker gives entries of the audit log their places in the hash chain meanwhile.
    const ofChain = "array['position', 'hash']";
    const digest = (table: string, where = '') =>
      `select '${table}' as name, coalesce(string_agg(sum, '' order by sum), '') as sum
         from (select md5((to_jsonb(t) - 'call_count' - 'last_used_at' - case '${table}' when 'audit_log' then ${ofChain} else '{}' end)::text) as sum from ${table} t ${where}) rows`;
    // One statement for all tables: this is asked hundreds of times.
    const digests = tables.rows.map(({ relname }) => digest(relname)).join(' union all ');
    const scoped = await inOrganization(organizationId, () => this.#scoped.pool.query<Digest>(digests));
    const named = ['console_invitations']
      .map((table) => digest(table, `where organization_id = '${organizationId}'`))
      .join(' union all ');
    const { rows: more } = await pool.query<Digest>(named);
    return new Map([...scoped.rows, ...more].map(({ name, sum }) => [name, sum]));
  }

  async close(): Promise<void> {
    await this.#scoped.close();
  }
}
