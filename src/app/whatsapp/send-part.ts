/** Sends one part of a reply: claims it before the first byte is sent, sends it once, and records the outcome. */
import { recordTimelock } from '../../adapters/postgres/whatsapp/alerts.ts';
import { recordRefusedCredentials } from '../../adapters/postgres/whatsapp/channel-watch.ts';
import type { ChannelRow } from '../../adapters/postgres/whatsapp/channels.ts';
import {
  claimSend,
  findContactAddress,
  settleSend,
  type ReplyFile,
  type ReplyView,
  type SendRow,
} from '../../adapters/postgres/whatsapp/sends.ts';
import type { GatewayAccess } from '../../adapters/whatsapp/gateway-call.ts';
import type { SendOutcome } from '../../adapters/whatsapp/gateway-outcomes.ts';
import { guardPlaceholders, type ReplyStep } from '../../domain/whatsapp/plan-reply.ts';
import { afterSend, isFailure, type PartStep } from '../../domain/whatsapp/reply-progress.ts';
import { inSpan } from '../../observability/spans.ts';
import type { ActivityDeps } from '../deps.ts';
import { transient } from '../../worker/failures.ts';
import { postCallback } from '../conversations/post-callback.ts';

/**
 * Maximum milliseconds that a claim may take. If it takes longer, for example because the process was paused, nothing
 * is sent, because another attempt may be running. Chosen.
 */
const pausedMs = 5000;
/** Milliseconds for which a link to a file is valid. Chosen: seven days, because a contact may open it days later. */
const linkMs = 7 * 24 * 60 * 60 * 1000;

export type Part = {
  reply: ReplyView;
  /** The channel of the reply. `access` contains its decrypted credentials. */
  row: Pick<ChannelRow, 'agent_id' | 'instance_token'>;
  access: GatewayAccess;
  step: ReplyStep;
  files: readonly ReplyFile[];
  /** Aborts the waits before the claim. */
  signal: AbortSignal;
};

export type Advanced =
  | { kind: 'sent' | 'uncertain' }
  /** A human agent has taken over the conversation, so the part was not claimed. */
  | { kind: 'paused' }
  | { kind: 'failed'; error: string }
  /**
   * `sendReply` must be repeated after `ms` milliseconds. It then sends the part again, or asks the gateway whether
   * the part was sent.
   */
  | { kind: 'wait'; ms: number; why: string };

type Earlier = Pick<SendRow, 'status' | 'attempts' | 'failures' | 'as_link'>;

/**
 * Sends the part. If the gateway refuses its file and links are allowed, sends a link to the file instead.
 * @param earlier the previous attempt, which sent nothing or whose message the gateway does not have; undefined if
 * there was none
 * @returns `sent`, `failed` or `paused`; `wait` if the part must be sent again later, or if its outcome is unknown and
 * the gateway must be asked later
 * @throws a retryable failure if another attempt has claimed the part, or the signal is aborted before the claim;
 * AbortError if the signal aborts a wait before the claim
 */
export async function sendPart(
  deps: ActivityDeps,
  part: Part,
  earlier: Earlier | undefined,
): Promise<Advanced> {
  const { db, channel } = deps;
  const { reply, step, signal } = part;
  const where = { deliveryId: reply.id, partNo: step.partNo, agentId: reply.channel_agent_id };
  if (step.gapMs > 0) await deps.sleep(step.gapMs, undefined, { signal });
  if (step.typingMs > 0) await showTyping(deps, part);
  if (signal.aborted) throw transient('Late', 'This attempt is over its time and sends nothing.');
  const claiming = performance.now();
  const claim = await claimSend(db, where, earlier);
  if (claim.outcome === 'paused') return { kind: 'paused' };
  if (claim.outcome === 'elsewhere') {
    throw transient(
      'ClaimedElsewhere',
      'Another attempt has claimed this part; its outcome is read next.',
      500,
    );
  }
  if (performance.now() - claiming > pausedMs) {
    await settleSend(db, where, { status: 'retry', error: 'the process was paused', final: false });
    return { kind: 'wait', ms: 1000, why: 'paused process' };
  }
  const attributes = { 'parley.delivery_id': reply.id, 'parley.part': step.partNo };
  const outcome = await inSpan('send to gateway', { kind: 'CLIENT', attributes }, () =>
    call(deps, part, claim.number, { asLink: earlier?.as_link ?? false, claiming }),
  );
  const attempts = (earlier?.attempts ?? 0) + 1;
  const failures = earlier?.failures ?? 0;
  const after = afterSend(outcome, failures, channel.times);
  if (earlier?.as_link !== true && refusesFile(outcome) && linkTo(deps, part) !== undefined) {
    const error = after.kind === 'failed' ? after.error : '';
    await settleSend(db, where, { status: 'retry', error, final: false, asLink: true });
    return await sendPart(deps, part, { status: 'retry', attempts, failures, as_link: true });
  }
  await settleSend(db, where, {
    ...settled(after),
    failed: isFailure(outcome),
    gatewayMessageId: outcome.outcome === 'sent' ? outcome.messageId : null,
  });
  await recordTrouble(deps, part.row, outcome, after);
  if (after.kind === 'sent' || after.kind === 'failed') return after;
  return { kind: 'wait', ms: after.ms, why: after.kind === 'ask' ? 'unknown outcome' : after.why };
}

/**
 * Records on the channel that the gateway refused its credentials, or that WhatsApp has locked its number. If this
 * creates an alert about the lock, begins to post the alert, without waiting for the result.
 */
export async function recordTrouble(
  deps: ActivityDeps,
  row: Part['row'],
  outcome: SendOutcome,
  after: PartStep,
): Promise<void> {
  const { db, outbox } = deps;
  if (outcome.outcome === 'invalid_credentials') await recordRefusedCredentials(db, row);
  if (outcome.outcome !== 'timelocked' || after.kind !== 'failed') return;
  const lock = { untilMs: outcome.untilMs, reason: after.error };
  const alert = await recordTimelock(db, row.agent_id, lock);
  if (alert !== undefined) void outbox.post(alert, () => postCallback(deps, alert));
}

/**
 * Shows "typing…" to the contact for `step.typingMs`. This happens before the claim, so that a takeover during this
 * time still prevents the message. Ignores the gateway's errors.
 * @throws AbortError if the signal aborts the wait
 */
async function showTyping(deps: ActivityDeps, { reply, access, step, signal }: Part): Promise<void> {
  const contact = await findContactAddress(deps.db, reply.conversation_id);
  if (contact === undefined) return;
  void deps.channel.gateway
    .showTyping(access, { number: contact.number, ms: step.typingMs })
    .catch(() => undefined);
  await deps.sleep(step.typingMs, undefined, { signal });
}

/** @returns the track id of the part's message at the gateway: the same in every attempt, and unique among all parts */
export function trackIdOf({ reply, step }: Part): string {
  return `${reply.id}:${step.partNo}`;
}

async function call(
  deps: ActivityDeps,
  part: Part,
  number: string,
  { asLink, claiming }: { asLink: boolean; claiming: number },
): Promise<SendOutcome> {
  const { gateway } = deps.channel;
  const { access, step, files } = part;
  const common = {
    number,
    trackId: trackIdOf(part),
    readChat: step.readChat,
    // The timeout of the request counts from the claim, because a later attempt also counts its wait from the claim.
    spentMs: performance.now() - claiming,
  };
  if (step.form === 'text') return await gateway.sendText(access, { ...common, text: step.text });
  const link = asLink ? linkTo(deps, part) : undefined;
  if (link !== undefined) return await gateway.sendText(access, { ...common, text: link });
  const file = files.find(({ id }) => id === step.attachmentId);
  return await gateway.sendMedia(access, {
    ...common,
    mediaType: step.mediaType,
    file: file?.content.toString('base64') ?? '',
    filename: step.filename,
    contentType: file?.content_type ?? 'application/octet-stream',
    caption: step.caption,
  });
}

/** True if the gateway refused the part because its file is too large (413) or has an unsupported type (415). */
function refusesFile(outcome: SendOutcome): boolean {
  return outcome.outcome === 'refused' && (outcome.status === 413 || outcome.status === 415);
}

/**
 * @returns the text with a link that replaces a refused file; undefined if the part is not a file, or if links are not
 * allowed
 */
function linkTo({ channel: { fileLinks } }: ActivityDeps, { step, files }: Part): string | undefined {
  if (step.form !== 'media') return undefined;
  const url = fileLinks?.urlOf(step.attachmentId, Date.now() + linkMs);
  if (url === undefined) return undefined;
  const name = files.find(({ id }) => id === step.attachmentId)?.filename;
  const named = name ? `${guardPlaceholders(name)}: ${url}` : url;
  return step.caption === '' ? named : `${step.caption}\n${named}`;
}

function settled(after: PartStep): {
  status: SendRow['status'];
  error?: string;
  final: boolean;
  uncertain?: boolean;
} {
  switch (after.kind) {
    case 'sent':
      return { status: 'sent', final: true };
    case 'failed':
      return { status: 'failed', error: after.error, final: true };
    case 'wait':
      return { status: 'retry', error: after.error, final: false };
    case 'ask':
      return { status: 'unknown', error: after.error, final: false, uncertain: !after.gatewayFailed };
  }
}
