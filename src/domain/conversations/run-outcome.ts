import type { Silence } from './follow-up-plan.ts';

/**
 * Result of an activity for the workflow of a run: ids and numbers, never text, because workflow histories must not
 * contain any.
 */
export type StepOutcome =
  | { next: 'tools'; runId: string; step: number; calls: ToolCallRef[] }
  | { next: 'transfer'; runId: string; step: number; deliveryId?: string; callback?: string }
  | { next: 'attachments'; runId: string; step: number; attachments: string[] }
  | {
      next: 'answer';
      runId: string;
      step: number;
      /** A callback that has not been posted yet, or is being posted. */
      deliveryId?: string;
      /** The status of a callback that was posted within this step. */
      callback?: string;
      /** Epoch ms at which the next group of inputs is due. */
      wakeAt?: number;
      /** Seconds without a user message before each follow-up; absent if there is no agent message to follow up. */
      followUps?: number[];
      /** When the answer was recorded (epoch ms); present if followUps is. */
      answeredAt?: number;
    }
  | {
      next: 'failed';
      runId: string;
      deliveryId?: string;
      wakeAt?: number;
      /** Shown in the workflow's history; set if the run failed because its workers were lost. */
      because?: 'workers_lost';
    }
  /** Cancelled by a caller: the run sends no answer and no callback. */
  | { next: 'cancelled'; runId: string }
  | { next: 'gone' };

/** The error of a run that ended without an answer and without a recorded error. */
export const unknownFailure = "The agent's run failed.";

export interface ToolCallRef {
  position: number;
  name: string;
}

/**
 * Temporal timers have a resolution of one second, so the claiming activity itself waits for a group that is due
 * within this time.
 */
export const shortWaitMs = 1100;

/** The result of claiming the next group of inputs. */
export type TurnOutcome =
  | StepOutcome
  | { next: 'idle'; silence?: Silence }
  | { next: 'superseded' }
  | { next: 'waiting'; wakeAt: number }
  | { next: 'deliver'; deliveryId: string };

/**
 * @returns the call without conversation text, for the workflow history. A tool name that the model invented may
 * contain such text, so it is replaced.
 */
export function toolCallRef(call: { position: number; name: string; is_known: boolean }): ToolCallRef {
  return { position: call.position, name: call.is_known ? call.name : 'a tool that the agent does not have' };
}
