import type { Silence } from './follow-up-plan.ts';

/**
 * What follows a claim or a step of a run. The functions that claim and record return it, the activities pass it on,
 * and the workflow acts on it. Contains ids and numbers, never text, because workflow histories must not contain any.
 */
export type RunOutcome =
  | { next: 'tools'; runId: string; step: number; calls: ToolCallRef[] }
  | { next: 'transfer'; runId: string; step: number; delivery?: DueDelivery; callback?: string }
  | { next: 'attachments'; runId: string; step: number; attachments: string[] }
  | {
      next: 'answer';
      runId: string;
      step: number;
      /** A delivery that has not been sent yet, or is being sent. */
      delivery?: DueDelivery;
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
      delivery?: DueDelivery;
      wakeAt?: number;
      /** Shown in the workflow's history; set if the run failed because its workers were lost. */
      because?: 'workers_lost';
    }
  /** Cancelled by a caller: the run sends no answer and no callback. */
  | { next: 'cancelled'; runId: string }
  /** The run or the conversation is erased. */
  | { next: 'gone' }
  /** No run is open. */
  | { next: 'idle'; deliveries?: DueDelivery[]; silence?: Silence }
  /** The claim must be repeated at `wakeAt` (epoch ms), which is in `waitMs` milliseconds by Postgres's clock. */
  | { next: 'waiting'; deliveries?: DueDelivery[]; wakeAt: number; waitMs: number }
  /** The follow-up is no longer due. */
  | { next: 'superseded' };

/** A delivery of a conversation that must be sent before its next run. */
export interface DueDelivery {
  id: string;
  kind: 'callback' | 'channel_reply';
}

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

/**
 * @returns the call without conversation text, for the workflow history. A tool name that the model invented may
 * contain such text, so it is replaced.
 */
export function toolCallRef(call: { position: number; name: string; is_known: boolean }): ToolCallRef {
  return { position: call.position, name: call.is_known ? call.name : 'a tool that the agent does not have' };
}
