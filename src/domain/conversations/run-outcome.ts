import type { Silence } from './follow-up-plan.ts';

/**
 * The result of a claim or a step of a run. The functions that claim and record return it, the activities pass it on,
 * and the workflow acts on it. Contains ids and numbers, never text, because workflow histories must not contain any.
 */
export type RunOutcome =
  | {
      next: 'tools';
      runId: string;
      step: number;
      calls: ToolCallRef[];
      /** Requests for approvals, to be posted before the calls. */
      deliveries?: DueDelivery[];
    }
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
  /** The run or the conversation was erased, or the run has ended otherwise. */
  | { next: 'gone' }
  /** The conversation has no open group and no run in progress. */
  | { next: 'idle'; deliveries?: DueDelivery[]; silence?: Silence }
  /** The claim must be repeated at `wakeAt` (epoch ms), which is in `waitMs` milliseconds by Postgres's clock. */
  | { next: 'waiting'; deliveries?: DueDelivery[]; wakeAt: number; waitMs: number }
  /** The follow-up is no longer due. */
  | { next: 'superseded' };

/** The outcome of an activity that may have answered several runs one after another. */
export type TurnsOutcome = RunOutcome & {
  /** The runs before the last. */
  earlier?: EarlierRun[];
  /** When something is due of which only the activity was notified (epoch ms; 0: now). */
  dueAt?: number;
};

export interface EarlierRun {
  runId: string;
  outcome: 'answer';
  /** When the answer was recorded, or its activity had it (epoch ms). */
  at: number;
  /** The status of its callback. */
  callback?: string;
}

/** A delivery that must be sent before the conversation's next run. */
export interface DueDelivery {
  id: string;
  kind: 'callback' | 'channel_reply';
}

/** The error of a run that ended without an answer and without a recorded error. */
export const unknownFailure = "The agent's run failed.";

/** The state of a tool call. Absent in histories of earlier versions, where every recorded call has ended. */
export type ToolCallProgress =
  | { next: 'ended' }
  /** A person must approve the call first; the request expires at `until` (epoch ms). */
  | { next: 'waits'; until: number };

export interface ToolCallRef {
  position: number;
  name: string;
}

/**
 * Milliseconds for which the claiming activity itself waits for a group that is due soon, because Temporal timers have
 * a resolution of one second.
 */
export const shortWaitMs = 1100;

/**
 * @returns the call without conversation text, for the workflow history. A tool name that the model invented may
 * contain such text, so it is replaced.
 */
export function toolCallRef(call: { position: number; name: string; is_known: boolean }): ToolCallRef {
  return { position: call.position, name: call.is_known ? call.name : 'a tool that the agent does not have' };
}
