/** Checks that every callback was attempted at most once, has its row, came in order and has the right body. Pure. */
import type { DeliveryRow, Hit, Observed } from './observed.ts';
import { hurtSender, slowedSender } from './sender-faults.ts';

export type CallbackFigures = {
  logical: number;
  received: number;
  duplicates: number;
  delivered: number;
  failed: number;
  unknown: number;
  /** Unknown ones that had arrived. */
  unknownReceived: number;
  inversions: number;
  maxMs: number;
};

/** After the limit of a request, its outcome is written within this time. */
const recordingMs = 1500;

const isGood = (path: string) => /^\/cb\/(good|slow)\//.test(path);
/** The status that the log must have for a receiver, if it has one. */
const endsAs = { hang: 'failed', reset: 'failed', status500: 'failed', redirect: 'failed' } as const;

/** Errors of a post to a sound receiver whose worker was paused, or waited too long for its claim. */
const lateErrors = ['the process was paused before it could post', 'no answer in time'];

export function checkCallbacks(observed: Observed, breach: (what: string) => void): CallbackFigures {
  const { hits, deliveries } = observed;
  const byKey = Map.groupBy(hits, keyOfHit);
  const rows = new Map(deliveries.map((row) => [keyOfRow(row), row]));
  const figures: CallbackFigures = {
    ...{ logical: deliveries.length, received: hits.length, duplicates: 0 },
    ...{ delivered: 0, failed: 0, unknown: 0, unknownReceived: 0, inversions: 0, maxMs: 0 },
  };
  for (const [key, same] of byKey) {
    if (same.length > 1) {
      figures.duplicates += same.length - 1;
      breach(`I2 ${key} was received ${same.length} times`);
    }
    const row = rows.get(key);
    if (row === undefined) breach(`I3 ${key} was received and has no row`);
    else if (row.attempted_at === null)
      breach(`I3 ${key} was received and is ${row.status}, never attempted`);
    else if (row.path !== same[0]?.path) breach(`I3 ${key} went to ${same[0]?.path}, not to ${row.path}`);
  }
  if (rows.size !== deliveries.length) breach('I3 two rows for one callback');
  for (const row of deliveries) countRow(row, byKey.has(keyOfRow(row)), observed, figures, breach);
  checkKeys(observed, figures, breach);
  checkOrder(observed, figures, breach);
  checkContents(observed, breach);
  if (observed.redirectsFollowed > 0) breach(`I3 ${observed.redirectsFollowed} redirects were followed`);
  return figures;
}

const keyOfHit = (hit: Hit) => hit.messageId ?? `${hit.conversationId}${hit.path}`;
const keyOfRow = (row: DeliveryRow) => row.message_id ?? `${row.conversation_id}${row.path}`;

function countRow(
  row: DeliveryRow,
  received: boolean,
  { callbackTimeoutMs, faults }: Observed,
  figures: CallbackFigures,
  breach: (what: string) => void,
): void {
  const { id, status, path } = row;
  figures.maxMs = Math.max(figures.maxMs, row.duration_ms ?? 0);
  const attemptedAt = row.attempted_at?.getTime() ?? 0;
  const sending = { from: attemptedAt, to: attemptedAt + callbackTimeoutMs + recordingMs };
  // A stopped process cannot end its request in time; awake again, it ends it at once.
  const wasStopped = faults.some(
    ({ kind, at, backAt }) =>
      (kind === 'workerPause' || kind === 'workerStall') && at <= sending.to && backAt >= sending.from,
  );
  if ((row.duration_ms ?? 0) > callbackTimeoutMs + 1500 && !wasStopped)
    breach(`I6 ${id} took ${row.duration_ms} ms, over the limit`);
  switch (status) {
    case 'delivered': {
      figures.delivered += 1;
      if (!received) breach(`I3 ${id} is delivered, and nothing was received at ${path}`);
      const behaviour = path.split('/')[2] ?? '';
      if (behaviour in endsAs) breach(`I3 ${id} is delivered, and its receiver was ${behaviour}`);
      return;
    }
    case 'failed':
      figures.failed += 1;
      if (isGood(path) && !(lateErrors.includes(row.error ?? '') && slowedSender(faults, sending)))
        breach(`I3 ${id} failed (${row.error}), and nothing was wrong with ${path}`);
      if (received && row.error === lateErrors[0]) breach(`I3 ${id} was received, and says ${row.error}`);
      return;
    case 'unknown':
      figures.unknown += 1;
      if (received) figures.unknownReceived += 1;
      if (!hurtSender(faults, sending)) breach(`I3 ${id} is unknown, and nothing had happened to its sender`);
      return;
    default:
      breach(`I3 ${id} is still ${status}`);
  }
}

/**
 * One callback at most ends what a caller has sent, whatever identifiers it carries: the caller's own key is in its
 * metadata.
 */
function checkKeys({ hits }: Observed, figures: CallbackFigures, breach: (what: string) => void): void {
  const final = hits.filter(({ preTransfer, followUp }) => !preTransfer && !followUp);
  for (const [key, same] of Map.groupBy(final, callersKey)) {
    const ids = new Set(same.map(keyOfHit)).size;
    if (key === undefined || ids === 1) continue;
    figures.duplicates += ids - 1;
    breach(`I2 ${key} was called back ${ids} times`);
  }
}

const callersKey = ({ metadata }: Hit) => (metadata as { key?: string } | undefined)?.key;

/** Callbacks of one conversation are received in the order of their messages. */
function checkOrder({ hits, histories }: Observed, figures: CallbackFigures, breach: (what: string) => void) {
  const byConversation = Map.groupBy(
    hits.filter((hit) => hit.messageId !== undefined),
    (hit) => hit.conversationId,
  );
  for (const [conversation, its] of byConversation) {
    const places = new Map((histories.get(conversation) ?? []).map(({ id }, index) => [id, index]));
    let last = -1;
    for (const hit of its.toSorted((a, b) => a.at - b.at)) {
      const place = places.get(hit.messageId ?? '');
      if (place === undefined) breach(`I3 ${hit.messageId} was received and is in no history`);
      else if (place < last) {
        figures.inversions += 1;
        breach(`I4 ${hit.messageId} came after a later one`);
      } else last = place;
    }
  }
}

/** The first metadata of a group, its last URL. */
function checkContents({ hits, histories, sent }: Observed, breach: (what: string) => void): void {
  const byText = new Map(sent.map((one) => [one.text, one]));
  for (const hit of hits) {
    const history = histories.get(hit.conversationId) ?? [];
    const message = history.find(({ id }) => id === hit.messageId);
    if (message?.role !== 'agent' || hit.followUp) continue;
    const group = message.in_reply_to
      .map((id) => history.findIndex((one) => one.id === id))
      .toSorted((a, b) => a - b)
      .map((index) => byText.get(history[index]?.text ?? ''));
    if (callersKey(hit) !== group[0]?.key)
      breach(`I4 ${hit.messageId} has not the first metadata of its group`);
    if (hit.path !== group.at(-1)?.path)
      breach(`I4 ${hit.messageId} did not go to the last URL of its group`);
    if (hit.text !== message.text) breach(`I4 ${hit.messageId} says other words than its message`);
  }
}
