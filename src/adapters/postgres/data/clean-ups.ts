/**
 * Deletes expired rows of the tables that callers, users or strangers can fill. Excludes the audit log, which has its
 * own retention, and tables whose rows are deleted with a parent that the organization can delete, such as a
 * conversation.
 */
import { queryRow, statement, type Database, type Statement } from '../database.ts';

export interface CleanUp {
  table: string;
  /** SQL condition for expired rows of the table, whose alias is `t`. */
  old: string;
  statement: Statement;
}

// The conditions use statement_timestamp(). clock_timestamp() changes between rows, so Postgres would use no index.
const day = `interval '1 day'`;
const hour = `interval '1 hour'`;
const epochMs = 'extract(epoch from statement_timestamp()) * 1000';

const conditions: [table: string, old: string][] = [
  ['idempotency_keys', `t.created_at < statement_timestamp() - ${day}`],
  // Callers can resume a stream for ten minutes after its run has ended. Later, they read the answer from the history.
  [
    'run_streams',
    `exists (select from runs r where r.id = t.run_id and r.finished_at < statement_timestamp() - interval '10 minutes')`,
  ],
  // Direct executions are kept as long as idempotency keys; other executions are erased with their conversation.
  ['tool_executions', `t.conversation_id is null and t.created_at < statement_timestamp() - ${day}`],
  // Kept for a day after the execution's end, because an abandoned attempt may still run and must find its steps.
  [
    'tool_steps',
    `exists (select from tool_executions e where e.id = t.execution_id and e.finished_at < statement_timestamp() - ${day})`,
  ],
  // The gateway keeps messages for seven days, so it cannot repeat a message that is 30 days old.
  [
    'gateway_events',
    `t.received_at < statement_timestamp() - interval '7 days'
       and (t.outcome = 'ignored' or t.received_at < statement_timestamp() - interval '30 days')`,
  ],
  // Only the current day's answers count.
  ['channel_answers', `t.day < (statement_timestamp() - interval '2 days')::date`],
  // Attempts of lost workers whose work was not retried.
  ['work_attempts', `t.begun_at < statement_timestamp() - ${day}`],
  // A worker's row must outlive its attempts, because lost_workers.sql counts a worker without a row as lost.
  ['worker_processes', `t.seen_at < statement_timestamp() - interval '2 days'`],
  // File pieces left by fetches whose worker died.
  ['attachment_pieces', `t.created_at < statement_timestamp() - ${hour}`],
  // Kept for a day, in which a repeated request finds its hello.
  ['channel_hellos', `t.attempted_at < statement_timestamp() - ${day}`],
  ['channel_checks', `t.created_at < statement_timestamp() - ${day}`],
  // The next four are counters whose time window has ended.
  ['rate_limits', `t.expire < ${epochMs}`],
  ['sign_in_counters', `t.expires_at < statement_timestamp()`],
  ['gateway_rates', `t.sent_at[cardinality(t.sent_at)] < statement_timestamp() - ${hour}`],
  ['tool_rates', `greatest(t.arrives_at, t.blocked_until) < statement_timestamp() - ${hour}`],
  ['console_sessions', `t.expires_at < statement_timestamp() - ${day}`],
  ['console_verifications', `t.expires_at < statement_timestamp() - ${day}`],
  // Invitations are shown as expired for 30 days. Accepted and revoked ones are deleted at the same age.
  ['console_invitations', `t.expires_at < statement_timestamp() - interval '30 days'`],
  ['mcp_grants', `t.expires_at < statement_timestamp() - ${hour}`],
  [
    'mcp_clients',
    `t.created_at < statement_timestamp() - ${day} and not exists (select from mcp_grants g where g.client_id = t.id)`,
  ],
  // A call that begins in a window is settled within minutes of the window's end.
  ['credit_windows', `t.ends_at < statement_timestamp() - ${day}`],
  // Retention erases the turns with their conversations, and a rehearsal without turns has little use. Chosen.
  ['rehearsals', `t.created_at < statement_timestamp() - interval '90 days'`],
  ['recoveries', `t.looked_at < statement_timestamp() - ${hour}`],
];

export const cleanUps: readonly CleanUp[] = conditions.map(([table, old]) => ({
  table,
  old,
  statement: statement(`clean-up-${table.replaceAll('_', '-')}`)`
    with old as (select t.ctid from ${table} t where ${old} limit $1 for update skip locked)
      , gone as (delete from ${table} where ctid = any(array(select ctid from old)) returning 1)
    select count(*)::integer as rows from gone`,
}));

/** Deletes expired rows of one table. @returns how many rows were deleted, at most `most` */
export async function deleteBatch(db: Database, cleanUp: CleanUp, most: number): Promise<number> {
  const row = await queryRow<{ rows: number }>(db, cleanUp.statement, [most]);
  return row?.rows ?? 0;
}
