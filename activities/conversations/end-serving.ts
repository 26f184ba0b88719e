import { takeOverServing } from '../../src/adapters/postgres/conversations/serving.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';

/** Ends the wait of the activity that keeps this conversation warm, so that the workflow continues. Idempotent. */
export function endServingActivity({ db }: Pick<ActivityDeps, 'db'>) {
  return async (conversationId: string): Promise<void> => {
    await takeOverServing(db, conversationId);
  };
}
