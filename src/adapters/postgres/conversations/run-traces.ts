/** Stores the traces of a run's inputs, and reads them with the times of the run's spans. */
import { z } from 'zod';
import { runMode } from '../../../contract/conversations/timeline.ts';
import { activeTraceparent } from '../../../observability/spans.ts';
import { queryRow, queryRows, statement, type Database } from '../database.ts';

const runTrace = z.object({
  run_id: z.string(),
  organization_id: z.string(),
  conversation_id: z.string(),
  mode: runMode,
  /** When the run was opened. All times are in epoch milliseconds. */
  opened_ms: z.number(),
  /** When the run was due. */
  closes_ms: z.number(),
  claimed_ms: z.number().nullable(),
  has_ended: z.boolean(),
  /** The traces of the run's inputs, in order of acceptance; a follow-up has those of the run that it follows. */
  parents: z.array(z.object({ traceparent: z.string(), at_ms: z.number() })),
});
export type RunTrace = z.infer<typeof runTrace>;

/** @param run SQL expression of a run's id, using `$1` */
const traceOf = (name: string, run: string) => statement(`trace-of-${name}`, runTrace)`
  select r.id as run_id, r.organization_id, r.conversation_id, r.mode, r.finished_at is not null as has_ended,
      extract(epoch from r.opened_at)::double precision * 1000 as opened_ms,
      extract(epoch from r.closes_at)::double precision * 1000 as closes_ms,
      extract(epoch from r.claimed_at)::double precision * 1000 as claimed_ms, traces.parents
    from runs r, lateral (
      select jsonb_agg(jsonb_build_object('traceparent', t.traceparent, 'at_ms', extract(epoch from t.accepted_at) * 1000)
                       order by t.accepted_at) as parents
        from run_traces t where t.run_id = coalesce(r.follow_up_of, r.id)) traces
    where r.id = ${run} and traces.parents is not null`;

const statements = {
  run: traceOf('run', '$1'),
  delivery: traceOf('delivery', '(select d.run_id from deliveries d where d.id = $1)'),
  attachment: traceOf(
    'attachment',
    '(select m.run_id from attachments a join messages m on m.id = a.message_id where a.id = $1)',
  ),
} as const;

/**
 * Finds a run's trace by the id of the run, a delivery or an attachment.
 * @returns undefined if there is no such run, or no trace is stored for it
 */
export async function findRunTrace(
  db: Database,
  of: keyof typeof statements,
  id: string,
): Promise<RunTrace | undefined> {
  return await queryRow(db, statements[of], [id]);
}

const keep = statement('keep-run-trace')`
  insert into run_traces (run_id, organization_id, traceparent)
    select id, organization_id, $2 from runs where id = coalesce((select run_id from messages where id = $1), $1)
    on conflict do nothing`;

/**
 * Adds the current trace, if there is one, to the traces of a run. Idempotent.
 * @param id id of the run, or of one of its inputs
 */
export async function keepRunTrace(db: Database, id: string): Promise<void> {
  const traceparent = activeTraceparent();
  if (traceparent !== undefined) await queryRows(db, keep, [id, traceparent]);
}
