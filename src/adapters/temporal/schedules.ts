/**
 * Creates the Temporal Schedules of periodic workflows, and updates the settings of existing ones. Every worker does so
 * when it starts.
 */
import { housekeepingSeconds } from '../../domain/time-limits.ts';
import {
  periodicWorkflowId,
  scheduleIds,
  type PeriodicWorkflow,
  type Workflows,
} from '../../contract/workflows.ts';
import { workflowTaskTimeout } from './workflow-task-timeout.ts';
import { ScheduleAlreadyRunning, ScheduleOverlapPolicy, type Client } from '@temporalio/client';

/** How long one periodic workflow runs before its schedule starts the next, in ms. */
const sweepMs = housekeepingSeconds * 1000;

export interface HousekeepingSchedule {
  taskQueue: string;
  workflow: PeriodicWorkflow;
  everySeconds: number;
}

/** Creates the schedule of a periodic workflow and starts it at once, or updates an existing schedule. Idempotent. */
export async function ensureSchedule(
  client: Client,
  { taskQueue, workflow, everySeconds }: HousekeepingSchedule,
): Promise<void> {
  const scheduleId = scheduleIds[workflow];
  const args: Parameters<Workflows[PeriodicWorkflow]> = [
    { everyMs: everySeconds * 1000, times: Math.max(1, Math.floor(sweepMs / (everySeconds * 1000))) },
  ];
  const options = {
    spec: { intervals: [{ every: sweepMs }] },
    policies: { overlap: ScheduleOverlapPolicy.BUFFER_ONE, catchupWindow: sweepMs },
    action: {
      type: 'startWorkflow' as const,
      workflowType: workflow,
      workflowId: periodicWorkflowId(workflow),
      taskQueue,
      args,
      workflowTaskTimeout,
      workflowExecutionTimeout: sweepMs * 2,
    },
  };
  try {
    await client.schedule.create({ scheduleId, ...options, state: { triggerImmediately: true } });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await client.schedule.getHandle(scheduleId).update((previous) => ({ ...previous, ...options }));
  }
}
