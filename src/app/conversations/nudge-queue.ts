/**
 * Sends nudges in the background. Their inputs are already in Postgres, so a late nudge only delays an answer, and
 * recovery replaces a lost one.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { isUnreachable, type ConversationAddress } from '../../adapters/temporal/conversation-workflows.ts';
import { Limiter, NoSlot } from '../../limits/limiter.ts';
import type { Logger } from '../../log.ts';
import { seldom } from '../../seldom.ts';
import { inParallel } from '../in-parallel.ts';

/**
 * Maximum nudges in progress, in total and per organization. Above a limit, `add` waits up to 2 s, so that callers are
 * not acknowledged faster than Temporal accepts their nudges.
 */
const limits = { max: 200, maxPerOwner: 100, maxWaitMs: 2000 };
/**
 * Maximum conversations whose nudge is kept to be sent again, in total and per organization. Recovery nudges the
 * others.
 */
const maxKept = { total: 20_000, perOrganization: 2000 };
const retryMs = 500;
const atOnce = 50;

interface Nudge {
  conversation: ConversationAddress;
  dueAtMs: number;
}

interface Options {
  send: (conversation: ConversationAddress, dueAtMs: number) => Promise<void>;
  log: Logger;
}

export class NudgeQueue {
  readonly #options: Options;
  readonly #limiter = new Limiter(limits);
  readonly #inProgress = new Set<Promise<unknown>>();
  /**
   * Nudges to send again, by organization and conversation. A conversation keeps only its nudge with the earliest time.
   */
  readonly #kept = new Map<string, Map<string, Nudge>>();
  #keptCount = 0;
  readonly #warn: (err: unknown) => void;
  #unreachableSince: number | undefined;
  #resending = false;
  #closing = false;

  constructor(options: Options) {
    this.#options = options;
    this.#warn = seldom((err: unknown, unlogged) => {
      options.log.warn({ err, unlogged }, 'Temporal cannot be reached; inputs wait in Postgres');
    });
  }

  /** Milliseconds for which Temporal has been unreachable for this process; 0 if it is reachable. */
  unreachableMs(): number {
    return this.#unreachableSince === undefined ? 0 : performance.now() - this.#unreachableSince;
  }

  /**
   * Queues a nudge. Resolves before the nudge is sent: at once, or after at most 2 s if too many nudges are in
   * progress. Never rejects.
   */
  async add(conversation: ConversationAddress, dueAtMs = Date.now()): Promise<void> {
    const nudge = { conversation, dueAtMs };
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

  /** Waits for the nudges in progress, at most `deadlineMs` milliseconds. Recovery sends those that are left. */
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

  /** Sends a nudge. Keeps it to send it again if Temporal is unreachable. */
  async #send(nudge: Nudge): Promise<void> {
    const { conversation, dueAtMs } = nudge;
    try {
      await this.#options.send(conversation, dueAtMs);
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
    kept.set(id, { ...nudge, dueAtMs: Math.min(nudge.dueAtMs, same?.dueAtMs ?? Infinity) });
    if (!this.#resending) this.#begin(this.#resend());
  }

  /** Sends the kept nudges: one at a time until Temporal answers, then up to 50 at once. */
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

  /** Removes and returns up to `count` kept nudges: the oldest of each organization in turn. */
  #take(count: number): Nudge[] {
    const taken: Nudge[] = [];
    while (taken.length < count && this.#keptCount > 0) {
      for (const [organization, kept] of this.#kept) {
        const [oldest] = kept;
        if (oldest === undefined || taken.length === count) break;
        kept.delete(oldest[0]);
        // Moves the organization behind the others.
        this.#kept.delete(organization);
        if (kept.size > 0) this.#kept.set(organization, kept);
        this.#keptCount -= 1;
        taken.push(oldest[1]);
      }
    }
    return taken;
  }
}
