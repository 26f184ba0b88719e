/**
 * Checks that every part of a reply reached its contact at most once and in order, and that its row has the true
 * outcome. Pure.
 */
import { stoppedConversations } from './check-messages.ts';
import { hurtSender, slowedSender } from './sender-faults.ts';
import type { LandedSend, Observed, ReplyRow } from './observed.ts';

export type ReplyFigures = {
  logical: number;
  delivered: number;
  failed: number;
  blocked: number;
  unknown: number;
  /** Unknown ones of which all parts had arrived. */
  unknownReceived: number;
  /** Parts that contacts have received. */
  received: number;
  duplicates: number;
  inversions: number;
  /** Sends that the gateway refused, failed or left without an answer. */
  faultsGiven: number;
};

type Breach = (what: string) => void;
/** By reply, in the order of their landing. */
type Landed = ReadonlyMap<string, LandedSend[]>;

export function checkReplies(observed: Observed, breach: Breach): ReplyFigures {
  const { replies, landed, gatewayFaults } = observed;
  const figures: ReplyFigures = {
    ...{ logical: replies.length, delivered: 0, failed: 0, blocked: 0, unknown: 0, unknownReceived: 0 },
    ...{ received: landed.length, duplicates: 0, inversions: 0, faultsGiven: gatewayFaults.length },
  };
  for (const same of Map.groupBy(landed, ({ number, text }) => `${number} ${text}`).values()) {
    if (same.length === 1) continue;
    figures.duplicates += same.length - 1;
    breach(`I2 reply ${same[0]?.trackId} was received ${same.length} times`);
  }
  const byReply = Map.groupBy(landed, ({ trackId }) => trackId.split(':')[0] ?? '');
  const known = new Set(replies.map(({ id }) => id));
  for (const id of byReply.keys()) if (!known.has(id)) breach(`I3 reply ${id} was sent and has no row`);
  for (const reply of replies) {
    countReply(reply, byReply.get(reply.id) ?? [], observed, figures, breach);
    checkParts(reply, byReply.get(reply.id) ?? [], observed, breach);
  }
  checkOrder(observed, byReply, figures, breach);
  return figures;
}

function countReply(
  reply: ReplyRow,
  landed: readonly LandedSend[],
  observed: Observed,
  figures: ReplyFigures,
  breach: Breach,
): void {
  const { id, status, event } = reply;
  const met = observed.gatewayFaults.filter(({ trackId }) => trackId.startsWith(id));
  const sending = { from: reply.created_at.getTime(), to: reply.finished_at?.getTime() ?? 0 };
  switch (status) {
    case 'delivered':
      figures.delivered += 1;
      return;
    case 'unknown':
      figures.unknown += 1;
      if (landed.length === reply.parts.length) figures.unknownReceived += 1;
      if (!hurtSender(observed.faults, sending) && !met.some((fault) => fault.landed))
        breach(`I3 reply ${id} is unknown, and nothing had happened to its sender`);
      return;
    case 'failed': {
      figures.failed += 1;
      // Held back, it gives way to the answer to what the contact has written since.
      const wasPaused =
        slowedSender(observed.faults, sending) && reply.error?.includes('the process was paused') === true;
      if (!wasPaused && !met.some((fault) => !fault.landed))
        breach(`I3 reply ${id} failed (${reply.error}), and the gateway had taken all`);
      return;
    }
    case 'blocked':
      figures.blocked += 1;
      // Contacts get no message about a failed run.
      if (event !== 'message.error' || !stoppedConversations(observed).has(reply.conversation_id))
        breach(`I3 reply ${id} is blocked (${reply.error})`);
      return;
    default:
      breach(`I3 reply ${id} is still ${status}`);
  }
}

function checkParts(
  reply: ReplyRow,
  landed: readonly LandedSend[],
  observed: Observed,
  breach: Breach,
): void {
  const { id, status, parts } = reply;
  const message = (observed.histories.get(reply.conversation_id) ?? []).find(
    (one) => one.id === reply.message_id,
  );
  for (const { number } of landed)
    if (number !== reply.number) breach(`I3 reply ${id} went to ${number}, not to ${reply.number}`);
  for (const part of parts) {
    const arrived = landed.some(({ trackId }) => trackId === `${id}:${part.part_no}`);
    const place = `part ${part.part_no} of reply ${id}`;
    if (part.status === 'sent' && !arrived) breach(`I3 ${place} is sent, and nothing was received`);
    if (part.status === 'attempting' || (part.status === 'unknown' && part.finished_at === null))
      breach(`I3 ${place} is still ${part.status}`);
    if (arrived && part.status !== 'sent' && part.status !== 'unknown')
      breach(`I3 ${place} was received, and is ${part.status}`);
  }
  if (landed.some(({ trackId }) => !parts.some((part) => trackId === `${id}:${part.part_no}`)))
    breach(`I3 a part of reply ${id} was received and has no row`);
  const said = wordsOf(landed.map(({ text }) => text).join(' '));
  if (status === 'delivered' && said !== wordsOf(message?.text ?? ''))
    breach(`I4 reply ${id} says other words than its message`);
}

/** At the cut between two parts there was white space. */
const wordsOf = (text: string) => text.split(/\s+/).join(' ').trim();

/** A contact receives the replies, and the parts of each, in the order of the conversation's messages. */
function checkOrder(observed: Observed, byReply: Landed, figures: ReplyFigures, breach: Breach): void {
  for (const [conversation, its] of Map.groupBy(observed.replies, (row) => row.conversation_id)) {
    const history = observed.histories.get(conversation) ?? [];
    const places = new Map(history.map(({ id }, index) => [id, index]));
    const sends = its
      .flatMap((reply) =>
        (byReply.get(reply.id) ?? []).map(({ at, trackId }) => ({
          ...{ at, trackId, part: Number(trackId.split(':')[1]) },
          place: places.get(reply.message_id ?? '') ?? -1,
        })),
      )
      .toSorted((a, b) => a.at - b.at);
    for (const [index, { trackId, place, part }] of sends.entries()) {
      const before = sends[index - 1];
      if (place === -1) breach(`I3 ${trackId} was sent and is in no history`);
      if (before === undefined || before.place < place || (before.place === place && before.part <= part))
        continue;
      figures.inversions += 1;
      breach(`I4 ${trackId} came after a later one`);
    }
  }
}
