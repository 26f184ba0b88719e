import { cancellationSignal } from '@temporalio/activity';
import type { ActivityDeps } from '../../src/app/deps.ts';
import { sendReply, type ReplyProgress } from '../../src/app/whatsapp/send-reply.ts';

/**
 * Sends those parts of an agent's message that can be sent now. Returns `wait` with the milliseconds and the reason if
 * parts are left, else `done` with the reply's status. A repeated call skips the parts whose outcome is final.
 * @throws a retryable failure if another attempt has claimed a part, or the organization uses all of its slots
 */
export function sendReplyActivity(deps: ActivityDeps) {
  return async (deliveryId: string): Promise<ReplyProgress> =>
    await sendReply(deps, deliveryId, cancellationSignal());
}
