/** The Schedule that takes up stalled inputs. Every worker makes sure of it; one of them is the first. */
import { ScheduleAlreadyRunning, ScheduleOverlapPolicy, type Client } from '@temporalio/client';

export interface SweepSchedule {
  taskQueue: string;
  workflowType: string;
  everySeconds: number;
}

export async function ensureSchedule(
  client: Client,
  { taskQueue, workflowType, everySeconds }: SweepSchedule,
): Promise<void> {
  const options = {
    spec: { intervals: [{ every: everySeconds * 1000 }] },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: everySeconds * 1000 + 10_000 },
    action: {
      type: 'startWorkflow' as const,
      workflowType,
      workflowId: 'housekeeping/sweep',
      taskQueue,
      workflowExecutionTimeout: 120_000,
    },
  };
  const scheduleId = 'sweep-stalled';
  try {
    await client.schedule.create({ scheduleId, ...options });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await client.schedule.getHandle(scheduleId).update((previous) => ({ ...previous, ...options }));
  }
}
