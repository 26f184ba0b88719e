/**
 * Carries out due erasures: those that an API call did not complete, and those of organizations and workflow
 * histories. Also erases runs and messages that are older than their organization's retention.
 */
import { findDueErasures, postponeErasure } from '../../adapters/postgres/data/erasures.ts';
import { eraseExpiredData, findExpired } from '../../adapters/postgres/data/retention.ts';
import type { ActivityDeps } from '../deps.ts';
import { carryOutErasure, type Eraser } from './carry-out-erasure.ts';

type EraseDeps = Eraser & Pick<ActivityDeps, 'warn'>;

/**
 * Milliseconds for which a round erases data. Afterwards, it begins no further erasure. Requested erasures and expired
 * conversations have separate rounds. Chosen.
 */
const budgetMs = 10_000;
const batch = 200;
const againSeconds = 30;

/**
 * Carries out due erasures. If one fails, logs the error, and makes it due again after `againSeconds`.
 * @returns how many erasures it processed, including those that failed
 */
export async function eraseDue(deps: EraseDeps): Promise<number> {
  const due = await findDueErasures(deps.db, batch);
  return await each(due, async (erasure, hasTime) => {
    const { id: erasure_id, kind } = erasure;
    try {
      await carryOutErasure(deps, erasure, hasTime);
    } catch (err) {
      // A failing erasure must not delay the others.
      deps.warn({ erasure_id, kind, err }, 'an erasure failed and is retried later');
      await postponeErasure(deps.db, erasure_id, againSeconds);
    }
  });
}

/**
 * Erases expired conversations, and the expired runs and messages of conversations that also have newer ones. If one
 * fails, logs the error.
 * @returns how many conversations it processed, including those that failed, which the next round finds again
 */
export async function eraseExpired({ db, warn }: EraseDeps): Promise<number> {
  return await each(await findExpired(db, batch), async (expired, hasTime) => {
    try {
      await eraseExpiredData(db, expired, hasTime);
    } catch (err) {
      // A failing conversation must not delay the others.
      warn({ conversation_id: expired.id, err }, 'an expired conversation could not be erased');
    }
  });
}

/** Processes the items one by one until the time runs out. @returns how many it processed */
async function each<T>(
  due: readonly T[],
  erase: (one: T, hasTime: () => boolean) => Promise<void>,
): Promise<number> {
  const end = performance.now() + budgetMs;
  const hasTime = () => performance.now() < end;
  let processed = 0;
  for (const one of due) {
    if (!hasTime()) break;
    processed += 1;
    await erase(one, hasTime);
  }
  return processed;
}
