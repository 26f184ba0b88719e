/** One action, asked for by itself: as durable as one that an agent calls. */
import { toolActivities } from './policies.ts';

export async function toolAction(executionId: string): Promise<void> {
  await toolActivities.runToolAction(executionId);
}
