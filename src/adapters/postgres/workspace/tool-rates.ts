/**
 * Limits the rate of calls to a workspace with one token bucket for all workers, and blocks calls until the workspace's
 * Retry-After has passed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { WorkspaceHeldBack } from '../../../workspace/client/failures.ts';
import type { WorkspaceLimiter } from '../../../workspace/client/call.ts';
import { queryRow, queryRows, statement, type Database } from '../database.ts';

export interface Pace {
  perSecond: number;
  burst: number;
  /** Maximum milliseconds that `acquire` waits. If it had to wait longer, it throws, and the caller retries later. */
  maxWaitMs: number;
}

/**
 * Takes the next slot, and returns the milliseconds to wait for it. Returns no row if the workspace is blocked, or the
 * wait would exceed $4 ms. Slots are $2 ms apart; those of the next $3 ms (the burst) need no wait.
 */
const take = statement('take-tool-rate', z.object({ wait: z.number() }))`
  insert into tool_rates as r (workspace, arrives_at, blocked_until)
    values ($1, clock_timestamp() + make_interval(secs => $2::double precision / 1000), '-infinity')
    on conflict (workspace) do update
      set arrives_at = greatest(r.arrives_at, clock_timestamp()) + make_interval(secs => $2::double precision / 1000)
      where r.blocked_until <= clock_timestamp()
        and greatest(r.arrives_at, clock_timestamp()) - clock_timestamp()
          <= make_interval(secs => ($3::double precision + $4::double precision - $2::double precision) / 1000)
    returning greatest(0, extract(epoch from arrives_at - clock_timestamp()) * 1000 - $3)::double precision as wait`;

const look = statement('look-at-tool-rate', z.object({ blocked: z.number(), line: z.number() }))`
  select extract(epoch from greatest(blocked_until, clock_timestamp()) - clock_timestamp())::double precision * 1000 as blocked,
    greatest(0, extract(epoch from arrives_at - clock_timestamp()) * 1000 - $2)::double precision as line
    from tool_rates where workspace = $1`;

const block = statement('block-tool-rate')`
  insert into tool_rates as r (workspace, arrives_at, blocked_until)
    values ($1, clock_timestamp(), clock_timestamp() + make_interval(secs => $2::double precision / 1000))
    on conflict (workspace) do update set blocked_until = greatest(r.blocked_until, excluded.blocked_until)`;

/**
 * Creates a limiter for calls to a workspace. `acquire` waits for a slot. It throws WorkspaceHeldBack with the
 * milliseconds to wait if the workspace is blocked or the wait would exceed `pace.maxWaitMs`, and AbortError if its
 * signal is aborted during the wait. `blocked` blocks the workspace for its Retry-After.
 * @param workspace identifies the workspace; all organizations that are connected to it share its token bucket
 */
export function workspaceLimiter(db: Database, workspace: string, pace: Pace): WorkspaceLimiter {
  const apart = 1000 / pace.perSecond;
  const burst = apart * pace.burst;
  return {
    async acquire(signal) {
      const place = await queryRow(db, take, [workspace, apart, burst, pace.maxWaitMs]);
      if (place !== undefined) {
        if (place.wait > 0) await sleep(place.wait, undefined, signal === undefined ? {} : { signal });
        return;
      }
      const state = await queryRow(db, look, [workspace, burst]);
      throw new WorkspaceHeldBack(Math.ceil(Math.max(state?.blocked ?? 0, state?.line ?? 0, 100)));
    },
    async blocked(retryAfterMs) {
      await queryRows(db, block, [workspace, retryAfterMs]);
    },
  };
}
