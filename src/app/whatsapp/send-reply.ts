/**
 * Sends a reply through the gateway in parts. Each part is claimed before its first byte is sent. A part whose outcome
 * is unknown is sent again only if the gateway reports that it has no message with the part's track id.
 */
import { findChannel, openAccess, type ChannelRow } from '../../adapters/postgres/whatsapp/channels.ts';
import {
  countSendCheck,
  findReply,
  findReplyFiles,
  findSends,
  finishReply,
  settleSend,
  type ReplyFile,
  type ReplyView,
  type SendRow,
} from '../../adapters/postgres/whatsapp/sends.ts';
import type { GatewayAccess } from '../../adapters/whatsapp/gateway-call.ts';
import { planGatewayReply, type ReplyStep } from '../../domain/whatsapp/plan-reply.ts';
import { maxHoldMs, maxAsks, maxUncertainAttempts } from '../../domain/whatsapp/reply-progress.ts';
import { countReply } from '../../observability/worker-metrics.ts';
import type { ActivityDeps } from '../deps.ts';
import { sendPart, trackIdOf, type Advanced, type Part } from './send-part.ts';
import { takeSendSlot } from './send-slot.ts';

export type ReplyProgress =
  | { next: 'done'; status: 'delivered' | 'failed' | 'blocked' | 'unknown' | 'gone' }
  /** The call must be repeated after `ms` milliseconds. */
  | { next: 'wait'; ms: number; why: string };

/**
 * Milliseconds that are added to the timeout of a send. Once both have passed since the claim, the request of a lost
 * process must have ended. Chosen.
 */
const deadMarginMs = 2000;
const takenOver = 'a person has taken over this contact';

/**
 * Sends the parts that can be sent now. A repeated call skips the parts whose outcome is final.
 * @param signal aborts the waits before a part is claimed
 * @returns `done` with the reply's final status, or with `gone` if the reply was erased or already has a final status;
 * `wait` if the call must be repeated later
 * @throws a retryable failure if another attempt has claimed a part, if the organization uses all of its slots, or if
 * the signal is aborted before a claim; AbortError if the signal aborts a wait; the errors of `Attempts.guarded`
 */
export async function sendReply(
  deps: ActivityDeps,
  deliveryId: string,
  signal: AbortSignal,
): Promise<ReplyProgress> {
  const { db, channel } = deps;
  return await deps.attempts.guarded<ReplyProgress>(`reply/${deliveryId}`, { work: progress, giveUp });

  async function done(
    status: 'delivered' | 'failed' | 'blocked' | 'unknown',
    error?: string,
  ): Promise<ReplyProgress> {
    await finishReply(db, deliveryId, status, error);
    countReply({ outcome: status });
    return { next: 'done', status };
  }

  /**
   * Ends a reply whose workers were lost. A claimed part without a final outcome may have arrived, so it is recorded as
   * `unknown`; the gateway is not asked about it.
   */
  async function giveUp(why: string): Promise<ReplyProgress | undefined> {
    const reply = await findReply(db, deliveryId);
    if (reply?.status !== 'pending') return undefined;
    const open = (await findSends(db, deliveryId)).filter(
      ({ status, finished }) => !finished && (status === 'attempting' || status === 'unknown'),
    );
    for (const { part_no: partNo } of open) {
      await settleSend(db, { deliveryId, partNo }, { status: 'unknown', error: why, final: true });
    }
    return await done(open.length > 0 ? 'unknown' : 'failed', why);
  }

  async function progress(): Promise<ReplyProgress> {
    const reply = await findReply(db, deliveryId);
    if (reply?.status !== 'pending') return { next: 'done', status: 'gone' };
    if (reply.event === 'message.error') {
      return await done('blocked', 'errors of a run are not sent to contacts');
    }
    const row = await findChannel(db, reply.channel_agent_id);
    const access = row && openAccess(channel.encryption, row);
    if (
      row === undefined ||
      access === undefined ||
      row.state === 'inactive' ||
      row.state === 'not_connected'
    ) {
      return await done('blocked', 'the channel is disconnected');
    }
    const files = reply.message_id === null ? [] : await findReplyFiles(db, reply.message_id);
    const plan = planGatewayReply(
      { text: reply.text ?? '', attachments: files.map(planned) },
      channel.replySettings,
    );
    return await deps.shares.use(reply.organization_id, () => sendParts(reply, row, access, plan, files));
  }

  async function sendParts(
    reply: ReplyView,
    row: ChannelRow,
    access: GatewayAccess,
    plan: ReplyStep[],
    files: readonly ReplyFile[],
  ): Promise<ReplyProgress> {
    const sends = new Map((await findSends(db, reply.id)).map((send) => [send.part_no, send]));
    let uncertain = 0;
    for (const step of plan) {
      const earlier = sends.get(step.partNo);
      if (earlier?.status === 'sent') continue;
      if (earlier?.status === 'unknown' && earlier.finished) {
        uncertain += 1;
        continue;
      }
      if (earlier?.status !== 'attempting' && earlier?.status !== 'unknown') {
        const stop = await reasonToStop(row, earlier);
        if (stop !== undefined) return stop;
        const slot = await takeSendSlot(deps, access, signal);
        if ('retryMs' in slot) return { next: 'wait', ms: slot.retryMs, why: 'sends a minute' };
        const late = slot.waited ? await reasonToStop(row, earlier) : undefined;
        if (late !== undefined) return late;
      }
      const part = { reply, row, access, step, files, signal };
      const result = await advance(part, earlier);
      if (result.kind === 'paused') return await done('blocked', takenOver);
      if (result.kind === 'uncertain') uncertain += 1;
      if (result.kind === 'failed') {
        return await done('failed', `part ${step.partNo + 1} of ${plan.length}: ${result.error}`);
      }
      if (result.kind === 'wait') return { next: 'wait', ms: result.ms, why: result.why };
    }
    return uncertain === 0
      ? await done('delivered')
      : await done('unknown', `${uncertain} of ${plan.length} parts may not have arrived`);
  }

  /**
   * Checks whether the reply must stop or wait, because minutes may have passed since its previous part. Not called
   * for a part that may already have been sent.
   * @returns the progress with which this call must end; undefined if the part can be sent
   */
  async function reasonToStop(
    row: ChannelRow,
    earlier: SendRow | undefined,
  ): Promise<ReplyProgress | undefined> {
    const now = await findReply(db, deliveryId);
    if (now?.status !== 'pending') return { next: 'done', status: 'gone' };
    // The claim also checks for a takeover. Because of this earlier check, a paused reply uses no send slot and shows
    // no "typing…".
    if (now.paused) return await done('blocked', takenOver);
    const held =
      earlier?.error ?? (row.credentials_refused_at ? 'the gateway refused the instance token' : undefined);
    if (now.age_ms > maxHoldMs) {
      return await done('failed', `held for an hour: ${held ?? 'its turn did not come'}`);
    }
    if (held !== undefined && now.overtaken && earlier?.part_no === 0) {
      return await done('failed', `${held}; the contact has written again meanwhile`);
    }
    // Refused credentials are not used again until a user edits or checks the channel and the gateway accepts its
    // token.
    return row.credentials_refused_at
      ? { next: 'wait', ms: channel.times.sessionCheckMs, why: 'credentials' }
      : undefined;
  }

  async function advance(part: Part, earlier: SendRow | undefined): Promise<Advanced> {
    if (earlier === undefined || earlier.status === 'retry') return await sendPart(deps, part, earlier);
    if (earlier.status === 'failed') return { kind: 'failed', error: earlier.error ?? 'it failed' };
    const { partNo, typingMs, form } = part.step;
    const { textMs, mediaMs, askAfterMs } = channel.times;
    // A process that seems to be lost may still be sending, for up to `maxMs` after its claim. This includes
    // `typingMs`, because a worker of the previous version of Parley shows "typing…" within its request.
    const maxMs = (form === 'media' ? mediaMs : textMs) + typingMs + deadMarginMs;
    const patienceMs = earlier.status === 'attempting' ? Math.max(maxMs, askAfterMs) : askAfterMs;
    if (earlier.attempted_ms_ago < patienceMs) {
      return { kind: 'wait', ms: Math.ceil(patienceMs - earlier.attempted_ms_ago), why: 'unknown outcome' };
    }
    const where = { deliveryId: part.reply.id, partNo };
    const found = await channel.gateway.findByTrackId(part.access, trackIdOf(part));
    if (found.outcome === 'found') {
      await settleSend(db, where, { status: 'sent', gatewayMessageId: found.messageId, final: true });
      return { kind: 'sent' };
    }
    const uncertainAttempts = earlier.uncertain_attempts + (earlier.status === 'attempting' ? 1 : 0);
    if (found.outcome === 'not_found' && uncertainAttempts < maxUncertainAttempts) {
      const slot = await takeSendSlot(deps, part.access, signal);
      if ('retryMs' in slot) return { kind: 'wait', ms: slot.retryMs, why: 'sends a minute' };
      const again = await sendPart(deps, part, earlier);
      if (again.kind !== 'paused') return again;
      await settleSend(db, where, { status: 'failed', error: takenOver, final: true });
      return { kind: 'failed', error: takenOver };
    }
    if (found.outcome === 'unavailable' && (await countSendCheck(db, part.reply.id, partNo)) < maxAsks) {
      return { kind: 'wait', ms: askAfterMs, why: 'unknown outcome' };
    }
    await settleSend(db, where, {
      status: 'unknown',
      error: earlier.error ?? 'the process ended while sending',
      final: true,
    });
    return { kind: 'uncertain' };
  }
}

function planned(file: ReplyFile) {
  return {
    id: file.id,
    contentType: file.content_type ?? 'application/octet-stream',
    filename: file.filename ?? 'file',
  };
}
