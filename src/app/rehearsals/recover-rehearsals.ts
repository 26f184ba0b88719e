/** Starts the workflows of rehearsals again whose start was lost, or that were terminated. */
import { findDueRehearsals } from '../../adapters/postgres/rehearsals/rehearsal-turns.ts';
import type { ActivityDeps } from '../deps.ts';

const batch = 100;

export async function recoverRehearsals({
  db,
  startRehearsal,
}: Pick<ActivityDeps, 'db' | 'startRehearsal'>): Promise<void> {
  for (const due of await findDueRehearsals(db, batch)) await startRehearsal(due);
}
