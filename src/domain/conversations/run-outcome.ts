/** What an activity tells the workflow of a run: ids and numbers, never text. */
export type StepOutcome =
  | { next: 'tools'; runId: string; step: number; calls: ToolCallRef[] }
  | { next: 'transfer'; runId: string; step: number; deliveryId?: string; callback?: string }
  | { next: 'attachments'; runId: string; step: number; attachments: string[] }
  | {
      next: 'answer';
      runId: string;
      step: number;
      /** A callback that is still to be posted, or under way. */
      deliveryId?: string;
      /** What became of a callback that was posted at once. */
      callback?: string;
      /** Epoch ms at which the next group must be looked at. */
      wakeAt?: number;
      /** Seconds of silence before each follow-up; absent when there is no agent message to follow up. */
      followUps?: number[];
      /** When the answer was recorded (epoch ms); there when followUps is. */
      answeredAt?: number;
    }
  | {
      next: 'failed';
      runId: string;
      deliveryId?: string;
      wakeAt?: number;
      /** For the operator who reads the history. */
      because?: 'workers_lost';
    }
  /** By a caller: without an answer, and without a callback. */
  | { next: 'cancelled'; runId: string }
  | { next: 'gone' };

export interface ToolCallRef {
  position: number;
  name: string;
}

/** Temporal's timers are no finer than a second: a group that is due sooner is waited for in the claiming activity. */
export const shortWaitMs = 1100;

/** What claiming the next group came to. */
export type TurnOutcome =
  | StepOutcome
  | { next: 'idle'; silence?: Silence }
  | { next: 'superseded' }
  | { next: 'waiting'; wakeAt: number }
  | { next: 'deliver'; deliveryId: string };

/** What silence leads to after the conversation's last run, as the rows say. */
export interface Silence {
  /** The run of inputs whose answer is followed up. */
  of: string;
  /** The attempt that is next, from 1. */
  attempt: number;
  /** When the last answer was recorded (epoch ms). */
  since: number;
  /** Seconds of silence before each attempt. */
  after: number[];
}
