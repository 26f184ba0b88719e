/** Answers an approver's reply on WhatsApp, with at most one message. */
import { v7 as newId } from 'uuid';
import type { Database } from '../../adapters/postgres/database.ts';
import { acrossOrganizations } from '../../adapters/postgres/organization-scope.ts';
import type { ChannelRow } from '../../adapters/postgres/whatsapp/channels.ts';
import { guardPlaceholders } from '../../domain/whatsapp/plan-reply.ts';
import type { ChannelSteps } from './channel-steps.ts';
import { takeSendSlot } from './send-slot.ts';

interface Deps {
  db: Database;
  channels: Pick<ChannelSteps, 'access' | 'gateway'>;
  config: { GATEWAY_SENDS_PER_MINUTE: number | 'off' };
}

/**
 * Sends a sentence to an approver's number. The caller must already have recorded the approver's reply. Ignores the
 * outcome of the send, and does not retry it. Sends nothing if no send slot becomes free in time (see `takeSendSlot`).
 * @throws PublicError invalid_state if the channel has no credentials; Error if they cannot be decrypted
 */
export async function answerApprover(
  { db, channels, config }: Deps,
  channel: ChannelRow,
  number: string,
  sentence: string,
): Promise<void> {
  const access = channels.access(channel);
  const limit = { db, channel: { sendsPerMinute: config.GATEWAY_SENDS_PER_MINUTE } };
  // The slots of a gateway's instance belong to no organization, so only the database role for all organizations may
  // take them.
  const slot = await acrossOrganizations(() => takeSendSlot(limit, access, new AbortController().signal));
  if ('retryMs' in slot) return;
  const text = guardPlaceholders(sentence);
  await channels.gateway.sendText(access, { number, trackId: newId(), readChat: false, text });
}
