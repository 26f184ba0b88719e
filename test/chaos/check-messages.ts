/** Checks that every accepted message was answered once, in one group, in order, by one run at a time. Pure. */
import type { Message } from '../../src/contract/conversations/conversations.ts';
import type { Observed, Sent } from './observed.ts';

export type MessageFigures = {
  accepted: number;
  refused: number;
  ambiguous: number;
  /** Answered 503, and accepted all the same: Postgres became unavailable between the two. */
  refusedButTaken: number;
  answered: number;
  failed: number;
};

type User = Extract<Message, { role: 'user' }>;
type Agent = Extract<Message, { role: 'agent' }>;

export function checkMessages(observed: Observed, breach: (what: string) => void): MessageFigures {
  const figures: MessageFigures = {
    ...{ accepted: 0, refused: 0, ambiguous: 0, refusedButTaken: 0, answered: 0, failed: 0 },
  };
  const places = placesByText(observed);
  for (const history of observed.histories.values()) checkGroups(history, breach);
  const stopped = stoppedConversations(observed);
  for (const sent of observed.sent) {
    const found = places.get(sent.text) ?? [];
    figures[sent.outcome] += 1;
    if (found.length > 1) breach(`I1 ${sent.key} was taken ${found.length} times`);
    if (sent.toldRefused === true && found.length > 0) figures.refusedButTaken += 1;
    const [place] = found;
    if (place === undefined) {
      if (sent.outcome === 'accepted') breach(`I1 ${sent.key} was accepted and is lost`);
      continue;
    }
    checkOne(sent, place.message, place.history, breach);
    if (place.message.status === 'answered') figures.answered += 1;
    if (place.message.status === 'failed') {
      figures.failed += 1;
      if (sent.agent !== 'failing' && !stopped.has(place.message.conversation_id))
        breach(`I1 ${sent.key} failed, and nothing was wrong with its agent`);
    }
  }
  checkRuns(observed, breach);
  return figures;
}

type Place = { message: User; history: Message[] };

/** The message that accepted each text: each text is sent once. */
export function placesByText({ histories }: Observed): Map<string, Place[]> {
  const all = [...histories.values()].flatMap((history) =>
    history.flatMap((message) => (message.role === 'user' ? [{ message, history }] : [])),
  );
  return Map.groupBy(all, ({ message }) => message.text);
}

/** Those whose workflow an operator has terminated: a run of theirs may fail. */
export function stoppedConversations({ faults }: Observed): Set<string | undefined> {
  const stops = faults.filter((fault) => fault.kind === 'workflowTerminate');
  return new Set(stops.map(({ conversationId }) => conversationId));
}

function checkOne(sent: Sent, message: User, history: Message[], breach: (what: string) => void): void {
  const { key, agent } = sent;
  if (new Set(sent.conversationIds).size > 1) breach(`I1 ${key}: repeats were told of other conversations`);
  if (sent.outcome === 'accepted' && sent.conversationIds[0] !== message.conversation_id)
    breach(`I1 ${key} is in another conversation than its caller was told`);
  if (sent.groupIds.some((id) => id !== message.group_id))
    breach(`I1 ${key} is in another group than its caller was told`);
  checkEnd(key, message, history, breach);
  if (agent === 'failing' && message.status === 'answered')
    breach(`I1 ${key} was answered by a broken agent`);
}

/** It was answered once, or it failed. */
export function checkEnd(
  key: string,
  message: User,
  history: Message[],
  breach: (what: string) => void,
): void {
  if (message.status !== 'answered' && message.status !== 'failed')
    breach(`I1 ${key} has no end: ${message.status}`);
  const answers = answersTo(message, history);
  if (answers.length > 1) breach(`I1 ${key} was answered ${answers.length} times`);
  if (message.status === 'answered' && answers.length === 0) breach(`I1 ${key} is answered by nothing`);
  if (message.status === 'failed' && answers.length > 0) breach(`I1 ${key} failed and has an answer`);
}

/** Final ones: a transfer's first message and a follow-up answer nothing. */
function answersTo(message: User, history: Message[]): Agent[] {
  return history.filter(
    (one): one is Agent =>
      one.role === 'agent' &&
      one.in_reply_to.includes(message.id) &&
      one.pre_transfer !== true &&
      one.followup !== true,
  );
}

/** The answer repeats what the run was given: all its inputs, no others, in the order of acceptance. */
function checkGroups(history: Message[], breach: (what: string) => void): void {
  for (const answer of history) {
    if (answer.role !== 'agent' || answer.followup === true || answer.pre_transfer === true) continue;
    const inputs = history.filter((one) => answer.in_reply_to.includes(one.id)).map(({ text }) => text);
    if (answer.text !== `Answer to: ${inputs.join('\n')}`)
      breach(`I1 ${answer.id} answers ${JSON.stringify(answer.text)}, not ${JSON.stringify(inputs)}`);
  }
}

function checkRuns(observed: Observed, breach: (what: string) => void): void {
  const byConversation = Map.groupBy(observed.runs, (run) => run.conversation_id);
  for (const [conversation, runs] of byConversation) {
    const ordered = runs.toSorted((a, b) => a.ordinal - b.ordinal);
    for (const [index, run] of ordered.entries()) {
      if (run.finished_at === null) breach(`I5 run ${run.id} never ended (${run.state})`);
      const next = ordered[index + 1];
      if (run.finished_at !== null && next?.claimed_at != null && next.claimed_at < run.finished_at)
        breach(`I4 conversation ${conversation}: two runs at once`);
    }
  }
}
