/** One action, asked for by itself: as durable as one that an agent calls. */
import { actionActivities } from './policies.ts';

export async function toolAction(executionId: string): Promise<void> {
  await actionActivities.runToolAction(executionId);
}
