/** Finishes due erasures: those that an API call did not complete, organizations, and workflow histories. */
import type { ActivityDeps } from '../deps.ts';
import { carryOutErasure, type Eraser } from './carry-out-erasure.ts';
import { findDueErasures, postponeErasure } from '../../adapters/postgres/data/erasures.ts';

/** Maximum time of one run, so that other recovery work is not delayed. */
const budgetMs = 10_000;
const batch = 200;
const againSeconds = 30;

/** @returns how many erasures were processed */
export async function eraseDue(deps: Eraser & Pick<ActivityDeps, 'warn'>): Promise<number> {
  const end = performance.now() + budgetMs;
  const goOn = () => performance.now() < end;
  let looked = 0;
  for (const erasure of await findDueErasures(deps.db, batch)) {
    if (!goOn()) break;
    looked += 1;
    try {
      await carryOutErasure(deps, erasure, goOn);
    } catch (error) {
      // A failing erasure must not delay the others.
      deps.warn(
        { erasure_id: erasure.id, kind: erasure.kind, err: error },
        'an erasure failed and is tried again later',
      );
      await postponeErasure(deps.db, erasure.id, againSeconds);
    }
  }
  return looked;
}
