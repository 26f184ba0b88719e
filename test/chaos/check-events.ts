/**
 * Checks that every event whose delivery the gateway saw accepted became one message of its contact, answered once.
 * Pure.
 */
import { checkEnd, placesByText, stoppedConversations } from './check-messages.ts';
import type { Message } from '../../src/contract/conversations/conversations.ts';
import type { Observed, SentEvent } from './observed.ts';

export type EventFigures = {
  accepted: number;
  refused: number;
  /** Posts of an event beyond its first, the gateway's tries after a failure left out. */
  copies: number;
  /** Never got a 2xx, and taken all the same. */
  refusedButTaken: number;
  lost: number;
  twice: number;
};

/** The answers with 2xx to an event that must be answered. */
const taken = 'OK';
const known = 'OK - duplicate (ignored)';

export function checkEvents(observed: Observed, breach: (what: string) => void): EventFigures {
  const figures: EventFigures = {
    ...{ accepted: 0, refused: 0, copies: 0, refusedButTaken: 0, lost: 0, twice: 0 },
  };
  const places = placesByText(observed);
  const stopped = stoppedConversations(observed);
  const conversations = new Map<string, Set<string>>();
  for (const event of observed.events) {
    const { key, text, outcome, number } = event;
    figures[outcome] += 1;
    figures.copies += event.postedAtMs.length - 1;
    const found = places.get(text) ?? [];
    if (found.length > 1 || saidTaken(event, breach) > 1) {
      figures.twice += 1;
      breach(`I1 event ${key} was taken ${Math.max(2, found.length)} times`);
    }
    const [place] = found;
    if (place === undefined) {
      if (outcome === 'refused') continue;
      figures.lost += 1;
      breach(`I1 event ${key} was accepted and is lost`);
      continue;
    }
    if (outcome === 'refused') figures.refusedButTaken += 1;
    const { message, history } = place;
    checkEnd(key, message, history, breach);
    if (message.status === 'failed' && !stopped.has(message.conversation_id))
      breach(`I1 event ${key} failed, and nothing was wrong with its agent`);
    conversations.set(number, (conversations.get(number) ?? new Set()).add(message.conversation_id));
  }
  for (const history of observed.histories.values()) checkOrder(history, observed, breach);
  for (const [number, its] of conversations)
    if (its.size > 1) breach(`I1 the events of ${number} are in ${its.size} conversations`);
  return figures;
}

/**
 * Checks that the messages of one answer are in the order in which they were written, whatever the order in which they
 * were posted.
 */
function checkOrder(history: Message[], { events }: Observed, breach: (what: string) => void): void {
  const written = new Map(events.map(({ text, key, writtenAtMs }) => [text, { key, writtenAtMs }]));
  for (const answer of history) {
    if (answer.role !== 'agent') continue;
    const inputs = history.filter(({ id }) => answer.in_reply_to.includes(id));
    const its = inputs.flatMap(({ text }) => written.get(text) ?? []);
    for (const [index, { key, writtenAtMs }] of its.entries())
      if (writtenAtMs < (its[index - 1]?.writtenAtMs ?? -Infinity))
        breach(`I4 event ${key} stands behind a later one of its group`);
  }
}

/** @returns how often the gateway got the answer that this event is new */
function saidTaken({ key, answers }: SentEvent, breach: (what: string) => void): number {
  for (const said of answers)
    if (said !== taken && said !== known) breach(`I1 event ${key} was answered by ${JSON.stringify(said)}`);
  return answers.filter((said) => said === taken).length;
}
