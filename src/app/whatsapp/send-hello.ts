/**
 * Sends a channel's test message ("hello") at most once, and finds out whether it has arrived. The claim is committed
 * before the message is sent, so neither a repeated call nor a crash sends it again.
 */
import type { OrganizationActor } from '../../adapters/postgres/accounts/audit-log.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import { acrossOrganizations } from '../../adapters/postgres/organization-scope.ts';
import { recordTimelock } from '../../adapters/postgres/whatsapp/alerts.ts';
import { recordRefusedCredentials } from '../../adapters/postgres/whatsapp/channel-watch.ts';
import type { ChannelRow } from '../../adapters/postgres/whatsapp/channels.ts';
import {
  claimHello,
  claimHelloAsk,
  findHello,
  settleHello,
  type HelloRow,
} from '../../adapters/postgres/whatsapp/hellos.ts';
import type { SendOutcome } from '../../adapters/whatsapp/gateway-outcomes.ts';
import type { ChannelHello } from '../../contract/whatsapp/channel-hello.ts';
import { invalidField, PublicError } from '../../contract/errors.ts';
import { comparableNumber } from '../../domain/conversations/approval-request.ts';
import { numberOf } from '../../domain/whatsapp/gateway-status.ts';
import {
  afterHello,
  helloFinding,
  helloText,
  helloView,
  isAbsenceFinal,
  isHelloOpen,
  maxHellosPerHour,
  notSent,
} from '../../domain/whatsapp/hello.ts';
import { inSpan } from '../../observability/spans.ts';
import type { ChannelSteps } from './channel-steps.ts';
import { takeSendSlot } from './send-slot.ts';

interface Deps {
  db: Database;
  channels: Pick<ChannelSteps, 'access' | 'gateway'>;
  config: { GATEWAY_SENDS_PER_MINUTE: number | 'off' };
}

/**
 * @returns the track id of the message. It has the form of the track id of a reply's part, as `settleByEcho` expects.
 */
const trackIdOf = ({ id }: HelloRow): string => `${id}:0`;

/**
 * Sends a hello, unless an earlier call with the same request id has claimed it.
 * @returns the hello with the outcome of the send; for a repeated call, what is known of the hello
 * @throws PublicError invalid_state if the channel is not connected; validation_failed if `to` is not a phone number,
 * or is the channel's own; idempotency_conflict if the request id was used for another number; rate_limited if the
 * channel has sent `maxHellosPerHour` hellos within the last hour. Error if the channel's credentials cannot be
 * decrypted.
 */
export async function sendHello(
  deps: Deps,
  channel: ChannelRow,
  hello: { requestId: string; to: string; agentName: string },
  actor: OrganizationActor,
): Promise<ChannelHello> {
  const { db, channels, config } = deps;
  const { requestId, agentName } = hello;
  if (channel.state !== 'connected') throw new PublicError('invalid_state');
  const access = channels.access(channel);
  const number = numberOf(hello.to);
  if (number === null)
    throw invalidField('to', 'must be a phone number with its country code, such as +55 11 99999-0001');
  const compared = comparableNumber(number);
  if (channel.connected_number !== null && compared === comparableNumber(channel.connected_number))
    throw invalidField('to', "is the channel's own number: enter the number of another phone");
  const { agent_id: agentId } = channel;
  const claim = await claimHello(db, { agentId, requestId, number, compared }, actor);
  if ('earlier' in claim) return repeated(channel, claim.earlier, number);
  if ('waitSeconds' in claim)
    throw new PublicError('rate_limited', {
      sentence: `A channel sends at most ${String(maxHellosPerHour)} test messages within an hour. Try again later.`,
      retryAfterSeconds: claim.waitSeconds,
    });
  const { claimed } = claim;
  const limit = { db, channel: { sendsPerMinute: config.GATEWAY_SENDS_PER_MINUTE } };
  // The slots of a gateway's instance belong to no organization, so only the database role for all organizations may
  // take them.
  const slot = await acrossOrganizations(() => takeSendSlot(limit, access, new AbortController().signal));
  const outcome: SendOutcome =
    'retryMs' in slot
      ? { outcome: 'rate_limited', retryAfterMs: slot.retryMs }
      : await inSpan('send to gateway', { kind: 'CLIENT' }, () =>
          channels.gateway.sendText(access, {
            number,
            trackId: trackIdOf(claimed),
            readChat: false,
            text: helloText(agentName),
          }),
        );
  const messageId = outcome.outcome === 'sent' ? outcome.messageId : null;
  await settleHello(db, claimed.id, { ...afterHello(outcome), messageId });
  await recordTrouble(db, channel, outcome);
  const sent = await findHello(db, agentId, requestId);
  return helloView(sent ?? claimed, channel.last_error);
}

/**
 * Returns the hello that an earlier call with the same `request_id` has claimed.
 * @throws PublicError idempotency_conflict if it was for another number
 */
function repeated(channel: ChannelRow, earlier: HelloRow, number: string): ChannelHello {
  if (earlier.number !== number)
    throw new PublicError('idempotency_conflict', {
      sentence: 'This request_id was used for another number. Send to this number with a new one.',
    });
  return helloView(earlier, channel.last_error);
}

/** Records on the channel that the gateway refused its credentials, or that WhatsApp has locked its number. */
async function recordTrouble(db: Database, channel: ChannelRow, outcome: SendOutcome): Promise<void> {
  if (outcome.outcome === 'invalid_credentials') await recordRefusedCredentials(db, channel);
  if (outcome.outcome !== 'timelocked') return;
  const reason = afterHello(outcome).problem?.message ?? '';
  // The next round of `watchChannels` posts the alert, if there is one.
  await recordTimelock(db, channel.agent_id, { untilMs: outcome.untilMs, reason });
}

/**
 * Returns what is known of a hello. If the channel is connected and the gateway's record of the message can still
 * change that (see `isHelloOpen`), first requests this record, as often as `claimHelloAsk` allows.
 * @returns undefined if there is no such hello. The cleanup deletes hellos after a day.
 * @throws Error if the channel's credentials cannot be decrypted
 */
export async function checkHello(
  deps: Pick<Deps, 'db' | 'channels'>,
  channel: ChannelRow,
  requestId: string,
): Promise<ChannelHello | undefined> {
  const { db, channels } = deps;
  const known = await findHello(db, channel.agent_id, requestId);
  if (known === undefined) return undefined;
  if (channel.state !== 'connected' || !isHelloOpen(known) || !(await claimHelloAsk(db, known.id)))
    return helloView(known, channel.last_error);
  const record = await channels.gateway.findByTrackId(channels.access(channel), trackIdOf(known), {
    quickly: true,
  });
  if (record.outcome !== 'unavailable') {
    const finding = helloFinding(record.outcome === 'found' ? record : undefined);
    await recordFinding(db, known, finding, record.outcome === 'found' ? record.messageId : null);
  }
  const now = await findHello(db, channel.agent_id, requestId);
  return now && helloView(now, channel.last_error);
}

async function recordFinding(
  db: Database,
  hello: HelloRow,
  finding: ReturnType<typeof helloFinding>,
  messageId: string | null,
): Promise<void> {
  switch (finding.found) {
    case 'delivered':
      await settleHello(db, hello.id, { status: 'sent', problem: null, messageId, delivered: true });
      return;
    case 'sent':
      await settleHello(db, hello.id, { status: 'sent', problem: null, messageId });
      return;
    case 'failed':
      await settleHello(db, hello.id, { status: 'failed', problem: finding.problem, messageId });
      return;
    case 'absent':
      if (isAbsenceFinal(hello)) await settleHello(db, hello.id, { status: 'failed', problem: notSent });
  }
}
