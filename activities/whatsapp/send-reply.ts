import { cancellationSignal } from '@temporalio/activity';
import type { ActivityDeps } from '../../src/app/deps.ts';
import { sendReply, type ReplyProgress } from '../../src/app/whatsapp/send-reply.ts';

/**
 * Sends the parts of a reply that can be sent now. A repeated call skips parts whose outcome is final.
 * @returns `done` with the reply's final status, or with `gone` if the reply was erased or already had a final status;
 * `wait`, with the milliseconds and the reason, if the activity must be repeated later
 * @throws a retryable failure if another attempt has claimed a part, or the organization uses all of its slots
 */
export function sendReplyActivity(deps: ActivityDeps) {
  return async (deliveryId: string): Promise<ReplyProgress> =>
    await sendReply(deps, deliveryId, cancellationSignal());
}
