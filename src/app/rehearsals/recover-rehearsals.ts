/**
 * Starts the workflows of up to `batch` rehearsals that are in progress but whose workflow seems to be lost, for
 * example because its start failed or it was terminated. A workflow that still runs continues unchanged.
 * @throws the first error of a start; the remaining rehearsals are due again later
 */
import { findDueRehearsals } from '../../adapters/postgres/rehearsals/rehearsal-turns.ts';
import type { ActivityDeps } from '../deps.ts';

const batch = 100;

export async function recoverRehearsals({
  db,
  startRehearsal,
}: Pick<ActivityDeps, 'db' | 'startRehearsal'>): Promise<void> {
  for (const due of await findDueRehearsals(db, batch)) await startRehearsal(due);
}
