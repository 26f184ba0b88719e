import type { Silence } from './follow-up-plan.ts';

/**
 * The result of claiming a run, or of one of its steps. The functions that claim and record return it, the activities
 * pass it on, and the workflow acts on it. Contains ids and numbers but no conversation text, because workflow
 * histories must not contain any.
 */
export type RunOutcome =
  | {
      next: 'tools';
      runId: string;
      step: number;
      calls: ToolCallRef[];
      /** Deliveries of approval requests, which must be posted before the calls are made. */
      deliveries?: DueDelivery[];
    }
  | { next: 'transfer'; runId: string; step: number; delivery?: DueDelivery; callback?: string }
  | { next: 'attachments'; runId: string; step: number; attachments: string[] }
  | {
      next: 'answer';
      runId: string;
      step: number;
      /** A delivery that is not finished: not sent yet, or being sent. */
      delivery?: DueDelivery;
      /** The status of the callback, if this step has posted it. */
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
  /** The run or its conversation was erased, or the run has already ended. */
  | { next: 'gone' }
  /** The conversation has no open group and no run in progress. */
  | { next: 'idle'; deliveries?: DueDelivery[]; silence?: Silence }
  /** The group is not due yet: claim again at `wakeAt` (epoch ms), in `waitMs` milliseconds by Postgres's clock. */
  | { next: 'waiting'; deliveries?: DueDelivery[]; wakeAt: number; waitMs: number }
  /** The follow-up is no longer due. */
  | { next: 'superseded' };

/** The outcome of an activity that may have answered several runs in a row. */
export type TurnsOutcome = RunOutcome & {
  /** The runs that the activity answered before the last one. */
  earlier?: EarlierRun[];
  /**
   * When the workflow must check for due work (epoch ms; 0: at once). Present if only the activity was notified of that
   * work.
   */
  dueAt?: number;
};

export interface EarlierRun {
  runId: string;
  outcome: 'answer';
  /** When the answer was recorded or, if that is unknown, when the activity got the answer (epoch ms). */
  at: number;
  /** The status of the run's callback. */
  callback?: string;
}

/** A delivery that must be sent before the conversation's next run. */
export interface DueDelivery {
  id: string;
  kind: 'callback' | 'channel_reply';
}

/** The error of a run that ended without an answer and without a recorded error. */
export const unknownFailure = "The agent's run failed.";

/**
 * The state of a tool call after its activity. Histories of earlier versions do not contain it: there, the call has
 * ended.
 */
export type ToolCallProgress =
  | { next: 'ended' }
  /**
   * A person must approve the call first. Check it again at `until` (epoch ms): when the approval expires, or before
   * that to ask the approvers again.
   */
  | { next: 'waits'; until: number };

export interface ToolCallRef {
  position: number;
  name: string;
}

/**
 * Maximum milliseconds that the claiming activity itself waits for a group that is due soon. A Temporal timer, with
 * its resolution of one second, would wait longer than necessary.
 */
export const shortWaitMs = 1100;

/**
 * @returns the call as the workflow history may show it. A tool name that the model invented is replaced, because it
 * may contain conversation text.
 */
export function toolCallRef(call: { position: number; name: string; is_known: boolean }): ToolCallRef {
  return { position: call.position, name: call.is_known ? call.name : 'a tool that the agent does not have' };
}
