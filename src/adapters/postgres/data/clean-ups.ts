/** What is deleted by its age, table by table. Everything that a call, a person at the console or a stranger can make more
 *  of stands here, or belongs to a row that an organization keeps as long as it wants. */
import { queryRows, type Database, type Statement } from '../database.ts';

export interface CleanUp {
  table: string;
  /** Tells which rows nobody needs any more, as a condition on the table under the name `t`. */
  old: string;
  statement: Statement;
}

// statement_timestamp() and not clock_timestamp(), which changes from row to row: no index by age would serve it.
const day = `interval '1 day'`;
const hour = `interval '1 hour'`;
const epochMs = 'extract(epoch from statement_timestamp()) * 1000';

const conditions: [table: string, old: string][] = [
  ['idempotency_keys', `t.created_at < statement_timestamp() - ${day}`],
  // Nobody resumes a stream ten minutes after its run: its answer is in the history.
  [
    'run_streams',
    `exists (select from runs r where r.id = t.run_id and r.finished_at < statement_timestamp() - interval '10 minutes')`,
  ],
  // Kept as long as an Idempotency-Key. Those of a conversation stay with it.
  ['tool_executions', `t.conversation_id is null and t.created_at < statement_timestamp() - ${day}`],
  // An attempt that was given up may still run, and must find its steps.
  [
    'tool_steps',
    `exists (select from tool_executions e where e.id = t.execution_id and e.finished_at < statement_timestamp() - ${day})`,
  ],
  // The gateway keeps its own copies for seven days: an id older than a month cannot come again.
  [
    'gateway_events',
    `t.received_at < statement_timestamp() - interval '7 days'
       and (t.outcome = 'ignored' or t.received_at < statement_timestamp() - interval '30 days')`,
  ],
  // Only those of the day count.
  ['channel_answers', `t.day < (statement_timestamp() - interval '2 days')::date`],
  // Of workers that were lost at what nobody takes up any more.
  ['work_attempts', `t.begun_at < statement_timestamp() - ${day}`],
  // After the last of its attempts.
  ['worker_processes', `t.seen_at < statement_timestamp() - interval '2 days'`],
  // Of attempts whose worker died.
  ['attachment_pieces', `t.created_at < statement_timestamp() - ${hour}`],
  ['channel_checks', `t.created_at < statement_timestamp() - ${day}`],
  // Counters, once nothing is counted in them.
  ['sign_in_attempts', `t.expire < ${epochMs}`],
  ['rate_limits', `t.expire < ${epochMs}`],
  ['gateway_rates', `t.sent_at[cardinality(t.sent_at)] < statement_timestamp() - ${hour}`],
  ['tool_rates', `greatest(t.arrives_at, t.blocked_until) < statement_timestamp() - ${hour}`],
  ['console_sessions', `t.expires_at < statement_timestamp() - ${day}`],
  ['console_verifications', `t.expires_at < statement_timestamp() - ${day}`],
  ['mcp_grants', `t.expires_at < statement_timestamp() - ${hour}`],
  [
    'mcp_clients',
    `t.created_at < statement_timestamp() - ${day} and not exists (select from mcp_grants g where g.client_id = t.id)`,
  ],
  ['recoveries', `t.looked_at < statement_timestamp() - ${hour}`],
];

export const cleanUps: readonly CleanUp[] = conditions.map(([table, old]) => ({
  table,
  old,
  statement: {
    name: `clean-up-${table.replaceAll('_', '-')}`,
    text: `with old as (select t.ctid from ${table} t where ${old} limit $1 for update skip locked)
           , gone as (delete from ${table} where ctid = any(array(select ctid from old)) returning 1)
           select count(*)::integer as rows from gone`,
  },
}));

/** @returns how many rows were deleted, `most` at most */
export async function deleteBatch(db: Database, { statement }: CleanUp, most: number): Promise<number> {
  const [row] = await queryRows<{ rows: number }>(db, statement, [most]);
  return row?.rows ?? 0;
}
