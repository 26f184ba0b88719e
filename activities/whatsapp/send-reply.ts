import { cancellationSignal } from '@temporalio/activity';
import type { ActivityDeps } from '../../src/app/deps.ts';
import { sendReply, type ReplyProgress } from '../../src/app/whatsapp/send-reply.ts';

/** Sends an agent's message through the gateway, or the parts of it that can be sent now. */
export function sendReplyActivity(deps: ActivityDeps) {
  return async (deliveryId: string): Promise<ReplyProgress> =>
    await sendReply(deps, deliveryId, cancellationSignal());
}
