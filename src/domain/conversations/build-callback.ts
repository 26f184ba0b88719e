/** Builds the payload of a callback from a delivery row. */
import type { Callback } from '../../contract/conversations/callback.ts';
import { unknownFailure } from './run-outcome.ts';

export interface CallbackSource {
  event: 'message.completed' | 'message.error';
  conversation_id: string;
  agent_id: string;
  message_id: string | null;
  response: string | null;
  model: string | null;
  credits_used: number | null;
  responding_agent_name: string | null;
  pre_transfer: boolean | null;
  error: string | null;
  followup_attempt: number | null;
  attachments_processed: number;
}

/**
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
    ...(source.message_id !== null && { message_id: source.message_id }),
    response: source.response ?? '',
    ...(source.model !== null && { model: source.model }),
    ...(source.credits_used !== null && { credits_used: source.credits_used }),
    attachments_processed: source.attachments_processed,
    responding_agent_name: source.responding_agent_name ?? '',
    ...correlation,
    timestamp,
    ...(source.pre_transfer === true && { pre_transfer: true as const }),
    ...(source.followup_attempt !== null && {
      followup: true as const,
      followup_attempt: source.followup_attempt,
    }),
  };
}
