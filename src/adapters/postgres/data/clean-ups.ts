/**
 * Deletes expired rows of tables that callers, users or strangers can fill, except the audit log, which has its own
 * retention. Other such tables need no cleanup, because their rows are deleted together with a row that the
 * organization can delete, such as a conversation.
 */
import { z } from 'zod';
import { rehearsalDays, requestLogDays } from '../../../contract/data/limits.ts';
import { queryRow, statement, type Database, type Statement } from '../database.ts';

const deleted = z.object({ rows: z.number() });

export interface CleanUp {
  table: string;
  /** SQL condition that is true for an expired row of the table, whose alias is `t`. */
  old: string;
  statement: Statement<z.infer<typeof deleted>>;
}

// The conditions use statement_timestamp(), so that Postgres can use an index. It uses none with clock_timestamp(),
// which changes between rows.
const day = `interval '1 day'`;
const hour = `interval '1 hour'`;

const conditions: [table: string, old: string][] = [
  ['idempotency_keys', `t.created_at < statement_timestamp() - ${day}`],
  // Callers can resume a stream for ten minutes after its run has ended. Later, they read the answer from the history.
  [
    'run_streams',
    `exists (select from runs r where r.id = t.run_id and r.finished_at < statement_timestamp() - interval '10 minutes')`,
  ],
  // Direct executions are kept as long as idempotency keys; other executions are erased with their conversation.
  ['tool_executions', `t.conversation_id is null and t.created_at < statement_timestamp() - ${day}`],
  // Steps are kept for a day after their execution has ended, because an abandoned attempt may still read them.
  [
    'tool_steps',
    `exists (select from tool_executions e where e.id = t.execution_id and e.finished_at < statement_timestamp() - ${day})`,
  ],
  // Ignored events are deleted after 7 days, all others after 30. The gateway keeps messages for 7 days, so it cannot
  // repeat a message that is 30 days old.
  [
    'gateway_events',
    `t.received_at < statement_timestamp() - interval '7 days'
       and (t.outcome = 'ignored' or t.received_at < statement_timestamp() - interval '30 days')`,
  ],
  // The daily limit of a channel counts only the answers of the current day.
  ['channel_answers', `t.day < (statement_timestamp() - interval '2 days')::date`],
  // request-log.ts also bounds the number of rows of each organization.
  ['api_requests', `t.at < statement_timestamp() - interval '${requestLogDays} days'`],
  // Attempts are deleted when their work has ended. Those of lost workers remain if the work was not retried.
  ['work_attempts', `t.begun_at < statement_timestamp() - ${day}`],
  // A worker's row must outlive its attempts, because lost_workers.sql counts a worker without a row as lost.
  ['worker_processes', `t.seen_at < statement_timestamp() - interval '2 days'`],
  // A completed fetch deletes its pieces. Pieces remain if the worker that fetched the file died.
  ['attachment_pieces', `t.created_at < statement_timestamp() - ${hour}`],
  // Hellos are kept for a day, so that a repeated request finds its hello.
  ['channel_hellos', `t.attempted_at < statement_timestamp() - ${day}`],
  ['channel_checks', `t.created_at < statement_timestamp() - ${day}`],
  // The next three tables limit rates. Each condition selects rows that no longer limit anything.
  ['rate_limits', `t.ends_at < statement_timestamp()`],
  ['sign_in_counters', `t.expires_at < statement_timestamp()`],
  ['paces', `greatest(t.slots[cardinality(t.slots)], t.blocked_until) < statement_timestamp() - ${hour}`],
  ['console_sessions', `t.expires_at < statement_timestamp() - ${day}`],
  ['console_verifications', `t.expires_at < statement_timestamp() - ${day}`],
  // The console shows an expired invitation for 30 days. Accepted and revoked ones are deleted at the same age.
  ['console_invitations', `t.expires_at < statement_timestamp() - interval '30 days'`],
  ['mcp_grants', `t.expires_at < statement_timestamp() - ${hour}`],
  [
    'mcp_clients',
    `t.created_at < statement_timestamp() - ${day} and not exists (select from mcp_grants g where g.client_id = t.id)`,
  ],
  // A call ends within minutes, so no call in progress counts in a window that ended a day ago.
  ['credit_windows', `t.ends_at < statement_timestamp() - ${day}`],
  // Retention erases a rehearsal's turns with their conversations, and a rehearsal without its turns is of little use.
  // So rehearsals are deleted by age, even if some of their turns remain.
  ['rehearsals', `t.created_at < statement_timestamp() - interval '${rehearsalDays} days'`],
  ['recoveries', `t.found_at < statement_timestamp() - ${hour}`],
];

export const cleanUps: readonly CleanUp[] = conditions.map(([table, old]) => ({
  table,
  old,
  statement: statement(`clean-up-${table.replaceAll('_', '-')}`, deleted)`
    with old as (select t.ctid from ${table} t where ${old} limit $1 for update skip locked)
      , gone as (delete from ${table} where ctid = any(array(select ctid from old)) returning 1)
    select count(*)::integer as rows from gone`,
}));

/** Deletes expired rows of one table, except locked ones. @returns how many rows were deleted, at most `maxRows` */
export async function deleteBatch(db: Database, cleanUp: CleanUp, maxRows: number): Promise<number> {
  const row = await queryRow(db, cleanUp.statement, [maxRows]);
  return row?.rows ?? 0;
}
