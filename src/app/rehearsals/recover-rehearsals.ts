/**
 * Starts the workflows of rehearsals that seem to be lost: their start failed, or they were terminated. A workflow that
 * still runs continues unchanged.
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
