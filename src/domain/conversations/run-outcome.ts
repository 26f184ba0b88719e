import type { Silence } from './follow-up-plan.ts';

/** What an activity returns to the workflow of a run: ids and numbers, never text, because histories must hold none. */
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
      /** Shown in the workflow's history: the run failed because its workers kept dying. */
      because?: 'workers_lost';
    }
  /** Cancelled by a caller: it sends no answer and no callback. */
  | { next: 'cancelled'; runId: string }
  | { next: 'gone' };

/** The error of a run that ended without an answer, if nothing recorded why. */
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

/** @returns the call as histories may hold it: a name that the model made up is text of the conversation */
export function toolCallRef(call: { position: number; name: string; is_known: boolean }): ToolCallRef {
  return { position: call.position, name: call.is_known ? call.name : 'a tool that the agent does not have' };
}
