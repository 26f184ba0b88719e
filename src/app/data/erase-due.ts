/** What is to be erased and has not been yet: what a call did not finish, organizations, histories. */
import { log } from '@temporalio/activity';
import { carryOutErasure, type Eraser } from './carry-out-erasure.ts';
import { findDueErasures, postponeErasure } from '../../adapters/postgres/data/erasures.ts';

/** Of one look: what was left behind elsewhere waits meanwhile. */
const budgetMs = 10_000;
const batch = 200;
const againSeconds = 30;

/** @returns how many were looked at */
export async function eraseDue(deps: Eraser): Promise<number> {
  const end = performance.now() + budgetMs;
  const goOn = () => performance.now() < end;
  let looked = 0;
  for (const erasure of await findDueErasures(deps.db, batch)) {
    if (!goOn()) break;
    looked += 1;
    try {
      await carryOutErasure(deps, erasure, goOn);
    } catch (error) {
      // One that fails must not hold up the others.
      log.warn('an erasure is tried again later', { erasureId: erasure.id, kind: erasure.kind, error });
      await postponeErasure(deps.db, erasure.id, againSeconds);
    }
  }
  return looked;
}
