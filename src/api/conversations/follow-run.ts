/** Streams a run's events to a reader: `accepted`, then texts and tool calls as they occur, then the run's end. */
import { PublicError, type ErrorBody } from '../../contract/errors.ts';
import type { ChatAnswer } from '../../contract/conversations/chat.ts';
import { stringify } from '../../contract/text.ts';
import { findAnswer } from '../../adapters/postgres/conversations/run-answers.ts';
import type { ApiDeps } from '../deps.ts';
import type { ServerEvent } from '../event-stream.ts';

export interface Followed {
  organizationId: string;
  conversationId: string;
  runId: string;
  /** Id of the input that the run answers. */
  messageId: string;
}

export type RunEnd = { status: 200; body: ChatAnswer } | { status: 402 | 409 | 502 | 504; body: ErrorBody };

/** Id of a stream's last event. A reader that sends it as Last-Event-ID has received everything. */
export const lastId = 'end';

/**
 * Yields the run's events, then its end: `completed` with the answer, or `failed` with the error. The error is
 * sync_timeout if the run has not ended within SYNC_TIMEOUT_SECONDS. Stops without an end when the signal is aborted.
 * @param after number of the last event that the reader has; undefined to start with `accepted`
 * @param settle gets the run's end before it is sent, and returns the end to send
 */
export async function* followRun(
  deps: ApiDeps,
  run: Followed,
  after: number | undefined,
  signal: AbortSignal,
  settle: (end: RunEnd) => Promise<RunEnd> = (end) => Promise.resolve(end),
): AsyncGenerator<ServerEvent> {
  if (after === undefined) yield accepted(deps, run);
  const reader = deps.streams.follow(run, after ?? 0);
  const waiting = deps.answers.waitFor(run.runId, deps.config.SYNC_TIMEOUT_SECONDS * 1000, signal);
  void waiting.then(() => {
    if (signal.aborted) reader.close();
    else reader.end();
  });
  try {
    for (;;) {
      const events = await reader.next();
      if (signal.aborted) return;
      for (const { number, event, data } of events) yield { id: String(number), event, data };
      if (events.length === 0) break;
    }
  } finally {
    reader.close();
  }
  const { status, body } = await settle(await endOf(deps, run, await waiting));
  const event = status === 200 ? 'completed' : 'failed';
  // After a timeout the run continues, so this event has no id: the reader can resume after the previous event.
  yield { ...(status !== 504 && { id: lastId }), event, data: stringify(body) };
}

/**
 * Reads how a run ended.
 * @param ended false if the wait for the end timed out or was aborted
 * @returns the response: 200 with the answer; 402 credit_cap_reached; 409 cancelled; 502 agent_failed or output_invalid; 504 sync_timeout
 * if the run has not ended or was erased
 */
export async function endOf(
  deps: ApiDeps,
  { conversationId, runId }: Pick<Followed, 'conversationId' | 'runId'>,
  ended: boolean,
): Promise<RunEnd> {
  const found = ended ? await findAnswer(deps.db, conversationId, runId) : undefined;
  if (found === undefined) {
    return { status: 504, body: new PublicError('sync_timeout', { conversationId }).body };
  }
  if (found === 'cancelled') {
    return { status: 409, body: new PublicError('cancelled', { conversationId }).body };
  }
  if ('failed' in found) {
    const code = found.code ?? 'agent_failed';
    const { body } = new PublicError(code, { sentence: found.failed, conversationId });
    return { status: code === 'credit_cap_reached' ? 402 : 502, body };
  }
  return { status: 200, body: found.answer };
}

function accepted({ config }: ApiDeps, { conversationId, messageId }: Followed): ServerEvent {
  const data = {
    conversation_id: conversationId,
    message_id: messageId,
    stream_url: `${config.PUBLIC_URL ?? ''}/v1/messages/${messageId}/stream`,
  };
  return { id: '0', event: 'accepted', data: JSON.stringify(data) };
}
