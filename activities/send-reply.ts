/** Sends an agent's message through the gateway, part by part. Each part is claimed before its first byte leaves and
 *  never sent twice: where its outcome is unknown, the gateway is asked by the part's mark. */
import { cancellationSignal, heartbeat } from '@temporalio/activity';
import { findChannel, openAccess, type ChannelRow } from '../src/adapters/db/channels.ts';
import { noteChannelError, noteRefusedCredentials } from '../src/adapters/db/channel-watch.ts';
import {
  claimSend,
  countSendCheck,
  findReply,
  findReplyFiles,
  findSends,
  finishReply,
  settleSend,
  type ReplyFile,
  type ReplyView,
  type SendRow,
} from '../src/adapters/db/gateway-sends.ts';
import type { GatewayAccess } from '../src/adapters/gateway-call.ts';
import { planGatewayReply, type ReplyStep } from '../src/domain/plan-gateway-reply.ts';
import {
  afterSend,
  longestHoldMs,
  mostAsks,
  mostDoubtfulAttempts,
  type PartStep,
} from '../src/domain/reply-progress.ts';
import type { ActivityDeps } from './deps.ts';
import { transient } from './failures.ts';

export type ReplyProgress =
  | { next: 'done'; status: 'delivered' | 'failed' | 'blocked' | 'unknown' | 'gone' }
  /** Ask again after this time. */
  | { next: 'wait'; ms: number; why: string };

const heartbeatMs = 3000;
/** A process that was paused for longer between claim and send is not the only attempt any more. */
const pausedMs = 5000;
/** Beyond the longest time that a request of an earlier process may take. */
const deadMarginMs = 2000;

type Part = { reply: ReplyView; access: GatewayAccess; step: ReplyStep; files: readonly ReplyFile[] };

export function sendReplyActivity(deps: ActivityDeps) {
  const { db, channel } = deps;
  const done = async (
    id: string,
    status: 'delivered' | 'failed' | 'blocked' | 'unknown',
    error?: string,
  ): Promise<ReplyProgress> => {
    await finishReply(db, id, status, error);
    return { next: 'done', status };
  };

  return {
    async sendReply(deliveryId: string): Promise<ReplyProgress> {
      const beats = setInterval(heartbeat, heartbeatMs);
      try {
        return await progress(deliveryId);
      } finally {
        clearInterval(beats);
      }
    },
  };

  async function progress(deliveryId: string): Promise<ReplyProgress> {
    const reply = await findReply(db, deliveryId);
    if (reply?.status !== 'pending') return { next: 'done', status: 'gone' };
    if (reply.event === 'message.error') {
      return await done(reply.id, 'blocked', 'a failed run is not told to the contact');
    }
    const row = await findChannel(db, reply.channel_agent_id);
    const access = row && openAccess(channel.encryption, row);
    if (
      row === undefined ||
      access === undefined ||
      row.state === 'inactive' ||
      row.state === 'not_connected'
    ) {
      return await done(reply.id, 'blocked', 'the channel is disconnected');
    }
    const files = reply.message_id === null ? [] : await findReplyFiles(db, reply.message_id);
    const plan = planGatewayReply(
      { text: reply.text ?? '', attachments: files.map(planned) },
      channel.replySettings,
    );
    return await sendParts(reply, row, access, plan, files);
  }

  async function sendParts(
    reply: ReplyView,
    row: ChannelRow,
    access: GatewayAccess,
    plan: ReplyStep[],
    files: readonly ReplyFile[],
  ): Promise<ReplyProgress> {
    const sends = new Map((await findSends(db, reply.id)).map((send) => [send.part_no, send]));
    let doubtful = 0;
    for (const step of plan) {
      const earlier = sends.get(step.partNo);
      if (earlier?.status === 'sent') continue;
      if (earlier?.status === 'unknown' && earlier.finished) {
        doubtful += 1;
        continue;
      }
      if (earlier?.status !== 'attempting' && earlier?.status !== 'unknown') {
        const stop = await reasonToStop(reply.id, row, earlier);
        if (stop !== undefined) return stop;
      }
      const part = { reply, access, step, files };
      const result = await advance(part, earlier);
      if (result.kind === 'doubtful') doubtful += 1;
      if (result.kind === 'failed') {
        return await done(reply.id, 'failed', `part ${step.partNo + 1} of ${plan.length}: ${result.error}`);
      }
      if (result.kind === 'wait') return { next: 'wait', ms: result.ms, why: result.why };
    }
    return doubtful === 0
      ? await done(reply.id, 'delivered')
      : await done(reply.id, 'unknown', `${doubtful} of ${plan.length} parts may not have arrived`);
  }

  /** Asked again before each part: minutes may lie between two of them. */
  async function reasonToStop(
    deliveryId: string,
    row: ChannelRow,
    earlier: SendRow | undefined,
  ): Promise<ReplyProgress | undefined> {
    const now = await findReply(db, deliveryId);
    if (now?.status !== 'pending') return { next: 'done', status: 'gone' };
    if (now.paused) return await done(deliveryId, 'blocked', 'a person has taken over this contact');
    const held =
      earlier?.error ?? (row.credentials_refused_at ? 'the gateway refused the instance token' : undefined);
    if (now.age_ms > longestHoldMs) {
      return await done(deliveryId, 'failed', `held for an hour: ${held ?? 'the gateway was not ready'}`);
    }
    if (held !== undefined && now.overtaken && earlier?.part_no === 0) {
      return await done(deliveryId, 'failed', `${held}; the contact has written again meanwhile`);
    }
    // Refused credentials are not tried again before someone has edited them.
    return row.credentials_refused_at
      ? { next: 'wait', ms: channel.times.sessionCheckMs, why: 'credentials' }
      : undefined;
  }

  type Advanced =
    | { kind: 'sent' | 'doubtful' }
    | { kind: 'failed'; error: string }
    | { kind: 'wait'; ms: number; why: string };

  async function advance(part: Part, earlier: SendRow | undefined): Promise<Advanced> {
    if (earlier === undefined || earlier.status === 'retry') return await send(part, earlier);
    if (earlier.status === 'failed') return { kind: 'failed', error: earlier.error ?? 'it failed' };
    const { partNo, delayMs, form } = part.step;
    const { textMs, mediaMs, askAfterMs } = channel.times;
    // A process that did not come back may still be alive and sending: its request can last this long.
    const longestMs = (form === 'media' ? mediaMs : textMs) + delayMs + deadMarginMs;
    const patienceMs = earlier.status === 'attempting' ? Math.max(longestMs, askAfterMs) : askAfterMs;
    if (earlier.attempted_ms_ago < patienceMs) {
      return { kind: 'wait', ms: Math.ceil(patienceMs - earlier.attempted_ms_ago), why: 'unknown outcome' };
    }
    const where = { deliveryId: part.reply.id, partNo };
    const found = await channel.gateway.findByTrackId(part.access, trackIdOf(part));
    if (found.outcome === 'found') {
      await settleSend(db, where, { status: 'sent', gatewayMessageId: found.messageId, final: true });
      return { kind: 'sent' };
    }
    const doubts = earlier.doubts + (earlier.status === 'attempting' ? 1 : 0);
    if (found.outcome === 'not_found' && doubts < mostDoubtfulAttempts) {
      if ((await findReply(db, part.reply.id))?.paused !== true) return await send(part, earlier);
      const error = 'a person has taken over this contact';
      await settleSend(db, where, { status: 'failed', error, final: true });
      return { kind: 'failed', error };
    }
    if (found.outcome === 'unavailable' && (await countSendCheck(db, part.reply.id, partNo)) < mostAsks) {
      return { kind: 'wait', ms: askAfterMs, why: 'unknown outcome' };
    }
    await settleSend(db, where, {
      status: 'unknown',
      error: earlier.error ?? 'the process ended while sending',
      final: true,
    });
    return { kind: 'doubtful' };
  }

  async function send(part: Part, earlier: SendRow | undefined): Promise<Advanced> {
    const { reply, step } = part;
    const where = { deliveryId: reply.id, partNo: step.partNo, agentId: reply.channel_agent_id };
    const signal = cancellationSignal();
    if (step.gapMs > 0) await new Promise((resolve) => setTimeout(resolve, step.gapMs));
    if (signal.aborted) throw transient('Late', 'This attempt is over its time and sends nothing.');
    const claiming = performance.now();
    if (!(await claimSend(db, where, earlier))) {
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
    const outcome = await callGateway(part);
    const attempts = (earlier?.attempts ?? 0) + 1;
    const after = afterSend(outcome, attempts, channel.times);
    await settleSend(db, where, {
      ...settled(after),
      gatewayMessageId: outcome.outcome === 'sent' ? outcome.messageId : null,
    });
    if (outcome.outcome === 'invalid_credentials') await noteRefusedCredentials(db, reply.channel_agent_id);
    if (outcome.outcome === 'timelocked' && after.kind === 'failed') {
      await noteChannelError(db, reply.channel_agent_id, 'timelocked', after.error);
    }
    if (after.kind === 'sent' || after.kind === 'failed') return after;
    return { kind: 'wait', ms: after.ms, why: after.kind === 'ask' ? 'unknown outcome' : after.why };
  }

  async function callGateway(part: Part) {
    const { reply, access, step, files } = part;
    const common = {
      number: reply.url.slice('whatsapp:'.length),
      trackId: trackIdOf(part),
      delayMs: step.delayMs,
      readChat: step.readChat,
    };
    if (step.form === 'text') return await channel.gateway.sendText(access, { ...common, text: step.text });
    const file = files.find(({ id }) => id === step.attachmentId);
    return await channel.gateway.sendMedia(access, {
      ...common,
      mediaType: step.mediaType,
      file: file?.content.toString('base64') ?? '',
      filename: step.filename,
      contentType: file?.content_type ?? 'application/octet-stream',
      caption: step.caption,
    });
  }
}

function trackIdOf({ reply, step }: Part): string {
  return `${reply.id}:${step.partNo}`;
}

function planned(file: ReplyFile) {
  return {
    id: file.id,
    contentType: file.content_type ?? 'application/octet-stream',
    filename: file.filename ?? 'file',
  };
}

function settled(after: PartStep): {
  status: SendRow['status'];
  error?: string;
  final: boolean;
  doubtful?: boolean;
} {
  switch (after.kind) {
    case 'sent':
      return { status: 'sent', final: true };
    case 'failed':
      return { status: 'failed', error: after.error, final: true };
    case 'wait':
      return { status: 'retry', error: after.error, final: false };
    case 'ask':
      return { status: 'unknown', error: after.error, final: false, doubtful: !after.saidNo };
  }
}
