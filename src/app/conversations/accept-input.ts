/**
 * Accepts an input: records it in Postgres, and nudges its workflow. A caller who does not wait for the answer is
 * acknowledged from Postgres; an input whose caller waits is withdrawn if Temporal cannot be reached.
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
import { addIds } from '../../observability/ids.ts';
import { conversationWorkflowId } from '../../contract/workflows.ts';
import type { Logger } from '../../log.ts';
import { NudgeQueue } from './nudge-queue.ts';

const retryAfterSeconds = 2;
const longOutageRetryAfterSeconds = 30;

export class ConversationStarter {
  readonly #db: Database;
  readonly #log: Logger;
  readonly #maxOutageMs: number;
  readonly #nudges: NudgeQueue;
  readonly workflows: ConversationWorkflows;

  /** @param maxOutageMs how long inputs are accepted while Temporal is unreachable */
  constructor(db: Database, workflows: ConversationWorkflows, log: Logger, maxOutageMs: number) {
    this.#db = db;
    this.workflows = workflows;
    this.#log = log;
    this.#maxOutageMs = maxOutageMs;
    this.#nudges = new NudgeQueue({ send: (...nudge) => workflows.nudge(...nudge), log });
  }

  /**
   * Records an input and nudges its workflow. A repeat with the same idempotency key returns the first call's
   * result.
   * @throws PublicError not_found, agent_inactive, idempotency_conflict; unavailable if Temporal has been unreachable
   * for too long, or if it is unreachable, the caller waits for the answer, and the input was withdrawn or the call is
   * a repeat
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
    if (input.sync) await this.#nudgeNow(conversation, accepted, dueAtMs);
    else await this.nudge(conversation, dueAtMs);
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

  /** Nudges a conversation's workflow after its rows were written, without waiting for Temporal. Never rejects. */
  async nudge(conversation: ConversationAddress, dueAtMs = Date.now()): Promise<void> {
    await this.#nudges.add(conversation, dueAtMs);
  }

  /** False while Temporal has been unreachable for too long: new inputs are then refused. */
  accepts(): boolean {
    return this.#nudges.unreachableMs() <= this.#maxOutageMs;
  }

  /** Waits at shutdown for the nudges in progress. */
  async close(deadlineMs: number): Promise<void> {
    await this.#nudges.close(deadlineMs);
  }
}
