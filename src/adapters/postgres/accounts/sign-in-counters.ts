/** Counts sign-in attempts in Postgres, so that all API processes count together. */
import { z } from 'zod';
import { queryRow, queryRows, statement, type Database } from '../database.ts';

/**
 * The delays of sign-in attempts. The delay after attempt number `free` is `firstSeconds`; it doubles with each further
 * attempt, up to `maxSeconds`.
 */
export interface DelayRule {
  /** Number of attempts without a delay. */
  readonly free: number;
  readonly firstSeconds: number;
  readonly maxSeconds: number;
  /** After this time without a counted attempt, the count starts again at 0. */
  readonly keepSeconds: number;
}

const count = statement('count-sign-in', z.object({ wait: z.number() }))`
  select count_sign_in($1, $2, $3, $4, $5) as wait`;

/**
 * Counts one attempt, unless the attempt must wait. Must be called before the password is checked, so that concurrent
 * attempts are counted too.
 * @returns 0 if the attempt was counted and may proceed; otherwise the whole seconds to wait
 */
export async function countSignIn(db: Database, key: Buffer, rule: DelayRule): Promise<number> {
  const values = [key, rule.free, rule.firstSeconds, rule.maxSeconds, rule.keepSeconds];
  return (await queryRow(db, count, values))?.wait ?? 0;
}

/**
 * True if the account is remembered at this address (see `forgiveSignIn`).
 * @param pair key of the combination of account and address
 */
export const isKnownAddress = statement('sign-in-known').hasRow<[pair: Buffer]>`
  select 1 from sign_in_counters where key = $1 and known_until > statement_timestamp()`;

const forgive = statement('forgive-sign-in')`select forgive_sign_in($1, $2, $3, $4)`;

/**
 * Resets the counters of an account after a successful sign-in, takes the attempt back from the address's counter, and
 * remembers the account at this address for `knownSeconds`. Not idempotent: a repeated call takes another attempt back.
 * If the account was already known at the address, the caller omits `account` and `address`, and their counters do not
 * change.
 */
export async function forgiveSignIn(
  db: Database,
  { pair, account, address }: { pair: Buffer; account?: Buffer; address?: Buffer },
  knownSeconds: number,
): Promise<void> {
  await queryRows(db, forgive, [pair, account ?? null, address ?? null, knownSeconds]);
}

const takeBack = statement('take-back-sign-ins')`
  select take_back_sign_in(key) from unnest($1::bytea[]) with ordinality as k (key, at) order by at`;

/**
 * Takes back one counted attempt of each key, and ends the key's delay. Called if the check failed without finding a
 * wrong password or code, for example because too many checks were waiting. Not idempotent.
 */
export async function takeBackSignIns(db: Database, keys: readonly Buffer[]): Promise<void> {
  if (keys.length > 0) await queryRows(db, takeBack, [keys]);
}
