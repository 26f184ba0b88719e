/**
 * Every table either belongs to what an organization keeps, or is cleaned up by age: old rows go, in batches, fresh
 * ones stay.
 */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { cleanUpActivity } from '../../../activities/upkeep/clean-up.ts';
import { cleanUps } from '../../../src/adapters/postgres/data/clean-ups.ts';
import { connectDatabase, type Database } from '../../../src/adapters/postgres/database.ts';
import { createOrganization } from '../../../src/adapters/postgres/accounts/organizations.ts';
import type pg from 'pg';
import { backing } from '../../support/backing.ts';

/** Rows that nothing deletes by its age, and why they do not grow by a stranger's hand. */
const kept: Record<string, string> = {
  ...of('made by a member, a token or an operator, and deleted by them', [
    ...['organizations', 'api_tokens', 'agents', 'inboxes', 'channels', 'tool_connections', 'installation'],
    ...[
      'model_providers',
      'http_tools',
      'mcp_servers',
      'mcp_sign_ins',
      'mcp_tools',
      'webhook_endpoints',
      'loopback_receivers',
    ],
    ...['console_users', 'console_accounts', 'console_members', 'console_roles'],
    ...['console_two_factors'],
  ]),
  ...of('of a conversation: kept as long as its organization wants', [
    ...['conversations', 'runs', 'messages', 'attachments', 'run_steps', 'tool_calls', 'approvals'],
    'approval_messages',
    ...[
      'conversation_notes',
      'conversation_reads',
      'waiting_mails',
      'model_failures',
      'script_failures',
      'deliveries',
      'gateway_sends',
      'run_tokens',
      'run_traces',
      'channel_contacts',
    ],
  ]),
  ...of('at most 1,000 an agent: see keep_agent_version', ['agent_versions']),
  ...of('one row an agent', ['agent_drafts']),
  ...of('goes with its rehearsal or its run', ['rehearsal_turns']),
  ...of('at most 1,000 an agent', ['test_turns']),
  ...of('goes with its stream', ['run_stream_events']),
  ...of('numbers, one row a day or an execution', ['usage_kept', 'tool_usage', 'storage_used']),
  ...of('gone once it is done', ['erasures']),
  ...of('ended when the time limit of its call is over: see expire_credits', ['credit_reservations']),
  ...of('one row an organization', ['audit_chains']),
  ...of('has a retention of its own: test/adapters/postgres/audit-chain.test.ts', ['audit_log']),
  ...of('one row a file of the schema', ['schema_migrations']),
  ...of('one row', ['scope_keys']),
  ...of('one row for each reason of the domain', ['approval_reasons']),
};

function of(why: string, tables: string[]): Record<string, string> {
  return Object.fromEntries(tables.map((table) => [table, why]));
}

describe('Clean-up', () => {
  let db: Database;
  before(async () => {
    db = connectDatabase(await (await backing()).freshDatabase(), 4);
  });
  after(async () => {
    await db.close();
  });

  async function cleanUp(): Promise<Record<string, number>> {
    return await activity(db);
  }

  async function activity(on: Database): Promise<Record<string, number>> {
    // Its log lines are not checked here.
    const logger = new DefaultLogger('ERROR', () => undefined);
    return await new MockActivityEnvironment({}, { logger }).run(cleanUpActivity({ db: on }));
  }

  it('covers every table: a new one is cleaned up by age, or is listed here with the reason why it does not grow', async () => {
    const { rows } = await db.pool.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
    );
    const tables = rows.map(({ name }) => name);
    const cleaned = cleanUps.map(({ table }) => table);
    assert.deepEqual(
      tables.filter((table) => !cleaned.includes(table) && !(table in kept)),
      [],
      'add it to src/adapters/postgres/data/clean-ups.ts, or to `kept`',
    );
    assert.deepEqual([...cleaned, ...Object.keys(kept)].sort(), tables);
  });

  it('deletes what is old and leaves what is not, of every table', async () => {
    const count = 3;
    for (const { table } of cleanUps) {
      for (const age of ['old', 'fresh'] as const) for (let n = 0; n < count; n += 1) await seed(table, age);
    }
    const before = await sizes();
    const deleted = await cleanUp();
    const after = await sizes();
    for (const { table } of cleanUps) {
      assert.ok(before[table]! >= 2 * count, `${table} was not filled`);
      assert.equal(before[table]! - after[table]!, deleted[table], table);
      assert.equal(deleted[table], count, table);
    }
    assert.deepEqual(await cleanUp(), {});
  });

  for (const [what, table, column, days, more] of [
    ['an Idempotency-Key for 24 hours', 'idempotency_keys', 'created_at', 1, {}],
    ['an execution of a call for 24 hours', 'tool_executions', 'created_at', 1, {}],
    ['a logged API request for 7 days', 'api_requests', 'at', 7, {}],
    ['an ignored gateway event for 7 days', 'gateway_events', 'received_at', 7, { outcome: 'ignored' }],
    ['another gateway event for 30 days', 'gateway_events', 'received_at', 30, { outcome: 'accepted' }],
  ] as const) {
    it(`keeps ${what}, and no longer`, async () => {
      await db.knex(table).delete();
      await seed(table, 'fresh');
      const aged = (minutes: number) =>
        db.knex(table).update({
          ...more,
          [column]: db.knex.raw(`now() - ? * interval '1 minute'`, [days * 24 * 60 + minutes]),
        });
      await aged(-1);
      assert.deepEqual(await cleanUp(), {});
      await aged(1);
      assert.deepEqual(await cleanUp(), { [table]: 1 });
    });
  }

  it('deletes in batches, all of a large table in the end', async () => {
    await db.pool.query(
      `insert into rate_limits select 'stranger ' || n, 1, 'epoch' from generate_series(1, 12345) n`,
    );
    let largest = 0;
    const counting = {
      pool: {
        query: async (statement: pg.QueryConfig) => {
          const result = await db.pool.query<{ rows: number }>(statement);
          largest = Math.max(largest, result.rows[0]?.rows ?? 0);
          return result;
        },
      },
    } as unknown as Database;
    assert.deepEqual(await activity(counting), { rate_limits: 12_345 });
    assert.equal(largest, 1000);
  });

  it('continues with the next table if one cannot be cleaned up', async () => {
    await db.pool.query('alter table rate_limits rename to elsewhere');
    try {
      await seed('recoveries', 'old');
      assert.deepEqual(await cleanUp(), { recoveries: 1 });
    } finally {
      await db.pool.query('alter table elsewhere rename to rate_limits');
    }
  });

  async function sizes(): Promise<Record<string, number>> {
    const counted: Record<string, number> = {};
    for (const { table } of cleanUps) {
      const { rows } = await db.pool.query<{ n: number }>(`select count(*)::integer as n from ${table}`);
      counted[table] = rows[0]!.n;
    }
    return counted;
  }

  async function seed(table: string, age: 'old' | 'fresh'): Promise<void> {
    const ago = (ms: number) => new Date(Date.now() - ms);
    const hour = 3_600_000;
    const at = age === 'old' ? ago(32 * 24 * hour) : ago(1000);
    const later = age === 'old' ? at : new Date(Date.now() + hour);
    const insert = async (row: Record<string, unknown>, into = table) => await db.knex(into).insert(row);
    const id = randomUUID();
    const organization = async () => (await createOrganization(db, 'an organization')).id;
    const conversation = async () => {
      const organization_id = await organization();
      const agent_id = randomUUID();
      await insert({ id: agent_id, organization_id, name: agent_id, inbox_id: randomUUID() }, 'agents');
      const conversation_id = randomUUID();
      await insert({ id: conversation_id, organization_id, target_id: agent_id, agent_id }, 'conversations');
      return { organization_id, agent_id, conversation_id };
    };
    const channel = async () => {
      const { organization_id, agent_id } = await conversation();
      const secret = { webhook_secret: '', webhook_secret_hash: randomBytes(32) };
      await insert({ agent_id, organization_id, ...secret }, 'channels');
      return agent_id;
    };
    const execution = async () => ({
      id,
      organization_id: await organization(),
      origin: id,
      action: '',
      input: '{}',
      requested_by: {},
    });
    switch (table) {
      case 'rehearsals': {
        const { organization_id, agent_id } = await conversation();
        const created_at = age === 'old' ? ago(91 * 24 * hour) : at;
        await insert({
          ...{ id, organization_id, agent_id, content: {}, source: 'recent', runs_read_only_tools: false },
          ...{ checks: {}, turns: 0, author: '', status: 'completed', created_at, begun_at: created_at },
        });
        return;
      }
      case 'idempotency_keys': {
        const organization_id = await organization();
        const token = { id, organization_id, name: '', prefix: '', secret_hash: randomBytes(32) };
        await insert(token, 'api_tokens');
        const ids = { conversation_id: id, run_id: id, message_id: id };
        await insert({
          ...ids,
          token_id: id,
          path: '',
          key: id,
          request_hash: '',
          debounced: false,
          created_at: at,
        });
        return;
      }
      case 'run_streams': {
        const { organization_id, conversation_id } = await conversation();
        const times = { opened_at: at, closes_at: at, cap_at: at, finished_at: at };
        const run = { id, organization_id, conversation_id, ordinal: 1, mode: 'single', state: 'answered' };
        await insert({ ...run, ...times }, 'runs');
        await insert({ run_id: id, organization_id });
        return;
      }
      case 'tool_executions':
        await insert({ ...(await execution()), created_at: at });
        return;
      case 'tool_steps': {
        const { conversation_id } = await conversation();
        await insert({ ...(await execution()), conversation_id, finished_at: at }, 'tool_executions');
        await insert({ execution_id: id, name: 'a' });
        return;
      }
      case 'gateway_events':
        await insert({ id, agent_id: await channel(), outcome: 'ignored', received_at: at });
        return;
      case 'attachment_pieces': {
        const { organization_id, conversation_id } = await conversation();
        const of = { id, organization_id, conversation_id };
        await insert({ ...of, run_id: id, run_ordinal: 1, seq: 1, origin: 'user', text: '' }, 'messages');
        await insert({ ...of, message_id: id, position: 0, state: 'unfetched' }, 'attachments');
        await insert({ attachment_id: id, attempt: id, position: 1, bytes: '', created_at: at });
        return;
      }
      case 'api_requests': {
        const request = { id, organization_id: await organization(), token_id: id, at };
        await insert({ ...request, method: 'GET', route: '/v1/agents', status: 200, duration_ms: 1 });
        return;
      }
      case 'channel_checks':
        await insert({ id, agent_id: await channel(), trigger: 'verify', requested_by: {}, created_at: at });
        return;
      case 'channel_hellos':
        await insert({
          ...{ id, agent_id: await channel(), request_id: id, number: '1', compared: '1', attempted_at: at },
        });
        return;
      case 'channel_answers':
        await insert({ agent_id: await channel(), day: at, answers: 1 });
        return;
      case 'credit_windows':
        await insert({
          ...{ organization_id: await organization(), scope: 'agent', subject: id, period: 'day' },
          ...{ starts_at: at, ends_at: at, max_credits: 1 },
        });
        return;
      case 'work_attempts':
        await insert({ id, unit: id, worker: id, begun_at: at });
        return;
      case 'worker_processes':
        await insert({ id, seen_at: at });
        return;
      case 'rate_limits':
        await insert({ key: id, calls: 1, ends_at: later });
        return;
      case 'sign_in_counters':
        await insert({ key: randomBytes(32), expires_at: later });
        return;
      case 'paces':
        await insert({ key: id, slots: [ago(40 * 24 * hour), at] });
        return;
      case 'console_sessions':
        await insert({ id, name: '', email: id }, 'console_users');
        await insert({ user_id: id, token: id, expires_at: later });
        return;
      case 'console_verifications':
        await insert({ identifier: id, value: '', expires_at: later });
        return;
      case 'console_invitations':
        await insert({ id, name: '', email: id }, 'console_users');
        await insert({
          ...{ organization_id: await organization(), email: id, inviter_id: id, expires_at: later },
          ...{ status: 'accepted', token_hash: id },
        });
        return;
      case 'mcp_clients':
        await insert({ id, name: '', redirect_uris: [], created_at: at });
        return;
      case 'mcp_grants': {
        await insert({ id, name: '', email: id }, 'console_users');
        await insert({ id, name: '', redirect_uris: [] }, 'mcp_clients');
        const texts = { resource: '', redirect_uri: '', code_challenge: '', code_hash: randomBytes(32) };
        await insert({
          ...{ id, organization_id: await organization(), user_id: id, client_id: id },
          ...{ ...texts, expires_at: later },
        });
        return;
      }
      case 'recoveries':
        await insert({ conversation_id: id, organization_id: id, due: '', found_at: at });
        return;
      default:
        throw new Error(`nothing is known of ${table}`);
    }
  }
});
