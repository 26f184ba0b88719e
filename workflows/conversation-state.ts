/** What a conversation knows and what it does next. Pure: time arrives as an argument (epoch ms). */

import { shortWaitMs } from '../src/domain/run-outcome.ts';

/** Carried over continue-as-new, so it stays small: ids and numbers. */
export interface ConversationState {
  conversationId: string;
  idleMs: number;
  /** When Postgres must be looked at: a group is due then. */
  wakeAt?: number;
  followUp?: FollowUpPlan;
  turns?: number;
  recent?: RecentRun[];
}

export interface FollowUpPlan {
  /** The run of inputs whose answer is followed up. */
  of: string;
  /** From 1. */
  attempt: number;
  dueAt: number;
  /** Seconds of silence before each attempt. */
  after: number[];
}

export interface RecentRun {
  runId: string;
  outcome: 'answer' | 'failed';
  at: number;
}

export type NextStep =
  | { kind: 'claim' }
  | { kind: 'followUp'; of: string; attempt: number }
  | { kind: 'wait'; until: number; for: 'group' | 'followUp' | 'idle' }
  | { kind: 'continueAsNew' }
  | { kind: 'complete' };

/** What the end of a run means for what comes next. */
export interface EndedRun {
  runId: string;
  outcome: 'answer' | 'failed';
  wakeAt?: number;
  followUps?: number[];
  /** When the answer was recorded. */
  at: number;
}

const recentKept = 10;

export class Conversation {
  readonly #state: ConversationState;
  #lastActiveAt: number;
  #closing = false;

  constructor(initial: ConversationState, now: number) {
    this.#state = { ...initial };
    this.#lastActiveAt = now;
  }

  next(now: number, historyIsLong: boolean): NextStep {
    const { wakeAt, followUp, idleMs } = this.#state;
    if (historyIsLong) return { kind: 'continueAsNew' };
    if (wakeAt !== undefined && wakeAt - now <= shortWaitMs) return { kind: 'claim' };
    if (followUp !== undefined && followUp.dueAt <= now) {
      return { kind: 'followUp', of: followUp.of, attempt: followUp.attempt };
    }
    if (wakeAt !== undefined && wakeAt <= (followUp?.dueAt ?? wakeAt))
      return { kind: 'wait', until: wakeAt, for: 'group' };
    if (followUp !== undefined) return { kind: 'wait', until: followUp.dueAt, for: 'followUp' };
    if (this.#closing) return { kind: 'complete' };
    const idleAt = this.#lastActiveAt + idleMs;
    return idleAt <= now ? { kind: 'complete' } : { kind: 'wait', until: idleAt, for: 'idle' };
  }

  /** Lost or doubled, a nudge changes no answer: Postgres decides what is due. */
  nudge(at: number, now: number): void {
    this.#wakeAt(at);
    this.#lastActiveAt = now;
    this.#closing = false;
  }

  /** A claim is under way: what was due is looked at now. Nudges that come meanwhile are kept. */
  claiming(): void {
    delete this.#state.wakeAt;
  }

  /** The group's window was extended: an input came, so no follow-up is due any more. */
  waiting(at: number): void {
    this.#wakeAt(at);
    delete this.#state.followUp;
  }

  /** A run began: whatever was planned for silence is over. */
  runBegins(): void {
    delete this.#state.followUp;
  }

  followUpBegins(): FollowUpPlan | undefined {
    const plan = this.#state.followUp;
    delete this.#state.followUp;
    return plan;
  }

  runEnded(ended: EndedRun, followed?: FollowUpPlan): void {
    const { runId, outcome, at } = ended;
    this.#lastActiveAt = at;
    this.#state.turns = (this.#state.turns ?? 0) + 1;
    this.#state.recent = [...(this.#state.recent ?? []), { runId, outcome, at }].slice(-recentKept);
    if (ended.wakeAt !== undefined) this.#wakeAt(ended.wakeAt);
    const after = ended.followUps;
    const attempt = (followed?.attempt ?? 0) + 1;
    const seconds = after?.[attempt - 1];
    if (after === undefined || seconds === undefined) return;
    this.#state.followUp = { of: followed?.of ?? runId, attempt, dueAt: at + seconds * 1000, after };
  }

  /** An operator's word. */
  flush(now: number): void {
    this.#wakeAt(now);
  }
  stopFollowUps(): void {
    delete this.#state.followUp;
  }
  close(): void {
    delete this.#state.followUp;
    this.#closing = true;
  }

  /** For continue-as-new and for queries. */
  get snapshot(): ConversationState {
    return { ...this.#state };
  }

  #wakeAt(at: number): void {
    this.#state.wakeAt = Math.min(this.#state.wakeAt ?? at, at);
  }
}
