/** Accepts an input: records it in Postgres and nudges its workflow. Withdraws it if Temporal cannot be reached. */
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

const retryAfterSeconds = 2;

export class ConversationStarter {
  readonly #db: Database;
  readonly #log: Logger;
  readonly workflows: ConversationWorkflows;

  constructor(db: Database, workflows: ConversationWorkflows, log: Logger) {
    this.#db = db;
    this.workflows = workflows;
    this.#log = log;
  }

  /**
   * Records an input and nudges its workflow. A repeat with the same idempotency key returns the first call's
   * result.
   * @throws PublicError not_found, agent_inactive, idempotency_conflict; unavailable if Temporal could not be
   * reached, and the input was withdrawn or the call is a repeat
   */
  async accept(input: NewInput): Promise<AcceptedInput> {
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
        await this.#nudgeOrWithdraw(accepted, input);
        if (accepted.outcome === 'accepted') countAccepted({ channel: 'api' });
        return accepted;
    }
  }

  async #nudgeOrWithdraw(accepted: AcceptedInput, input: NewInput): Promise<void> {
    if (accepted.wake_at === null) return;
    const conversation = {
      id: accepted.conversation_id,
      organizationId: input.organizationId,
      agentId: accepted.agent_id ?? input.targetId,
      channel: input.channel ?? 'api',
    };
    const cause = await this.nudge(conversation, accepted.wake_at.getTime());
    if (cause === undefined) return;
    // A repeat has no input of its own to withdraw: its input belongs to the first call.
    const gone = accepted.outcome === 'repeat' || (await withdrawInput(this.#db, accepted.message_id));
    if (gone) throw new PublicError('unavailable', { retryAfterSeconds, cause });
  }

  /**
   * Nudges a conversation's workflow after its rows were written.
   * @returns undefined, or the error if Temporal could not be reached: it is logged, and recovery nudges later
   */
  async nudge(conversation: ConversationAddress, dueAtMs = Date.now()): Promise<Error | undefined> {
    try {
      await this.workflows.nudge(conversation, dueAtMs);
      return undefined;
    } catch (err) {
      this.#log.warn({ conversation_id: conversation.id, err }, 'a nudge could not be sent');
      return err instanceof Error ? err : new Error(String(err));
    }
  }
}
