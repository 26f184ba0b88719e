/** Counts the runs of all organizations that have not ended, for monitoring. */
import { z } from 'zod';
import { statement } from '../database.ts';

const openRuns = z.object({
  state: z.enum(['collecting', 'ready', 'running']),
  count: z.number(),
  /**
   * Seconds since the run with the earliest due time was due; 0 if no run is due. Excludes runs that wait for their
   * conversation's run in progress or for a person's approval, because they do not wait for a worker.
   */
  oldest_seconds: z.number(),
});
export type OpenRuns = z.infer<typeof openRuns>;

/** @returns one entry per state, with a count of 0 if no run has the state */
export const countOpenRuns = statement('open-runs', openRuns).rows<[]>`
  select s.state, count(r.id)::integer as count,
      greatest(0, coalesce(extract(epoch from clock_timestamp() - min(r.closes_at) filter (
        where not exists (select from approvals a where a.run_id = r.id and a.status = 'waiting')
          and (r.state = 'running' or not exists (
            select from runs p where p.conversation_id = r.conversation_id and p.state = 'running')))), 0))::double precision
        as oldest_seconds
    from unnest(array['collecting', 'ready', 'running']) as s(state)
      left join runs r on r.state = s.state and r.state in ('collecting', 'ready', 'running') group by s.state`;
