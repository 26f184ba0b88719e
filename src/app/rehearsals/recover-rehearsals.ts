/** Starts workflows of rehearsals again: those whose start was lost, and those that were terminated. */
import { findDueRehearsals } from '../../adapters/postgres/rehearsals/rehearsal-turns.ts';
import type { ActivityDeps } from '../deps.ts';

const batch = 100;

export async function recoverRehearsals({
  db,
  startRehearsal,
}: Pick<ActivityDeps, 'db' | 'startRehearsal'>): Promise<void> {
  for (const due of await findDueRehearsals(db, batch)) await startRehearsal(due);
}
