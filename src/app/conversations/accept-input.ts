/**
 * Records inputs in Postgres and nudges their workflows. A caller that does not wait for the answer is acknowledged
 * once the input is in Postgres. If a caller waits and the nudge fails, the input is withdrawn, unless a run has
 * claimed it or a repeated call was acknowledged.
 */
import type { Database } from '../../adapters/postgres/database.ts';
import {
  acceptInput,
  withdrawInput,
  type AcceptedInput,
  type NewInput,
} from '../../adapters/postgres/conversations/inputs.ts';
import type {
  ConversationAddress,
  ConversationWorkflows,
} from '../../adapters/temporal/conversation-workflows.ts';
import { PublicError } from '../../contract/errors.ts';
import { countAccepted } from '../../observability/api-metrics.ts';
import { addIds } from '../../observability/spans.ts';
import { conversationWorkflowId } from '../../contract/workflows.ts';
import type { Logger } from '../../log.ts';
import { findServing } from '../../adapters/postgres/conversations/serving.ts';
import { acrossOrganizations } from '../../adapters/postgres/organization-scope.ts';
import type { WorkerNotifier } from '../../adapters/postgres/worker-notifier.ts';
import { NudgeQueue } from './nudge-queue.ts';

const retryAfterSeconds = 2;
const longOutageRetryAfterSeconds = 30;

export class ConversationStarter {
  readonly #db: Database;
  readonly #log: Logger;
  readonly #maxOutageMs: number;
  readonly #nudges: NudgeQueue;
  readonly #notifier: Pick<WorkerNotifier, 'notify'> | undefined;
  readonly workflows: ConversationWorkflows;

  /**
   * @param maxOutageMs how long inputs are still accepted after Temporal has become unreachable
   * @param notifier absent if no worker keeps conversations warm
   */
  constructor(
    db: Database,
    workflows: ConversationWorkflows,
    log: Logger,
    maxOutageMs: number,
    notifier?: Pick<WorkerNotifier, 'notify'>,
  ) {
    this.#db = db;
    this.#notifier = notifier;
    this.workflows = workflows;
    this.#log = log;
    this.#maxOutageMs = maxOutageMs;
    this.#nudges = new NudgeQueue({ send: (...nudge) => workflows.nudge(...nudge), log });
  }

  /**
   * Records an input and nudges its workflow. A repeat with the same idempotency key returns the first call's result.
   * @throws PublicError not_found, forbidden, agent_inactive, idempotency_conflict; unavailable if Temporal has been unreachable
   * for more than `maxOutageMs`. For a caller that waits for the answer, also unavailable if the nudge failed and the
   * input was withdrawn, or if the nudge failed and the call is a repeat.
   */
  async accept(input: NewInput): Promise<AcceptedInput> {
    if (!this.accepts()) {
      throw new PublicError('unavailable', { retryAfterSeconds: longOutageRetryAfterSeconds });
    }
    const accepted = await acceptInput(this.#db, input);
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
        await this.#wake(accepted, input);
        if (accepted.outcome === 'accepted') countAccepted({ channel: 'api' });
        return accepted;
    }
  }

  async #wake(accepted: AcceptedInput, input: NewInput): Promise<void> {
    if (accepted.wake_at === null) return;
    const conversation = {
      id: accepted.conversation_id,
      organizationId: input.organizationId,
      agentId: accepted.agent_id ?? input.targetId,
      channel: input.channel ?? 'api',
    };
    const dueAtMs = accepted.wake_at.getTime();
    const servedBy = accepted.served_by ?? undefined;
    if (input.sync && (servedBy === undefined || this.#notifier === undefined))
      await this.#nudgeNow(conversation, accepted, dueAtMs);
    else await this.notifyOrNudge(conversation, dueAtMs, servedBy);
  }

  async #nudgeNow(
    conversation: ConversationAddress,
    accepted: AcceptedInput,
    dueAtMs: number,
  ): Promise<void> {
    try {
      await this.workflows.nudge(conversation, dueAtMs);
    } catch (cause) {
      this.#log.warn({ conversation_id: conversation.id, err: cause }, 'a nudge could not be sent');
      // A repeat has no input of its own to withdraw: its input belongs to the first call.
      const gone = accepted.outcome === 'repeat' || (await withdrawInput(this.#db, accepted.message_id));
      if (gone) throw new PublicError('unavailable', { retryAfterSeconds, cause });
    }
  }

  /** Notifies the worker that serves the conversation, if there is one, else nudges the workflow. Never rejects. */
  async notifyOrNudge(conversation: ConversationAddress, dueAtMs: number, servedBy?: string): Promise<void> {
    if (servedBy !== undefined && this.#notifier !== undefined)
      this.#notifier.notify(servedBy, conversation.id);
    else await this.#nudges.add(conversation, dueAtMs);
  }

  /**
   * Queues a nudge of a conversation's workflow; the conversation's rows must already be committed. Waits at most 2 s
   * for a place in the queue, not for Temporal. Never rejects.
   * Also notifies the worker that serves the conversation, if there is one, because the workflow waits for its activity.
   */
  async nudge(conversation: ConversationAddress, dueAtMs = Date.now()): Promise<void> {
    await this.#notifyServing(conversation.id);
    await this.#nudges.add(conversation, dueAtMs);
  }

  async #notifyServing(conversationId: string): Promise<void> {
    if (this.#notifier === undefined) return;
    // The worker's poll finds inputs of which it was not notified.
    const servedBy = await acrossOrganizations(() => findServing(this.#db, conversationId)).catch(
      () => undefined,
    );
    if (servedBy !== undefined) this.#notifier.notify(servedBy, conversationId);
  }

  /** False if Temporal has been unreachable for more than `maxOutageMs`; new inputs are then refused. */
  accepts(): boolean {
    return this.#nudges.unreachableMs() <= this.#maxOutageMs;
  }

  /** Waits at shutdown for the nudges in progress, at most `deadlineMs` milliseconds. */
  async close(deadlineMs: number): Promise<void> {
    await this.#nudges.close(deadlineMs);
  }
}
