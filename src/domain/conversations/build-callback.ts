/** Builds the payload of a callback from a delivery row. */
import type { Callback } from '../../contract/conversations/callback.ts';
import { unknownFailure } from './run-outcome.ts';

interface Shared {
  conversation_id: string;
  agent_id: string;
}

interface AnswerSource extends Shared {
  event: 'message.completed';
  message_id: string;
  response: string;
  model: string | null;
  credits_used: number | null;
  responding_agent_name: string;
  pre_transfer: boolean;
  followup_attempt: number | null;
  attachments_processed: number;
}

interface ErrorSource extends Shared {
  event: 'message.error';
  error: string | null;
}

export type CallbackSource = AnswerSource | ErrorSource;

/**
 * Builds the payload. A failed run without a recorded error gets the message `unknownFailure`.
 * @param metadata the metadata of the caller's message, which the payload contains unchanged
 * @param now becomes the payload's `timestamp`
 */
export function buildCallback(
  source: CallbackSource,
  metadata: Extract<Callback, { event: 'message.error' }>['metadata'],
  now: Date,
): Callback {
  const correlation = metadata === undefined ? {} : { metadata };
  const timestamp = now.toISOString();
  if (source.event === 'message.error') {
    return {
      event: 'message.error',
      agent_id: source.agent_id,
      conversation_id: source.conversation_id,
      error: source.error ?? unknownFailure,
      ...correlation,
      timestamp,
    };
  }
  return {
    event: 'message.completed',
    agent_id: source.agent_id,
    success: true,
    conversation_id: source.conversation_id,
    message_id: source.message_id,
    response: source.response,
    ...(source.model !== null && { model: source.model }),
    ...(source.credits_used !== null && { credits_used: source.credits_used }),
    attachments_processed: source.attachments_processed,
    responding_agent_name: source.responding_agent_name,
    ...correlation,
    timestamp,
    ...(source.pre_transfer && { pre_transfer: true as const }),
    ...(source.followup_attempt !== null && {
      followup: true as const,
      followup_attempt: source.followup_attempt,
    }),
  };
}
