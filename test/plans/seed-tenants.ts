/** Two organizations with a million messages in all, generated in SQL. */
import pg from 'pg';

export const seeded = {
  conversations: 20_000,
  runsInConversation: 5,
  questionsInRun: 4,
  /** The first conversation of each organization is this many times as long as the others. */
  longConversation: 400,
  agents: 400,
  /** Messages without a run that end every tenth conversation, the first among them. */
  quietMessages: 2,
  /** Rows of the log: more than remain after trimming, and enough for the table to count as large. */
  requests: 6000,
} as const;

const kinds = [
  ...['organization', 'agent', 'inbox', 'token', 'conversation', 'run', 'question', 'answer', 'delivery'],
  ...[
    'attachment',
    'execution',
    'event',
    'contact',
    'audit',
    'user',
    'mcp_client',
    'mcp_grant',
    'quiet',
    'request',
    'note',
  ],
] as const;
type Kind = (typeof kinds)[number];

const prefix = (kind: Kind, organization: number) =>
  `${String(kinds.indexOf(kind)).padStart(4, '0')}${String(organization).padStart(4, '0')}-0000-7000-8000-`;

/**
 * The id of a seeded row.
 * @param organization 1 or 2
 * @param n from 1; of a run and what hangs on it: `runNumber`
 */
export function seedId(kind: Kind, organization: number, n = 0): string {
  return prefix(kind, organization) + String(n).padStart(12, '0');
}

/** The number of a run. */
export function runNumber(conversation: number, ordinal: number): number {
  return conversation * 10_000 + ordinal;
}

/** Takes some seconds on 2 idle cores: indexes are dropped for as long as rows come. */
export async function seedTenants(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      "set synchronous_commit = off; set maintenance_work_mem = '256MB'; set session_replication_role = replica",
    );
    const { constraints, indexes } = await dropIndexes(client);
    for (const organization of [1, 2]) for (const sql of rows(organization)) await client.query(sql);
    for (const sql of [...constraints, ...indexes]) await client.query(sql);
    await client.query('analyze');
  } finally {
    await client.end();
  }
}

/** @returns what makes them again: keys before the foreign keys that need them */
async function dropIndexes(client: pg.Client): Promise<{ constraints: string[]; indexes: string[] }> {
  const { rows: constraints } = await client.query<{ drop: string; make: string }>(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
           format('alter table %s add constraint %I %s%s', conrelid::regclass, conname, pg_get_constraintdef(oid),
                  case when contype = 'f' then ' not valid' end) as make
      from pg_constraint where connamespace = 'public'::regnamespace and contype in ('f', 'u', 'p')
      order by contype = 'f'`);
  for (const { drop } of constraints.toReversed()) await client.query(drop);
  const { rows: indexes } = await client.query<{ name: string; make: string }>(
    `select indexname as name, indexdef as make from pg_indexes where schemaname = 'public'`,
  );
  for (const { name } of indexes) await client.query(`drop index ${client.escapeIdentifier(name)}`);
  return { constraints: constraints.map(({ make }) => make), indexes: indexes.map(({ make }) => make) };
}

/** Spread over two years, the newest a minute ago. */
const at = (n: string, of: string) =>
  `now() - interval '1 minute' - (${of} - ${n}) * (interval '730 days' / ${of})`;

function rows(o: number): string[] {
  const {
    conversations,
    runsInConversation,
    questionsInRun,
    longConversation,
    agents,
    quietMessages,
    requests,
  } = seeded;
  /** @param n an SQL expression of a number */
  const id = (kind: Kind, n = '0') => `('${prefix(kind, o)}' || lpad((${n})::text, 12, '0'))::uuid`;
  const organization = id('organization');
  const agentOf = (n: string) => id('agent', `1 + ${n} % ${agents}`);
  const messagesInRun = questionsInRun + 1;
  const runsOf = (c: string) =>
    `case when ${c} = 1 then ${runsInConversation * longConversation} else ${runsInConversation} end`;
  const runs = `
    select c, r, c * 10000::bigint + r as n, ${at('c', String(conversations))} + r * interval '1 second' as at
      from generate_series(1, ${conversations}) c,
           generate_series(1, ${runsOf('c')}) r`;
  const quietOf = (c: string) =>
    `case when ${c} = 1 then ${quietMessages * longConversation} when ${c} % 10 = 1 then ${quietMessages} else 0 end`;
  const quiet = `
    select c, q, c * 10000::bigint + ${runsOf('c')} + q as n, ${runsOf('c')} + q as ordinal, ${messagesInRun} * ${runsOf('c')} + q as seq,
           ${at('c', String(conversations))} as at
      from generate_series(1, ${conversations}) c, generate_series(1, ${quietOf('c')}) q`;
  return [
    `insert into organizations (id, name, monthly_credit_limit, monthly_message_limit, credit_caps)
       values (${organization}, 'organization ${o}', 1e9, 1000000000, '{"day": 1000000, "conversation_month": 1000000}')`,
    `insert into api_tokens (id, organization_id, name, prefix, secret_hash)
       select ${id('token', 'n')}, ${organization}, 'token ' || n, 'pk_x', sha256((${o} || ':' || n)::bytea) from generate_series(1, 50) n`,
    `insert into agents (id, organization_id, name, inbox_id)
       select ${id('agent', 'n')}, ${organization}, 'agent ' || n, ${id('inbox', 'n')} from generate_series(1, ${agents}) n`,
    `insert into inboxes (id, organization_id, agent_id)
       select ${id('inbox', 'n')}, ${organization}, ${id('agent', 'n')} from generate_series(1, ${agents}) n`,
    `insert into conversations (id, organization_id, target_id, agent_id, contact_id, contact_name, channel, channel_contact_id, last_seq, last_ordinal, is_test, waiting_since, done_at, assignee_id, created_at, updated_at)
       select ${id('conversation', 'c')}, ${organization}, ${agentOf('c')}, ${agentOf('c')}, 'contact ' || c, 'Contact ' || c,
              case when c % 5 = 0 then 'whatsapp' else 'api' end, case when c % 5 = 0 then ${id('contact', 'c')} end,
              ${messagesInRun} * ${runsOf('c')} + ${quietOf('c')}, ${runsOf('c')} + ${quietOf('c')}, c % 200 = 0, case when c % 100 = 0 then now() end, case when c % 20 <> 0 then now() end, case when c % 400 = 0 then ${id('user', '1')} end,
              ${at('c', String(conversations))}, ${at('c', String(conversations))}
         from generate_series(1, ${conversations}) c`,
    `insert into runs (id, organization_id, conversation_id, ordinal, mode, state, opened_at, closes_at, cap_at, message_count, agent_id, agent_version, claimed_at, claimed_by, finished_at, prices)
       select ${id('run', 'n')}, ${organization}, ${id('conversation', 'c')}, r, 'single', 'answered', at, at, at, ${questionsInRun}, ${agentOf('c')}, 1, at, 'seed', at, '{}'
         from (${runs}) x`,
    `insert into messages (id, organization_id, conversation_id, run_id, run_ordinal, seq, origin, text, created_at, written_at)
       select ${id('question', 'n * 10 + q')}, ${organization}, ${id('conversation', 'c')}, ${id('run', 'n')}, r, (r - 1) * ${messagesInRun} + q,
              'user', 'text ' || n, at, at
         from (${runs}) x, generate_series(1, ${questionsInRun}) q`,
    `insert into messages (id, organization_id, conversation_id, run_id, run_ordinal, seq, origin, text, agent_id, agent_name, created_at, written_at)
       select ${id('answer', 'n')}, ${organization}, ${id('conversation', 'c')}, ${id('run', 'n')}, r, r * ${messagesInRun},
              'agent', 'text ' || n, ${agentOf('c')}, 'agent', at, at
         from (${runs}) x`,
    `insert into messages (id, organization_id, conversation_id, run_ordinal, seq, origin, text, agent_id, agent_name, created_at, written_at)
       select ${id('quiet', 'n')}, ${organization}, ${id('conversation', 'c')}, ordinal, seq, (array['user', 'human_agent', 'phone'])[1 + q % 3],
              'text ' || n, case when q % 3 > 0 then ${agentOf('c')} end, case when q % 3 > 0 then 'A person' end, at, at
         from (${quiet}) x`,
    `insert into run_steps (run_id, step, agent_id, kind, text, model, credits, message_id, created_at)
       select ${id('run', 'n')}, 0, ${agentOf('c')}, 'answer', '', 'scripted/default', 1, ${id('answer', 'n')}, at from (${runs}) x`,
    `insert into run_tokens (run_id, organization_id, token_id)
       select ${id('run', 'n')}, ${organization}, ${id('token', '1 + c % 50')} from (${runs}) x`,
    `insert into tool_calls (run_id, step, position, call_id, name, input, status)
       select ${id('run', 'n')}, 0, 0, 'call', 'DOCS_LIST_USERS', '{}', 'succeeded' from (${runs}) x where c % 5 = 0`,
    `insert into deliveries (id, organization_id, conversation_id, run_id, message_id, of_agent_id, event, kind, url, status, created_at, finished_at)
       select ${id('delivery', 'n')}, ${organization}, ${id('conversation', 'c')}, ${id('run', 'n')}, ${id('answer', 'n')}, ${agentOf('c')},
              'message.completed', 'callback', 'https://example.com/callback', case when n % 100 = 0 then 'failed' else 'delivered' end, at, at
         from (${runs}) x where r <= 3`,
    `insert into deliveries (id, organization_id, conversation_id, message_id, of_agent_id, event, kind, recipient, status, created_at, finished_at)
       select ${id('delivery', 'n')}, ${organization}, ${id('conversation', 'c')}, ${id('quiet', 'n')}, ${agentOf('c')}, 'message.completed', 'channel_reply',
              c::text, 'delivered', at, at
         from (${quiet}) x where q % 3 = 1`,
    `insert into idempotency_keys (token_id, path, key, request_hash, conversation_id, run_id, message_id, debounced, status, created_at)
       select ${id('token', '1 + c % 50')}, '/v1/chat', n::text, '', ${id('conversation', 'c')}, ${id('run', 'n')}, ${id('question', 'n * 10 + 1')}, false, 202, now()
         from (${runs}) x where r = 1`,
    `insert into attachments (id, organization_id, conversation_id, message_id, position, state, filename, content_type, size, content)
       select ${id('attachment', 'n')}, ${organization}, ${id('conversation', 'c')}, ${id('question', 'n * 10 + 1')}, 0, 'stored', 'a.txt', 'text/plain', 1, 'x'
         from (${runs}) x where r = 2`,
    `insert into tool_executions (id, organization_id, conversation_id, origin, requested_by, action, input, status, data, created_at, finished_at)
       select ${id('execution', 'n')}, ${organization}, case when c % 2 = 0 then ${id('conversation', 'c')} end, 'seed:${o}:' || n, '{}', case when c % 100 = 0 then 'rare_tool' else 'DOCS_LIST_USERS' end, '{}', 'succeeded', '', at, at
         from (${runs}) x where r = 3 and c > 1`,
    `insert into channels (agent_id, organization_id, state, webhook_secret, webhook_secret_hash, next_check_at)
       select ${id('agent', 'n')}, ${organization}, 'connected', 'x', sha256(('secret' || ${o} || ':' || n)::bytea), now() + interval '1 hour' from generate_series(1, ${agents}) n`,
    `insert into channel_contacts (id, agent_id, contact_id, phone, lid)
       select ${id('contact', 'c')}, ${agentOf('c')}, 'contact ' || c, c::text, null from generate_series(1, ${conversations}) c`,
    `insert into gateway_events (id, agent_id, gateway_message_id, outcome, message_id, conversation_id, received_at)
       select ${id('event', 'n')}, ${agentOf('c')}, 'G' || n, 'accepted', ${id('question', 'n * 10 + 1')}, ${id('conversation', 'c')}, at
         from (${runs}) x where r <= 2`,
    `insert into gateway_sends (delivery_id, part_no, agent_id, status, attempted_at, gateway_message_id)
       select ${id('delivery', 'n')}, 1, ${agentOf('c')}, 'sent', at, 'S' || n from (${runs}) x where r <= 2 and c % 5 = 0`,
    `insert into console_users (id, name, email)
       select ${id('user', 'n')}, 'x', '${o}-' || n || '@example.com' from generate_series(1, ${conversations}) n`,
    `insert into console_members (organization_id, user_id, role, inbox_read_at) values (${organization}, ${id('user', '1')}, 'admin', '-infinity')`,
    `insert into conversation_reads (conversation_id, user_id, organization_id, seen_seq)
       select ${id('conversation', 'c')}, ${id('user', '1')}, ${organization}, 20 from generate_series(1, ${conversations}) c where c % 2 = 0`,
    `insert into conversation_notes (id, organization_id, conversation_id, author_id, author_name, text, created_at)
       select ${id('note', 'c')}, ${organization}, ${id('conversation', 'c')}, ${id('user', '1')}, 'A member', 'a note', ${at('c', String(conversations))}
         from generate_series(1, ${conversations}) c`,
    `insert into mcp_clients (id, name, redirect_uris, consented)
       select ${id('mcp_client', 'n')}, 'x', '{https://x.example/}', true from generate_series(1, ${conversations}) n`,
    `insert into mcp_grants (id, organization_id, user_id, client_id, resource, redirect_uri, code_challenge, code_hash, code_used_at, access_hash, access_expires_at, refresh_hash, expires_at, created_at)
       select ${id('mcp_grant', 'n')}, ${organization}, ${id('user', 'n')}, ${id('mcp_client', 'n')}, 'x', 'x', 'x', sha256(('code' || ${o} || ':' || n)::bytea), now(),
              sha256(('access' || ${o} || ':' || n)::bytea), now() + interval '1 hour', sha256(('refresh' || ${o} || ':' || n)::bytea), now() + interval '30 days', ${at('n', String(conversations))}
         from generate_series(1, ${conversations}) n`,
    // The newest have no place in the hash chain yet, the oldest are older than their retention.
    `insert into audit_log (id, organization_id, at, actor, action, target, position, hash)
       select ${id('audit', 'n')}, ${organization}, now() - case when n < 2000 then interval '400 days' else interval '0' end,
              'somebody', 'token_created', 'x', case when n < ${conversations} - 100 then n end,
              case when n < ${conversations} - 100 then sha256('x') end
         from generate_series(1, ${conversations}) n`,
    `insert into api_requests (organization_id, id, token_id, at, method, route, status, code, duration_ms)
       select ${organization}, ${id('request', 'n')}, ${id('token', '1 + n % 50')}, now() - case when n < 1000 then interval '8 days' else interval '0' end,
              'GET', '/v1/agents', case when n % 3 = 0 then 404 else 200 end, case when n % 3 = 0 then 'not_found' end, 1
         from generate_series(1, ${requests}) n`,
    `insert into audit_chains (organization_id, position) values (${organization}, ${conversations} - 101)`,
  ];
}
