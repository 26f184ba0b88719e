import { takeOverServing } from '../../src/adapters/postgres/conversations/serving.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';

/**
 * Ends the serving of a conversation: the activity that answers its inputs one after another stops waiting for the next
 * one, so that the workflow continues. Does nothing if no activity serves the conversation. Idempotent.
 */
export function endServingActivity({ db }: Pick<ActivityDeps, 'db'>) {
  return async (conversationId: string): Promise<void> => {
    await takeOverServing(db, conversationId);
  };
}
