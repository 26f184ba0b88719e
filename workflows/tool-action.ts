/** One action, asked for by itself: as durable as one that an agent calls. */
import { toolActivities } from './policies.ts';

export async function toolAction(executionId: string): Promise<void> {
  await toolActivities.runToolAction.executeWithOptions({ summary: 'the action, at the workspace' }, [
    executionId,
  ]);
}
