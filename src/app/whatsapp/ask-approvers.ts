/**
 * Asks approvers on WhatsApp to decide on tool calls. Sends each message at most once: a message that may have arrived
 * is not sent again. A failed send neither delays nor fails the run, because the call can also be decided in the
 * console.
 */
import { openAccess } from '../../adapters/postgres/whatsapp/channels.ts';
import {
  claimApprovalMessage,
  findChannelOfApproval,
  hasOpenApprovalMessages,
  settleApprovalMessage,
  takeApprovalMessages,
  type DueApprovalMessage,
} from '../../adapters/postgres/whatsapp/approval-messages.ts';
import { approvalRequestText } from '../../domain/conversations/approval-request.ts';
import { afterSend, type PartStep } from '../../domain/whatsapp/reply-progress.ts';
import { inSpan } from '../../observability/spans.ts';
import type { ActivityDeps } from '../deps.ts';
import { recordTrouble } from './send-part.ts';
import { takeSendSlot } from './send-slot.ts';

/** Maximum milliseconds for which `askApprovers` waits for its sends. Slower sends continue in this process. Chosen. */
const waitMs = 1000;
/** Milliseconds until `askApprovers` must be called again while messages are pending or being sent. Chosen. */
const againMs = 60_000;
/** Maximum attempts at sending one message. Chosen: with `againMs`, a gateway may be down for ten minutes. */
const maxTries = 10;

/**
 * Sends the pending messages of a run's waiting approvals. Waits at most `waitMs` for the sends, which may continue
 * afterwards.
 * @returns the milliseconds after which this function must be called again; undefined if no message is being sent or
 * can be tried again
 * @throws AbortError if the signal is aborted during the wait
 */
export async function askApprovers(
  deps: ActivityDeps,
  runId: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  const due = await takeApprovalMessages(deps.db, runId, maxTries);
  if (due.length > 0) {
    // The messages of one approval are sent one after the other, so that a slow gateway gets few requests at once.
    const byApproval = Map.groupBy(due, ({ approval_id }) => approval_id);
    const sending = Promise.all([...byApproval.values()].map((messages) => sendAll(deps, messages)));
    deps.outbox.track(sending);
    await Promise.race([sending, deps.sleep(waitMs, undefined, { signal })]);
  }
  return (await hasOpenApprovalMessages(deps.db, runId, maxTries)) ? againMs : undefined;
}

async function sendAll(deps: ActivityDeps, messages: readonly DueApprovalMessage[]): Promise<void> {
  for (const message of messages)
    try {
      await deps.shares.use(message.organization_id, () => send(deps, message));
    } catch (err) {
      // A message that was claimed remains claimed, because it may have been sent. Any other message is tried again.
      deps.warn({ approval_id: message.approval_id, err }, 'an approver could not be asked');
    }
}

async function send(deps: ActivityDeps, message: DueApprovalMessage): Promise<void> {
  const { db, channel } = deps;
  const { approval_id: id, position } = message;
  const row = await findChannelOfApproval(db, id);
  const access = row && openAccess(channel.encryption, row);
  if (row === undefined || access === undefined) {
    const error = 'no WhatsApp channel of the organization is connected';
    await settleApprovalMessage(db, message, { status: 'failed', error });
    return;
  }
  if ('retryMs' in (await takeSendSlot(deps, access, new AbortController().signal))) return;
  const { agent_name: agentName, tool, code, expires_at: expiresAt, on_expiry: onExpiry } = message;
  const call = { agentName, tool, arguments: message.arguments };
  const { text, showsAll } = approvalRequestText({ ...call, code, expiresAt, onExpiry });
  const claiming = performance.now();
  if (!(await claimApprovalMessage(db, message, { agentId: row.agent_id, showsAll }))) return;
  const attributes = { 'parley.approval_id': id };
  const outcome = await inSpan('send to gateway', { kind: 'CLIENT', attributes }, () =>
    channel.gateway.sendText(access, {
      number: message.phone.slice(1),
      trackId: `${id}:${position}`,
      readChat: false,
      text,
      spentMs: performance.now() - claiming,
    }),
  );
  const after = afterSend(outcome, 0, channel.times);
  const messageId = outcome.outcome === 'sent' ? outcome.messageId : null;
  await settleApprovalMessage(db, message, { ...settled(after, message.tries), messageId });
  await recordTrouble(deps, row, outcome, after);
}

function settled(
  after: PartStep,
  tries: number,
): { status: 'pending' | 'sent' | 'unknown' | 'failed'; error?: string } {
  switch (after.kind) {
    case 'sent':
      return { status: 'sent' };
    case 'failed':
      return { status: 'failed', error: after.error };
    case 'wait':
      return { status: tries < maxTries ? 'pending' : 'failed', error: after.error };
    case 'ask':
      return { status: 'unknown', error: after.error };
  }
}
