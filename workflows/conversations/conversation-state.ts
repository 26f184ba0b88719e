/** Holds the state of a conversation and chooses its next step. Reads no clock: callers pass the time (epoch ms). */
import {
  recoveryNudge,
  type ConversationLabel,
  type ConversationStart,
  type RecentRun,
} from '../../src/contract/workflows.ts';
import { followUpDueAt, silenceAfter, type Silence } from '../../src/domain/conversations/follow-up-plan.ts';
import { shortWaitMs } from '../../src/domain/conversations/run-outcome.ts';

/**
 * The state that continue-as-new passes to the next workflow run. Contains ids, numbers, flags and codes, but no
 * texts, because histories must not contain conversation text.
 */
export interface ConversationState extends ConversationStart {
  /** When to check the rows for a due group (epoch ms); absent if no check is planned. */
  wakeAt?: number;
  /** True if an operator has requested to run the open group now, without waiting for its window. */
  flush?: true;
  followUp?: FollowUpPlan;
  /** True if an operator has stopped the follow-ups until the user writes again. */
  followUpsStopped?: true;
  /**
   * True if the workflow must complete once nothing is pending, because an operator has sent `close`, or because a
   * claim had the outcome `gone`.
   */
  closing?: true;
  label?: ConversationLabel;
  transferred?: true;
  turns?: number;
  recent?: RecentRun[];
}

/** A planned follow-up, due at `dueAt` (epoch ms). */
export interface FollowUpPlan extends Omit<Silence, 'since'> {
  dueAt: number;
}

export type NextStep =
  | { kind: 'claim'; flush: boolean }
  | { kind: 'followUp'; of: string; attempt: number }
  /**
   * `until` and `ring` are epoch ms. The timer fires at `ring` if it is present, otherwise at `until`. `ring` is
   * `shortWaitMs` before `until`, because the claim itself polls for a group that is due soon.
   */
  | { kind: 'wait'; until: number; ring?: number; for: 'group' | 'followUp' | 'idle' }
  | { kind: 'continueAsNew' }
  | { kind: 'complete' };

/** How a run ended, and the data from which the next step is chosen. */
export interface EndedRun {
  runId: string;
  outcome: 'answer' | 'failed' | 'cancelled';
  transferred: boolean;
  callback?: string;
  wakeAt?: number;
  followUps?: number[];
  /**
   * When the run ended (epoch ms): when its answer was recorded or, if that is unknown, when the activity or the
   * workflow received its outcome.
   */
  at: number;
}

const recentKept = 10;

export class Conversation {
  readonly #state: ConversationState;
  #lastActiveAt: number;
  /**
   * True if an operator stopped the follow-ups after the last claim began. The stop then remains in effect, although
   * the run that the claim starts answers a new message of the user.
   */
  #stoppedMeanwhile = false;

  constructor(initial: ConversationState, now: number) {
    this.#state = { ...initial };
    this.#lastActiveAt = now;
  }

  /**
   * Returns what the workflow does next. Has no side effects. Called again after each step and each signal.
   * @param now epoch ms
   * @param historyIsLong whether the workflow must continue as new before anything else
   */
  next(now: number, historyIsLong: boolean): NextStep {
    const { wakeAt, followUp, idleMs, flush, closing } = this.#state;
    if (historyIsLong) return { kind: 'continueAsNew' };
    if (wakeAt !== undefined && wakeAt - now <= shortWaitMs) return { kind: 'claim', flush: flush === true };
    if (followUp !== undefined && followUp.dueAt <= now) {
      return { kind: 'followUp', of: followUp.of, attempt: followUp.attempt };
    }
    if (wakeAt !== undefined && wakeAt <= (followUp?.dueAt ?? wakeAt))
      return { kind: 'wait', until: wakeAt, ring: wakeAt - shortWaitMs, for: 'group' };
    if (followUp !== undefined) return { kind: 'wait', until: followUp.dueAt, for: 'followUp' };
    if (closing) return { kind: 'complete' };
    const idleAt = this.#lastActiveAt + idleMs;
    return idleAt <= now ? { kind: 'complete' } : { kind: 'wait', until: idleAt, for: 'idle' };
  }

  /**
   * Plans a check of the rows at `at` (epoch ms), unless an earlier one is planned. Every nudge except a recovery
   * nudge also restarts the idle time, and cancels a closing that an operator or a claim has begun. A lost or repeated
   * nudge does not change any answer, because the rows in Postgres decide what is due.
   */
  nudge(at: number, now: number): void {
    this.checkAt(at);
    if (at === recoveryNudge) return;
    this.#lastActiveAt = now;
    delete this.#state.closing;
  }

  /** Plans a check of the rows at this time (epoch ms), unless an earlier check is planned. */
  checkAt(at: number): void {
    this.#state.wakeAt = Math.min(this.#state.wakeAt ?? at, at);
  }

  /**
   * Called before a claim. Removes the planned check and an operator's request to flush, because the claim carries
   * them out. Nudges that arrive during the claim plan a new check.
   */
  claiming(): void {
    delete this.#state.wakeAt;
    delete this.#state.flush;
    this.#stoppedMeanwhile = false;
  }

  /**
   * Called if the open group is not due yet, or if deliveries must be sent before the next claim. Plans a check of the
   * rows at `at` (epoch ms), unless an earlier check is planned. Cancels the planned follow-up, because an input may
   * have arrived.
   */
  waiting(at: number): void {
    this.checkAt(at);
    this.#userHasWritten();
  }

  /**
   * Called if no group is open. If no follow-up is planned, plans `silence`, the one that the claim has read from the
   * rows, because this workflow may have missed the end of the last run.
   */
  idle(silence: Silence | undefined): void {
    if (this.#state.followUp === undefined) this.#plan(silence);
  }

  /**
   * Called for each run that answers inputs. Cancels the planned follow-up. Also ends an operator's stop of the
   * follow-ups, unless the operator sent it after the claim began.
   */
  runBegins(): void {
    this.#userHasWritten();
  }

  /**
   * Removes the planned follow-up from the state, because the workflow is about to run it. The claim of the follow-up
   * then decides whether it is still due.
   * @returns the follow-up; undefined if none is planned
   */
  followUpBegins(): FollowUpPlan | undefined {
    const plan = this.#state.followUp;
    delete this.#state.followUp;
    return plan;
  }

  /**
   * Sets the label `waiting_for_approval` when a tool call starts to wait for an approval, and removes it when the wait
   * ends. Does not restore the label from before the wait: `runEnded` sets that label again if it still applies.
   * @returns the change of the label, as `runEnded` returns it
   */
  approvalWaits(waits: boolean): ConversationLabel | null | undefined {
    return this.#relabel(waits ? 'waiting_for_approval' : undefined);
  }

  /**
   * Records the end of a run. Plans the next follow-up and the next check of the rows if `ended` contains them.
   * @param followed the planned follow-up that the run carried out; undefined if the run answered inputs
   * @returns the label to set; null to unset the label; undefined to leave it unchanged
   */
  runEnded(ended: EndedRun, followed?: FollowUpPlan): ConversationLabel | null | undefined {
    const { runId, outcome, at, callback, followUps } = ended;
    const follows = followed && { followUpOf: followed.of, attempt: followed.attempt };
    this.#lastActiveAt = at;
    this.#state.turns = (this.#state.turns ?? 0) + 1;
    const recent: RecentRun = {
      runId,
      outcome,
      at,
      ...(followed && { followUpAttempt: followed.attempt }),
      ...(callback !== undefined && { callback }),
    };
    this.#state.recent = [...(this.#state.recent ?? []), recent].slice(-recentKept);
    if (ended.transferred) this.#state.transferred = true;
    if (ended.wakeAt !== undefined) this.checkAt(ended.wakeAt);
    if (followUps) this.#plan(silenceAfter({ runId, answeredAt: at, followUps, ...follows }));
    return this.#relabel(
      outcome === 'failed' ? 'needs_attention' : this.#state.transferred ? 'transferred' : undefined,
    );
  }

  /** Plans a claim of the open group at `now`, even if its window is still open. Called for an operator's command. */
  flush(now: number): void {
    this.checkAt(now);
    this.#state.flush = true;
  }
  /** Removes the planned follow-up, and plans no further one until the user writes again. */
  stopFollowUps(): void {
    delete this.#state.followUp;
    this.#state.followUpsStopped = true;
    this.#stoppedMeanwhile = true;
  }
  /** Makes the workflow complete after the waiting messages are answered, and cancels follow-ups. */
  close(): void {
    this.stopFollowUps();
    this.#state.closing = true;
  }
  /** True after a call of `close`, until a nudge other than a recovery nudge cancels it. */
  get isClosing(): boolean {
    return this.#state.closing === true;
  }

  /** Returns a copy of the state, for continue-as-new and queries. */
  get snapshot(): ConversationState {
    return { ...this.#state };
  }

  #userHasWritten(): void {
    delete this.#state.followUp;
    if (!this.#stoppedMeanwhile) delete this.#state.followUpsStopped;
  }

  #plan(silence: Silence | undefined): void {
    const { followUpsStopped, closing } = this.#state;
    if (silence === undefined || followUpsStopped || closing) return;
    const { of, attempt, after } = silence;
    const dueAt = followUpDueAt(silence);
    if (dueAt !== undefined) this.#state.followUp = { of, attempt, dueAt, after };
  }

  #relabel(label: ConversationLabel | undefined): ConversationLabel | null | undefined {
    if (label === this.#state.label) return undefined;
    if (label === undefined) delete this.#state.label;
    else this.#state.label = label;
    return label ?? null;
  }
}
