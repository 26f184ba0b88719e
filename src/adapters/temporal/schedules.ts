/** Creates the Temporal Schedules of periodic workflows, or updates their settings, when a worker starts. */
import { periodicSeconds } from '../../domain/time-limits.ts';
import {
  periodicWorkflowId,
  scheduleIds,
  type PeriodicWorkflow,
  type Workflows,
} from '../../contract/workflows.ts';
import { workflowTaskTimeout } from './workflow-task-timeout.ts';
import { ScheduleAlreadyRunning, ScheduleOverlapPolicy, type Client } from '@temporalio/client';

/** Interval at which a Schedule starts its periodic workflow (ms). Each workflow makes rounds for about this long. */
const periodMs = periodicSeconds * 1000;

export interface PeriodicSchedule {
  taskQueue: string;
  workflow: PeriodicWorkflow;
  everySeconds: number;
}

/**
 * Creates the Schedule of a periodic workflow and starts the workflow at once. If the Schedule exists, only updates its
 * settings. Idempotent.
 * @throws Temporal's errors
 */
export async function ensureSchedule(
  client: Client,
  { taskQueue, workflow, everySeconds }: PeriodicSchedule,
): Promise<void> {
  const scheduleId = scheduleIds[workflow];
  const args: Parameters<Workflows[PeriodicWorkflow]> = [
    { everyMs: everySeconds * 1000, times: Math.max(1, Math.floor(periodMs / (everySeconds * 1000))) },
  ];
  const options = {
    spec: { intervals: [{ every: periodMs }] },
    policies: { overlap: ScheduleOverlapPolicy.BUFFER_ONE, catchupWindow: periodMs },
    action: {
      type: 'startWorkflow' as const,
      workflowType: workflow,
      workflowId: periodicWorkflowId(workflow),
      taskQueue,
      args,
      workflowTaskTimeout,
      workflowExecutionTimeout: periodMs * 2,
    },
  };
  try {
    await client.schedule.create({ scheduleId, ...options, state: { triggerImmediately: true } });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await client.schedule.getHandle(scheduleId).update((previous) => ({ ...previous, ...options }));
  }
}
