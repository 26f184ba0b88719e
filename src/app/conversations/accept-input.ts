/**
 * Records inputs in Postgres and nudges their workflows. A caller that does not wait for the answer gets its response
 * once the input is in Postgres. If a caller waits and the nudge fails, the input is withdrawn, unless a run has
 * claimed it or a repeated call was acknowledged. `nudgeOverdue` and recovery find inputs whose nudge was lost, and
 * nudge their workflows again.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type Database } from '../../adapters/postgres/database.ts';
import { acrossOrganizations } from '../../adapters/postgres/organization-scope.ts';
import {
  acceptInput,
  findOverdue,
  withdrawInput,
  type AcceptedInput,
  type KeptInput,
  type NewInput,
} from '../../adapters/postgres/conversations/inputs.ts';
import {
  isUnreachable,
  type ConversationAddress,
  type ConversationWorkflows,
} from '../../adapters/temporal/conversation-workflows.ts';
import { PublicError } from '../../contract/errors.ts';
import { countAccepted } from '../../observability/api-metrics.ts';
import { addIds, inThisSpan, withIds } from '../../observability/spans.ts';
import { conversationWorkflowId } from '../../contract/workflows.ts';
import type { Logger } from '../../log.ts';
import { findServing } from '../../adapters/postgres/conversations/serving.ts';
import type { WorkerNotifier } from '../../adapters/postgres/worker-notifier.ts';
import { Limiter, NoSlot } from '../../limits/limiter.ts';
import { seldomWarning } from '../../seldom.ts';
import { inParallel } from '../in-parallel.ts';

const retryAfterSeconds = 2;
const longOutageRetryAfterSeconds = 30;

/** @returns the error of a request that needs the agent's draft, for an agent that has none */
export const noDraft = (): PublicError =>
  new PublicError('invalid_state', { sentence: 'The agent has no draft. Save one first.' });

const noCandidate = (): PublicError =>
  new PublicError('invalid_state', {
    sentence:
      'The agent has no candidate. Give a version a share of the new conversations first, with PUT /v1/agents/{id}/candidate.',
  });

/** @returns the error of a call that needs an answer of the agent while a person has taken over the conversation */
export const takenOver = (conversationId?: string): PublicError =>
  new PublicError('invalid_state', {
    sentence:
      'A person has taken over this conversation, or it waits for one, so the agent does not answer. Resume the agent, or send the message with POST /v1/chat/{id} without sync, which stores it for the person.',
    ...(conversationId !== undefined && { conversationId }),
  });

export type ConversationStarter = ReturnType<typeof createConversationStarter>;

/**
 * @param maxOutageMs milliseconds for which inputs are still accepted after Temporal has become unreachable
 * @param notifier absent if no worker keeps conversations warm
 */
export function createConversationStarter(
  db: Database,
  workflows: ConversationWorkflows,
  log: Logger,
  maxOutageMs: number,
  notifier?: Pick<WorkerNotifier, 'notify'>,
) {
  const nudges = new NudgeQueue({ send: (...nudge) => workflows.nudge(...nudge), log });
  return { workflows, accept, acceptOrKeep, notifyOrNudge, nudge, accepts, close };

  /**
   * Accepts an input whose caller waits for the answer.
   * @throws PublicError the errors of `acceptOrKeep`; invalid_state if a takeover is active
   */
  async function accept(input: NewInput & { sync: true }): Promise<AcceptedInput> {
    const accepted = await acceptOrKeep(input);
    if (accepted.outcome === 'kept') throw takenOver(accepted.conversation_id);
    return accepted;
  }

  /**
   * Records an input and nudges its workflow, or notifies the worker that serves its conversation. A repeat with the
   * same idempotency key records nothing and returns the ids of the first call, with the outcome `repeat`. While a
   * takeover is active, stores an input that is not sync, with the outcome `kept`, and refuses a sync one.
   * @throws PublicError not_found, forbidden, agent_inactive or idempotency_conflict (see `acceptInput`);
   * invalid_state if the agent has no draft or candidate to try, a takeover is active and the input is sync, or
   * `afterMessage` is not the user's last message; unavailable if Temporal has been unreachable for more than
   * `maxOutageMs`. If the caller waits for the answer and the nudge fails, also unavailable if the input was withdrawn or
   * the call is a repeat. The driver's error if the files exceed the organization's storage limit.
   */
  async function acceptOrKeep(input: NewInput): Promise<AcceptedInput | KeptInput> {
    if (!accepts()) {
      throw new PublicError('unavailable', { retryAfterSeconds: longOutageRetryAfterSeconds });
    }
    const accepted = await acceptInput(db, input);
    switch (accepted.outcome) {
      case 'not_found':
        throw new PublicError('not_found');
      case 'inactive':
        throw new PublicError('agent_inactive');
      case 'forbidden':
        throw new PublicError('forbidden', {
          sentence:
            'Without conversations.view, only the token or member that began a conversation can continue it.',
        });
      case 'paused':
        throw takenOver(input.conversationId);
      case 'kept':
        addIds({ conversation_id: accepted.conversation_id, message_id: accepted.message_id });
        return accepted;
      case 'no_draft':
        throw noDraft();
      case 'no_candidate':
        throw noCandidate();
      case 'not_last':
        throw new PublicError('invalid_state', {
          sentence:
            'The conversation has a later message, and conversations have no branches. Continue its last response, or begin a new conversation.',
          details: [{ path: 'previous_response_id', message: 'is not the last response' }],
        });
      case 'conflict':
        throw new PublicError('idempotency_conflict');
      case 'accepted':
      case 'repeat':
        addIds({
          conversation_id: accepted.conversation_id,
          workflow_id: conversationWorkflowId(accepted.conversation_id),
          run_id: accepted.run_id,
          message_id: accepted.message_id,
        });
        await wake(accepted, input);
        if (accepted.outcome === 'accepted') countAccepted({ channel: 'api' });
        return accepted;
    }
  }

  async function wake(accepted: AcceptedInput, input: NewInput): Promise<void> {
    if (accepted.wake_at === null) return;
    const conversation = {
      id: accepted.conversation_id,
      organizationId: input.organizationId,
      agentId: accepted.agent_id ?? input.targetId,
      channel: 'api' as const,
    };
    const dueAtMs = accepted.wake_at.getTime();
    const servedBy = accepted.served_by ?? undefined;
    if (input.sync && (servedBy === undefined || notifier === undefined))
      await nudgeNow(conversation, accepted, dueAtMs);
    else await notifyOrNudge(conversation, dueAtMs, servedBy);
  }

  /**
   * Nudges the workflow. If the nudge fails, withdraws the input, unless an earlier call recorded it.
   * @throws PublicError unavailable if the nudge fails, unless the input cannot be withdrawn, because a run has
   * claimed it or a repeated call was acknowledged
   */
  async function nudgeNow(
    conversation: ConversationAddress,
    accepted: AcceptedInput,
    dueAtMs: number,
  ): Promise<void> {
    try {
      await workflows.nudge(conversation, dueAtMs);
    } catch (cause) {
      log.warn({ conversation_id: conversation.id, err: cause }, 'a nudge could not be sent');
      // A repeat does not withdraw the input, because it belongs to the first call.
      const gone = accepted.outcome === 'repeat' || (await withdrawInput(db, accepted.message_id));
      if (gone) throw new PublicError('unavailable', { retryAfterSeconds, cause });
    }
  }

  /**
   * Notifies the worker that serves the conversation. If there is no such worker or no notifier, queues a nudge of the
   * workflow instead. Never rejects.
   * @param servedBy the activity attempt that serves the conversation (conversations.served_by)
   */
  async function notifyOrNudge(
    conversation: ConversationAddress,
    dueAtMs: number,
    servedBy?: string,
  ): Promise<void> {
    if (servedBy !== undefined && notifier !== undefined) notifier.notify(servedBy, conversation.id);
    else await nudges.add(conversation, dueAtMs);
  }

  /**
   * Queues a nudge of a conversation's workflow. The caller must have committed the conversation's rows. Also notifies
   * the worker that serves the conversation, if there is one, because the workflow handles nothing else until that
   * worker's activity ends. Waits at most `nudgeLimits.maxWaitMs` for a place in the queue, but not for Temporal.
   * Never rejects.
   */
  async function nudge(conversation: ConversationAddress, dueAtMs = Date.now()): Promise<void> {
    await notifyServing(conversation.id);
    await nudges.add(conversation, dueAtMs);
  }

  async function notifyServing(conversationId: string): Promise<void> {
    if (notifier === undefined) return;
    // Ignores errors, because the worker also polls for the inputs of the conversations that it serves.
    const servedBy = await acrossOrganizations(() => findServing(db, conversationId)).catch(() => undefined);
    if (servedBy !== undefined) notifier.notify(servedBy, conversationId);
  }

  /** @returns false if Temporal has been unreachable for more than `maxOutageMs`; new inputs are then refused */
  function accepts(): boolean {
    return nudges.unreachableMs() <= maxOutageMs;
  }

  /** Waits at shutdown for the nudges in progress, at most `deadlineMs` milliseconds. */
  async function close(deadlineMs: number): Promise<void> {
    await nudges.close(deadlineMs);
  }
}

/**
 * Maximum nudges in progress, in total and per organization. At a limit, `add` waits for up to `maxWaitMs`, so that
 * inputs are not accepted much faster than Temporal accepts their nudges. A nudge that still has no place is kept for
 * another attempt. Chosen.
 */
const nudgeLimits = { max: 200, maxPerOwner: 100, maxWaitMs: 2000 };
/**
 * Maximum nudges that are kept for another attempt, in total and per organization. At most one is kept per
 * conversation. At a limit, a nudge of another conversation is dropped, and recovery nudges that conversation later.
 * Chosen.
 */
const maxKept = { total: 20_000, perOrganization: 2000 };
const retryMs = 500;
const atOnce = 50;

interface Nudge {
  conversation: ConversationAddress;
  dueAtMs: number;
  /**
   * Runs work in the trace span of the request that queued the nudge, because the nudge may be sent long after that
   * request.
   */
  inItsSpan: ReturnType<typeof inThisSpan>;
}

interface NudgeOptions {
  send: (conversation: ConversationAddress, dueAtMs: number) => Promise<void>;
  log: Logger;
}

/**
 * Sends nudges in the background. The inputs are already in Postgres, so a late nudge only delays an answer. If a
 * nudge is lost, recovery sends another one.
 */
export class NudgeQueue {
  readonly #options: NudgeOptions;
  readonly #limiter = new Limiter(nudgeLimits);
  readonly #inProgress = new Set<Promise<unknown>>();
  /**
   * Nudges that are kept for another attempt, by organization and conversation. Stores only the first nudge of each
   * conversation, with the earliest due time of the conversation's nudges.
   */
  readonly #kept = new Map<string, Map<string, Nudge>>();
  #keptCount = 0;
  readonly #warn: (err: unknown) => void;
  #unreachableSince: number | undefined;
  #resending = false;
  #closing = false;

  constructor(options: NudgeOptions) {
    this.#options = options;
    this.#warn = seldomWarning(options.log, 'Temporal cannot be reached; inputs wait in Postgres');
  }

  /**
   * Returns the milliseconds for which this process has not been able to reach Temporal; 0 if Temporal is reachable.
   */
  unreachableMs(): number {
    return this.#unreachableSince === undefined ? 0 : performance.now() - this.#unreachableSince;
  }

  /**
   * Queues a nudge. Does not wait until the nudge is sent: resolves at once or, if too many nudges are in progress,
   * after at most `nudgeLimits.maxWaitMs`. Never rejects.
   */
  async add(conversation: ConversationAddress, dueAtMs = Date.now()): Promise<void> {
    const nudge = { conversation, dueAtMs, inItsSpan: inThisSpan() };
    if (this.#unreachableSince !== undefined) {
      this.#keep(nudge);
      return;
    }
    let release: () => void;
    try {
      release = await this.#limiter.hold(conversation.organizationId);
    } catch (error) {
      if (!(error instanceof NoSlot)) throw error;
      this.#keep(nudge);
      return;
    }
    this.#begin(this.#send(nudge).finally(release));
  }

  /**
   * Waits for the nudges in progress, at most `deadlineMs` milliseconds. Recovery later nudges the conversations whose
   * nudges were not sent.
   */
  async close(deadlineMs: number): Promise<void> {
    this.#closing = true;
    const ended = new AbortController();
    const all = async () => {
      while (this.#inProgress.size > 0) await Promise.allSettled(this.#inProgress);
    };
    await Promise.race([
      all(),
      delay(deadlineMs, undefined, { signal: ended.signal }).catch(() => undefined),
    ]);
    ended.abort();
  }

  #begin(work: Promise<unknown>): void {
    this.#inProgress.add(work);
    void work.finally(() => this.#inProgress.delete(work));
  }

  /**
   * Sends a nudge. If Temporal is unreachable, keeps the nudge for another attempt. Only logs any other error, because
   * recovery then nudges the conversation. Never rejects.
   */
  async #send(nudge: Nudge): Promise<void> {
    const { conversation, dueAtMs, inItsSpan } = nudge;
    try {
      await inItsSpan(() => this.#options.send(conversation, dueAtMs));
    } catch (err) {
      if (isUnreachable(err)) {
        this.#unreachableSince ??= performance.now();
        this.#warn(err);
        this.#keep(nudge);
        return;
      }
      this.#options.log.warn(
        { conversation_id: conversation.id, err },
        'a nudge was refused; recovery sends it',
      );
    }
    this.#unreachableSince = undefined;
  }

  #keep(nudge: Nudge): void {
    const { id, organizationId } = nudge.conversation;
    const kept = this.#kept.get(organizationId) ?? new Map<string, Nudge>();
    const same = kept.get(id);
    if (same === undefined) {
      if (this.#keptCount >= maxKept.total || kept.size >= maxKept.perOrganization) return;
      this.#keptCount += 1;
    }
    this.#kept.set(organizationId, kept);
    kept.set(id, { ...(same ?? nudge), dueAtMs: Math.min(nudge.dueAtMs, same?.dueAtMs ?? Infinity) });
    // `#resend` sends the nudges of many requests, so its log lines must not have the ids of this request.
    if (!this.#resending) this.#begin(withIds({}, () => this.#resend()));
  }

  /** Sends the kept nudges: one at a time until Temporal answers, then up to `atOnce` at the same time. */
  async #resend(): Promise<void> {
    this.#resending = true;
    while (this.#keptCount > 0) {
      const unreachable = this.#unreachableSince !== undefined;
      if (unreachable && this.#closing) break;
      if (unreachable) await delay(retryMs);
      await inParallel(this.#take(unreachable ? 1 : atOnce), atOnce, (nudge) => this.#send(nudge));
    }
    this.#resending = false;
  }

  /** Removes and returns up to `count` kept nudges: of each organization in turn, the oldest. */
  #take(count: number): Nudge[] {
    const taken: Nudge[] = [];
    while (taken.length < count && this.#keptCount > 0) {
      for (const [organization, kept] of this.#kept) {
        const [oldest] = kept;
        if (oldest === undefined || taken.length === count) break;
        kept.delete(oldest[0]);
        // Moves the organization behind the others, so that one organization's nudges do not delay those of the others.
        this.#kept.delete(organization);
        if (kept.size > 0) this.#kept.set(organization, kept);
        this.#keptCount -= 1;
        taken.push(oldest[1]);
      }
    }
    return taken;
  }
}

const overdueEveryMs = 1000;
/**
 * Minimum and maximum milliseconds by which a group must be overdue for `nudgeOverdue` to nudge it. Groups that are
 * overdue for longer are left to recovery. Chosen.
 */
const overdueMs = { min: 2000, max: 30_000 };
/**
 * Maximum overdue groups that a round reads, and maximum nudges that it sends. While workers are busy, many groups are
 * overdue although their nudges were sent. A round must then add little to the load. Chosen.
 */
const maxFound = 200;
const maxPerRound = 20;

/**
 * Nudges conversations that have an overdue input but no run in progress, for example because an API process ended
 * after it committed an input and before it sent the nudge. Recovery, which runs every SWEEP_SECONDS, would find them
 * later. A round starts `overdueEveryMs` after the end of the previous one, until `close` is called.
 * @param failed called with the error of a failed round; the next round starts nevertheless
 * @returns `close`, which stops the rounds and waits for the round in progress
 */
export function nudgeOverdue(
  db: Database,
  nudge: (conversation: ConversationAddress) => Promise<void>,
  failed: (error: unknown) => void,
): { close: () => Promise<void> } {
  /**
   * The time (`performance.now()`) at which a round nudged each conversation. No conversation is nudged again until
   * `overdueMs.max` have passed.
   */
  const nudged = new Map<string, number>();
  const round = async () => {
    const now = performance.now();
    for (const [id, at] of nudged) if (now - at > overdueMs.max) nudged.delete(id);
    const found = await acrossOrganizations(() => findOverdue(db, overdueMs, maxFound));
    for (const conversation of found.filter(({ id }) => !nudged.has(id)).slice(0, maxPerRound)) {
      nudged.set(conversation.id, now);
      await nudge(conversation);
    }
  };
  const closing = new AbortController();
  const rounds = async () => {
    while (!closing.signal.aborted) {
      await delay(overdueEveryMs, undefined, { signal: closing.signal });
      await round().catch(failed);
    }
  };
  const ended = rounds().catch(() => undefined);
  return {
    close: async () => {
      closing.abort();
      await ended;
    },
  };
}
