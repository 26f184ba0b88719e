/**
 * An audit event and its change are one transaction. A trigger makes the audit log of one organization fail; every
 * operation listed below must then fail too, and change no row. Without the trigger, each does its work with one event.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listAudit } from '../../../src/adapters/postgres/accounts/audit-log.ts';
import { ensureChannel } from '../../../src/adapters/postgres/whatsapp/channels.ts';
import { createEncryption } from '../../../src/adapters/secrets/encryption.ts';
import { makePerson, signInAs, type ConsoleCaller, type Person } from '../../support/console-person.ts';
import { startMcpOAuthServer, type McpOAuthServer } from '../../support/mcp-oauth-server.ts';
import { addServer } from '../../support/mcp-sign-in.ts';
import { startModelServer, type ModelServer } from '../../support/model-server.ts';
import { commandPrints } from '../../support/run-command.ts';
import { insertApproval, RowsOfOrganizations } from '../../support/isolation-victims.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const encryptionKey = randomBytes(32).toString('base64');

type Ids = Record<
  | 'agent'
  | 'httpTool'
  | 'mcpServer'
  | 'oauthServer'
  | 'inbox'
  | 'other'
  | 'doomed'
  | 'deleted'
  | 'drafted'
  | 'shared'
  | 'rehearsed'
  | 'rehearsal'
  | 'stopped'
  | 'conversation'
  | 'answered'
  | 'pending'
  | 'erased'
  | 'approval'
  | 'refusedApproval'
  | 'connection'
  | 'token'
  | 'user'
  | 'note'
  | 'member'
  | 'leaver'
  | 'role'
  | 'client'
  | 'grant'
  | 'organization'
  | 'invitation'
  | 'provider'
  | 'endpoint'
  | 'delivered'
  | 'modelServer'
  | 'session',
  string
>;
type Operation = [action: string, who: 'token' | 'person', call: string, body?: (ids: Ids) => unknown];

/** In an order in which each finds what it needs. */
const operations: readonly Operation[] = [
  ['agent_created', 'token', 'POST /agents', () => ({ name: 'New' })],
  ['agent_changed', 'token', 'PATCH /agents/:agent', () => ({ description: 'changed' })],
  ['agent_changed', 'token', 'PATCH /agents/:agent', () => ({ instructions: 'a new version' })],
  ['agent_published', 'token', 'POST /agents/:drafted/versions', () => ({ percent: 10 })],
  ['agent_share_changed', 'token', 'PUT /agents/:shared/candidate', () => ({ version: 1, percent: 20 })],
  ['agent_rolled_back', 'token', 'POST /agents/:agent/rollback', () => ({ version: 1 })],
  [
    'test_set_changed',
    'token',
    'POST /agents/:agent/test-turns',
    ({ conversation }) => ({ conversation_id: conversation }),
  ],
  ['rehearsal_started', 'token', 'POST /agents/:agent/rehearsals', () => ({})],
  ['rehearsal_cancelled', 'token', 'POST /agents/:rehearsed/rehearsals/:rehearsal/cancel'],
  ['rehearsal_started', 'token', 'POST /agents/:rehearsed/rehearsals/:stopped/resume'],
  ['inbox_bound', 'token', 'PATCH /inboxes/:inbox', ({ other }) => ({ agent_id: other })],
  ['answer_regenerated', 'token', 'POST /conversations/:answered/regenerate', () => ({})],
  ['runs_cancelled', 'token', 'POST /conversations/:pending/cancel'],
  ['approval_given', 'token', 'POST /approvals/:approval', () => ({ decision: 'approve' })],
  ['approval_refused', 'person', 'POST /approvals/:refusedApproval', () => ({ decision: 'refuse' })],
  [
    'conversation_assigned',
    'person',
    'PUT /conversations/:conversation/assignee',
    ({ user }) => ({ user_id: user }),
  ],
  ['note_written', 'person', 'POST /conversations/:conversation/notes', () => ({ text: 'a note' })],
  ['note_deleted', 'person', 'DELETE /conversations/:conversation/notes/:note'],
  ['conversation_erased', 'token', 'DELETE /conversations/:erased'],
  ['webhook_endpoint_added', 'token', 'POST /webhook-endpoints', () => ({ url: 'https://new.example' })],
  [
    'webhook_endpoint_changed',
    'token',
    'PATCH /webhook-endpoints/:endpoint',
    () => ({ waiting_alerts: true }),
  ],
  ['webhook_secret_rotated', 'token', 'POST /webhook-endpoints/:endpoint/rotate', () => ({})],
  ['webhook_endpoint_removed', 'token', 'DELETE /webhook-endpoints/:endpoint'],
  ['test_callback_sent', 'token', 'POST /test-callbacks', () => ({ url: 'http://10.0.0.1/' })],
  ['callback_resent', 'token', 'POST /deliveries/:delivered/resend'],
  ['organization_changed', 'token', 'PATCH /organization', () => ({ retention_days: 300 })],
  ['channel_edited', 'token', 'PATCH /agents/:agent/channel', () => ({ pause_minutes: 5 })],
  ['channel_moved', 'token', 'POST /agents/:agent/channel/move'],
  [
    'channel_hello_sent',
    'token',
    'POST /agents/:agent/channel/hello',
    () => ({ request_id: crypto.randomUUID(), to: '+5511999990009' }),
  ],
  ['webhook_renewed', 'token', 'POST /agents/:agent/channel/webhook/renew'],
  ['connection_deleted', 'token', 'DELETE /tools/docs/connections/:connection'],
  ['agent_deleted', 'token', 'DELETE /agents/:doomed'],
  ['agent_restored', 'token', 'POST /deleted-agents/:deleted/restore'],
  ['agents_imported', 'person', 'PUT /agents-file', () => ({ yaml: 'agents:\n  - name: From a file\n' })],
  ['token_created', 'person', 'POST /tokens', () => ({ name: 'another' })],
  ['token_limited', 'person', 'PUT /tokens/:token/limit', () => ({ monthly_message_limit: 7 })],
  ['token_rotated', 'person', 'POST /tokens/:token/rotate', () => ({})],
  ['token_revoked', 'person', 'POST /tokens/:token/revoke'],
  ['token_deleted', 'person', 'DELETE /tokens/:token'],
  ['password_reset_created', 'person', 'POST /members/:member/reset'],
  ['sessions_ended', 'person', 'POST /members/:member/sign-out'],
  ['own_session_ended', 'person', 'DELETE /sessions/:session'],
  ['own_sessions_ended', 'person', 'DELETE /other-sessions'],
  ['name_changed', 'person', 'PATCH /account', () => ({ name: 'Another name' })],
  ['member_role_changed', 'person', 'PATCH /members/:member', ({ role }) => ({ role_id: role })],
  ['member_role_changed', 'person', 'PATCH /members/:member', () => ({ role_id: 'admin' })],
  ['member_removed', 'person', 'DELETE /members/:leaver'],
  [
    'invitation_created',
    'person',
    'POST /invitations',
    () => ({ email: `${crypto.randomUUID()}@example.com`, role_id: 'admin' }),
  ],
  ['invitation_revoked', 'person', 'DELETE /invitations/:invitation'],
  ['role_created', 'person', 'POST /roles', () => ({ name: 'Made', capabilities: ['tokens.view'] })],
  ['role_changed', 'person', 'PATCH /roles/:role', () => ({ name: 'Renamed', capabilities: [] })],
  ['role_deleted', 'person', 'DELETE /roles/:role'],
  [
    'mcp_client_allowed',
    'person',
    'POST /mcp-grants',
    ({ client, organization }) => ({
      client_id: client,
      organization_id: organization,
      redirect_uri: 'https://client.example/',
      code_challenge: 'x'.repeat(43),
      allow: true,
    }),
  ],
  [
    'model_provider_added',
    'person',
    'POST /model-providers',
    ({ modelServer }) => ({ kind: 'compatible', name: 'added', base_url: modelServer, models: ['m'] }),
  ],
  ['model_provider_changed', 'person', 'PATCH /model-providers/:provider', () => ({ models: ['other'] })],
  ['default_model_changed', 'person', 'PUT /default-model', () => ({ model: 'kept/other' })],
  [
    'model_price_changed',
    'person',
    'PUT /model-price',
    () => ({ model: 'kept/other', input: 1, output: 2, cached_input: null }),
  ],
  ['model_provider_removed', 'person', 'DELETE /model-providers/:provider'],
  ['http_tool_created', 'token', 'POST /tools/http', () => httpTool('made')],
  ['http_tool_changed', 'person', 'PATCH /tools/http/:httpTool', () => ({ timeout_seconds: 20 })],
  ['http_tool_deleted', 'person', 'DELETE /tools/http/:httpTool'],
  ['mcp_server_added', 'token', 'POST /tools/mcp', () => mcpServer('made')],
  ['mcp_server_changed', 'person', 'PATCH /tools/mcp/:mcpServer', () => ({ timeout_seconds: 20 })],
  ['mcp_tools_accepted', 'person', 'PUT /tools/mcp/:mcpServer/tools', () => ({ tools: [] })],
  ['mcp_sign_in_begun', 'person', 'POST /tools/mcp/:oauthServer/sign-in', () => ({})],
  ['mcp_server_removed', 'person', 'DELETE /tools/mcp/:mcpServer'],
  ['mcp_client_removed', 'person', 'DELETE /mcp-grants/:grant'],
  ['data_exported', 'token', 'GET /export'],
  ['audit_exported', 'person', 'GET /audit/export.csv'],
];

const mcpServer = (name: string) => ({ name, url: 'https://shop.example/mcp', auth: 'none' });

const httpTool = (name: string) => ({
  ...{ name, description: 'Never called', method: 'GET', url: 'https://shop.example/', effect: 'read' },
});

describe('Audit events in the transaction of what they record', () => {
  const stack = useStack({
    env: { ENCRYPTION_KEY: encryptionKey, MODEL_ALLOW: '127.0.0.0/8', TOOL_ALLOW: '127.0.0.1' },
  });
  let model: ModelServer;
  let oauth: McpOAuthServer;
  let rows: RowsOfOrganizations;
  let api: Awaited<ReturnType<ReturnType<typeof stack>['stranger']>>['api'];
  let person: Person;
  let caller: ConsoleCaller;
  let ids: Ids;

  const breakLog = async () => {
    const { pool } = stack().db;
    await pool.query(`create or replace function refuse_audit() returns trigger language plpgsql
      as $$ begin raise exception 'the audit log is broken'; end $$`);
    await pool.query(`create trigger refuse_audit before insert on audit_log for each row
      when (new.organization_id = '${ids.organization}') execute function refuse_audit()`);
  };
  const mendLog = async () => {
    await stack().db.pool.query('drop trigger if exists refuse_audit on audit_log');
  };
  const call = async ([, who, operation, body]: Operation) => {
    const [method = '', path = ''] = operation.split(' ');
    const at = path.replaceAll(/:(\w+)/g, (_, name: keyof Ids) => ids[name]);
    const given = body?.(ids);
    return who === 'token'
      ? await api.call(method, at, { body: given })
      : await caller.call(method, at, given);
  };
  /** The organization's rows, and the accounts and sessions of the person. */
  const snapshot = async () => {
    const found = await rows.of(ids.organization);
    const { rows: accounts } = await stack().db.pool.query<{ sum: string }>(
      `select md5(string_agg(to_jsonb(t)::text, '' order by t.id)) as sum from (
         select s.id, s.token as value from console_sessions s join console_users u on u.id = s.user_id where u.email = $1
         union all select u.id, u.name from console_users u where u.email = $1
         union all select a.id, a.password from console_accounts a join console_users u on u.id = a.user_id where u.email = $1) t`,
      [person.email],
    );
    return new Map([...found, ['accounts', accounts[0]?.sum ?? '']]);
  };
  const entries = async () =>
    (await listAudit(stack().db, ids.organization, { limit: 100 })).data.map(({ action }) => action);

  before(async () => {
    rows = new RowsOfOrganizations(stack());
    model = await startModelServer();
    oauth = await startMcpOAuthServer();
    const { db } = stack();
    const made = await stack().stranger();
    const organization = made.organizationId;
    api = made.api;
    const [agent, other, doomed, deleted] = [
      await api.createAgent(),
      await api.createAgent({ grouping_window_seconds: 60 }),
      await api.createAgent(),
      await api.createAgent(),
    ];
    await api.call('DELETE', `/agents/${deleted.id}`);
    await api.changeAgent(agent.id, { instructions: 'a second version' });
    const [drafted, shared] = [await api.createAgent(), await api.createAgent()];
    await api.call('PUT', `/agents/${drafted.id}/draft`, { body: { instructions: 'a draft' } });
    await api.changeAgent(shared.id, { instructions: 'a second version' });
    const answered = await api.ask(agent.id, { message: 'hello' });
    const erased = await api.ask(agent.id, { message: 'hello' });
    const called = await api.send(agent.id, {
      message: 'hello',
      webhook_url: stack().receiver.url('/audited'),
    });
    const [delivered] = await until('a delivery', async () => {
      const found = await api.deliveries({ conversation_id: called.conversation_id, status: 'delivered' });
      return found.length > 0 && found;
    });
    const pending = await api.send(other.id, { message: 'waits' });
    // Longer than a window may be, because a busy machine takes longer than that for all operations.
    const later = new Date(Date.now() + 3_600_000);
    await db
      .knex('runs')
      .where({ conversation_id: pending.conversation_id })
      .update({ closes_at: later, cap_at: later });
    const asking = await api.createAgent({ grouping_window_seconds: 60 });
    await db
      .knex('agents')
      .where({ id: asking.id })
      .update({ tools: ['refund'] });
    const waiting = async () => {
      const { conversation_id } = await api.send(asking.id, { message: 'waits for a person' });
      const [run] = await db
        .knex('runs')
        .where({ conversation_id })
        .update({ state: 'running', agent_id: asking.id, claimed_at: later })
        .returning<{ id: string }[]>('id');
      return await insertApproval(db, run?.id ?? '');
    };
    const connection = crypto.randomUUID();
    await db.knex('tool_connections').insert({
      ...{ id: connection, organization_id: organization, auth: 'API_KEY', status: 'needs_reconnect' },
    });
    for (const { id } of [agent, other]) {
      await ensureChannel(db, createEncryption(encryptionKey), { id, organizationId: organization });
      const place = { organizationId: organization, table: 'channels', rowId: id, column: 'instance_token' };
      const connected = {
        ...{ state: 'connected', connected_number: '15550100', base_url: 'https://10.0.0.1' },
        instance_token: createEncryption(encryptionKey).seal('a token', place),
      };
      await db.knex('channels').where({ agent_id: id }).update(connected);
    }
    const provider = crypto.randomUUID();
    await db.knex('model_providers').insert({
      ...{ id: provider, organization_id: organization, name: 'kept', kind: 'compatible' },
      ...{ base_url: model.baseUrl, models: ['m'] },
    });
    const endpoint = crypto.randomUUID();
    await db.knex('webhook_endpoints').insert({
      ...{ id: endpoint, organization_id: organization, url: 'https://kept.example', secret: null },
    });
    // The first model of an organization becomes its default, with an event of its own.
    await db.knex('organizations').where({ id: organization }).update({ default_model: 'kept/m' });
    person = await makePerson({ db, organizationId: organization });
    const [memberPerson, leaverPerson] = [
      await makePerson({ db, organizationId: organization }),
      await makePerson({ db, organizationId: organization }),
    ];
    caller = await signInAs(stack(), person);
    const members = (await caller.call('GET', '/members')).body as { data: { id: string; email: string }[] };
    const memberOf = ({ email }: Person) => members.data.find((one) => one.email === email)?.id ?? '';
    const idOf = (answer: { body: unknown }) => (answer.body as { id: string }).id;
    const client = crypto.randomUUID();
    const grant = crypto.randomUUID();
    await db.knex('mcp_clients').insert({
      ...{ id: client, name: 'A client', redirect_uris: ['https://client.example/'] },
    });
    const user = await db.knex<{ id: string; email: string }>('console_users').where({ email: person.email });
    await db.knex('mcp_grants').insert({
      ...{ id: grant, organization_id: organization, user_id: user[0]?.id, client_id: client },
      ...{ resource: 'x', redirect_uri: 'https://client.example/', code_challenge: 'x' },
      ...{ code_hash: Buffer.from(grant), expires_at: new Date(Date.now() + 600_000) },
    });
    const note = crypto.randomUUID();
    await db.knex('conversation_notes').insert({
      ...{ id: note, organization_id: organization, conversation_id: answered.conversation_id },
      ...{ author_name: 'A member', text: 'a note' },
    });
    const [recorded] = await db
      .knex('runs')
      .where({ agent_id: agent.id, state: 'answered' })
      .select<{ id: string }[]>('id');
    const lists = { tools: [], transfers_to: [], tool_policies: [], approvers: [] };
    const content = { instructions: '', script: null, ...lists };
    const rehearsalWith = async (status: string) => {
      const id = crypto.randomUUID();
      await db.knex('rehearsals').insert({
        ...{ id, status, content, organization_id: organization, agent_id: shared.id, source: 'recent' },
        ...{ author: 'a person', runs_read_only_tools: false, turns: 1 },
        checks: { rules: [], accepts: [], judge: null },
        ...{ created_at: new Date(), begun_at: new Date() },
      });
      await db.knex('rehearsal_turns').insert({
        ...{ rehearsal_id: id, organization_id: organization, position: 0, run_id: recorded?.id },
      });
      return id;
    };
    await signInAs(stack(), person);
    const [session] = await db
      .knex<{ id: string; user_id: string }>('console_sessions')
      .where({ user_id: user[0]?.id ?? '' })
      .orderBy('created_at', 'desc');
    await signInAs(stack(), person);
    ids = {
      session: session?.id ?? '',
      ...{ rehearsed: shared.id, conversation: answered.conversation_id },
      rehearsal: await rehearsalWith('running'),
      stopped: await rehearsalWith('cancelled'),
      ...{ agent: agent.id, inbox: agent.inbox_id, other: other.id, doomed: doomed.id, organization },
      deleted: deleted.id,
      ...{ drafted: drafted.id, shared: shared.id },
      ...{ answered: answered.conversation_id, pending: pending.conversation_id },
      ...{ approval: await waiting(), refusedApproval: await waiting() },
      ...{ erased: erased.conversation_id, connection, client, grant, provider },
      modelServer: model.baseUrl,
      mcpServer: idOf(await api.call('POST', '/tools/mcp', { body: mcpServer('kept') })),
      oauthServer: (await addServer(api, oauth.shop.url)).id,
      httpTool: idOf(await api.call('POST', '/tools/http', { body: httpTool('kept') })),
      ...{ endpoint, delivered: delivered?.id ?? '' },
      ...{ user: user[0]?.id ?? '', note },
      ...{ member: memberOf(memberPerson), leaver: memberOf(leaverPerson) },
      token: idOf(await caller.call('POST', '/tokens', { name: 'limited' })),
      role: idOf(await caller.call('POST', '/roles', { name: 'Reader', capabilities: ['tokens.view'] })),
      invitation: idOf(
        await caller.call('POST', '/invitations', { email: 'somebody@example.com', role_id: 'admin' }),
      ),
    };
  });
  after(async () => {
    await rows.close();
    await Promise.all([model.close(), oauth.close()]);
  });

  describe('while the audit log is broken', () => {
    before(breakLog);
    after(mendLog);

    for (const operation of operations)
      it(`${operation[2]} fails and changes nothing`, async () => {
        const before = await snapshot();
        const answer = await call(operation);
        assert.equal(answer.status, 500, JSON.stringify(answer.body));
        assert.deepEqual(await snapshot(), before);
      });

    it('nobody signs in or out, or changes a password', async () => {
      const before = await snapshot();
      await assert.rejects(signInAs(stack(), person), /500/);
      assert.equal((await caller.call('POST', '/sign-out')).status, 500);
      const passwords = { current_password: person.password, new_password: 'another password' };
      assert.equal((await caller.call('POST', '/password', passwords)).status, 500);
      assert.deepEqual(await snapshot(), before);
    });

    it('the command line fails and changes nothing', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'parley-audit-'));
      const file = join(folder, 'agents.yaml');
      writeFileSync(file, 'agents:\n  - name: From the command line\n');
      const parley = async (...words: string[]) =>
        await commandPrints(words, { DATABASE_URL: stack().databaseUrl });
      const before = await snapshot();
      for (const words of [
        ['token', 'create', '--org', ids.organization, '--name', 'by hand'],
        ['token', 'revoke', ids.token],
        ['token', 'delete', ids.token],
        ['apply', file, '--org', ids.organization],
        ['retention', '--org', ids.organization, '--days', '30'],
        ['audit', 'retention', '--org', ids.organization, '--days', '30'],
        ['audit', 'export', '--org', ids.organization],
        ['export-data', '--org', ids.organization],
      ])
        await assert.rejects(parley(...words), /the audit log is broken/);
      assert.deepEqual(await snapshot(), before);
      rmSync(folder, { recursive: true });
    });
  });

  describe('while the audit log works', () => {
    it('each operation succeeds and writes its one event', async () => {
      for (const operation of operations) {
        const before = await entries();
        const answer = await call(operation);
        assert.ok(answer.status < 300, `${operation[2]}: ${answer.status} ${JSON.stringify(answer.body)}`);
        assert.deepEqual(await entries(), [operation[0], ...before], operation[2]);
      }
    });
  });
});
