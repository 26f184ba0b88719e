import type { Silence } from './follow-up-plan.ts';

/**
 * The result of claiming a run, or of recording one of its steps. Activities return it to the workflow, which acts on
 * it. Contains no conversation text, because workflow histories must not contain any: only names of tools, ids, numbers
 * and codes.
 */
export type RunOutcome =
  | {
      next: 'tools';
      runId: string;
      step: number;
      calls: ToolCallRef[];
      /** Unfinished deliveries of approval requests. The workflow posts them before it runs the calls. */
      deliveries?: DueDelivery[];
    }
  | { next: 'transfer'; runId: string; step: number; delivery?: DueDelivery; callback?: string }
  | { next: 'attachments'; runId: string; step: number; attachments: string[] }
  | {
      next: 'answer';
      runId: string;
      step: number;
      /** The answer's delivery, which the workflow sends; absent if there is none, or if `callback` is set. */
      delivery?: DueDelivery;
      /** The final status of the answer's callback; absent unless the activity has posted it. */
      callback?: string;
      /** When the next group of inputs is due (epoch ms); absent if no input waits. */
      wakeAt?: number;
      /**
       * Same as `Silence.after`. Absent if the agent has no follow-ups, the run wrote no message, or the run belongs
       * to a trial.
       */
      followUps?: number[];
      /** When the answer was recorded (epoch ms); present if `followUps` is. */
      answeredAt?: number;
    }
  | {
      next: 'failed';
      runId: string;
      delivery?: DueDelivery;
      wakeAt?: number;
      /** Set if the run failed because its workers were lost. The workflow's history then shows the reason. */
      because?: 'workers_lost';
    }
  /** A caller has cancelled the run, which therefore sends no answer and no callback. */
  | { next: 'cancelled'; runId: string }
  /** The run or its conversation was erased, or the run has already ended. */
  | { next: 'gone' }
  /** The conversation has no open group and no run in progress. */
  | { next: 'idle'; deliveries?: DueDelivery[]; silence?: Silence }
  /**
   * The group is not due yet, or `deliveries` must be sent first. Claim again at `wakeAt` (epoch ms), which is in
   * `waitMs` milliseconds by Postgres's clock.
   */
  | { next: 'waiting'; deliveries?: DueDelivery[]; wakeAt: number; waitMs: number }
  /**
   * The follow-up is no longer due, or an activity that waited for the next input no longer serves the conversation.
   */
  | { next: 'superseded' };

/** The outcome of an activity that may have made several runs one after another: the outcome of the last one. */
export type TurnsOutcome = RunOutcome & {
  /** The runs before the last one, all of them answered. */
  earlier?: EarlierRun[];
  /**
   * When the workflow must check for due work (epoch ms; 0: at once). Present if the workflow may not have been nudged
   * for due work, or if another activity must repeat the last claim.
   */
  dueAt?: number;
};

export interface EarlierRun {
  runId: string;
  outcome: 'answer';
  /** When the answer was recorded or, if that is unknown, when the activity got the answer (epoch ms). */
  at: number;
  /** The final status of the run's callback; absent if the run has none. */
  callback?: string;
}

/** A delivery that the workflow must send before the conversation continues. */
export interface DueDelivery {
  id: string;
  kind: 'callback' | 'channel_reply';
}

/** The error of a run that ended without an answer and without a recorded error. */
export const unknownFailure = "The agent's run failed.";

/**
 * The state of a tool call after its activity. In histories of earlier versions, the activity has no result of this
 * type; the call has then ended.
 */
export type ToolCallProgress =
  | { next: 'ended' }
  /**
   * A person must approve the call first. Run the activity again at `until` (epoch ms), when the approval expires or an
   * approver must be asked again.
   */
  | { next: 'waits'; until: number };

export interface ToolCallRef {
  position: number;
  name: string;
}

/**
 * Maximum milliseconds for which the claiming activity itself waits for a group that is due soon. A Temporal timer has
 * a resolution of one second, so the group would wait longer than necessary.
 */
export const shortWaitMs = 1100;

/**
 * Returns the call in the form in which the workflow history may show it. Replaces a tool name that the model
 * invented, because the name may contain conversation text.
 */
export function toolCallRef(call: { position: number; name: string; is_known: boolean }): ToolCallRef {
  return { position: call.position, name: call.is_known ? call.name : 'a tool that the agent does not have' };
}
