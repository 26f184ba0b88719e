/**
 * Reserves and settles the credits of model calls under caps. The SQL files in `../functions` document what each
 * function guarantees.
 */
import { z } from 'zod';
import type { CreditCaps } from '../../../contract/data/credit-caps.ts';
import { queryResult, queryRows, resultRow, statement, type Database } from '../database.ts';

const reservation = z.discriminatedUnion('next', [
  z.object({ next: z.enum(['free', 'reserved']) }),
  z.object({ next: z.literal('busy'), expired: z.boolean() }),
  z.object({
    next: z.literal('full'),
    scope: z.enum(['organization', 'token', 'agent', 'contact', 'conversation']),
    period: z.enum(['day', 'month']),
    max_credits: z.number(),
  }),
]);
export type Reservation = z.infer<typeof reservation>;

const reserve = statement('reserve-credits', resultRow(reservation))`
  select reserve_credits($1, $2, $3, $4, $5) as result`;

/**
 * Ends a reservation (see `functions/settle_credits.sql`). Idempotent.
 * @param credits the cost of the call; null if it is unknown, in which case the reserved maximum counts
 * @returns false if the reservation had already ended
 */
export const settleCredits = statement('settle-credits', z.boolean()).result<
  [id: string, credits: number | null]
>`
  select settle_credits($1, $2) as result`;

/**
 * Ends reservations that were not settled within the time limit of their calls, and counts each in full (see
 * `functions/expire_credits.sql`).
 * @param organizationId if null, ends the reservations of all organizations
 * @returns the number of ended reservations, at most maxExpired
 */
export const expireCredits = statement('expire-credits', z.number()).result<[organizationId: string | null]>`
  select expire_credits($1) as result`;

const usedCap = z.object({ period: z.enum(['day', 'month']), used: z.number(), cap: z.number() });
export type UsedCap = z.infer<typeof usedCap>;

const usedCaps = statement('used-caps', usedCap)`
  select k.period, coalesce(w.settled, 0)::double precision as used, k.cap::double precision as cap
    from organizations o
      cross join lateral (values ('day', o.credit_caps->'day'), ('month', o.credit_caps->'month')) k (period, cap)
      left join credit_windows w on (w.organization_id, w.scope, w.subject, w.period, w.starts_at)
        = (o.id, 'organization', o.id, k.period, date_trunc(k.period, clock_timestamp(), 'utc'))
    where o.id = $1 and k.cap is not null`;

/** @returns the organization's own caps, with the credits that count against them today and this month (UTC) */
export const findUsedCaps = async (db: Database, organizationId: string): Promise<UsedCap[]> =>
  await queryRows(db, usedCaps, [organizationId]);

export interface CreditCall {
  id: string;
  organizationId: string;
  /**
   * Id of the run that makes the call, or of the agent if the call belongs to no run. If null, only the organization's
   * caps apply.
   */
  runId: string | null;
  /** Maximum cost of the call, in credits. */
  credits: number;
  /** Seconds from now within which the call ends. */
  seconds: number;
}

/**
 * Reserves the maximum cost of a call under every cap that applies to it (see `functions/reserve_credits.sql`).
 * @returns `free` if no cap applies; `reserved` if the call may be made, and must then be settled; `busy` if it may fit
 * once calls in progress are settled (`expired` is true if `expireCredits` would end reservations of the organization
 * now); `full` with the cap if it cannot fit
 */
export async function reserveCredits(
  db: Database,
  { id, organizationId, runId, credits, seconds }: CreditCall,
): Promise<Reservation> {
  return await queryResult(db, reserve, [id, organizationId, runId, credits, seconds]);
}

/** Maximum reservations that one statement ends. Must equal the limit in `functions/expire_credits.sql`. */
export const maxExpired = 100;

/** @returns the value of a column `credit_caps` for these caps: JSON text, or null if there are none */
export function capsColumn(caps: CreditCaps | null): string | null {
  return caps === null || Object.keys(caps).length === 0 ? null : JSON.stringify(caps);
}

/** @returns a copy of `set` in which `credit_caps`, if it is given, is converted to the value of its column */
export function withCapsColumn<S extends { credit_caps?: CreditCaps | null | undefined }>(
  set: S,
): Omit<S, 'credit_caps'> & { credit_caps?: string | null } {
  const { credit_caps, ...rest } = set;
  return { ...rest, ...(credit_caps !== undefined && { credit_caps: capsColumn(credit_caps) }) };
}
