/** Waits for the answer to a call of OpenAI's API, and returns it as a whole or in the pieces of a stream. */
import { z } from 'zod';
import type { AcceptedInput } from '../../adapters/postgres/conversations/inputs.ts';
import { findStepTexts } from '../../adapters/postgres/conversations/run-texts.ts';
import { errorBody, PublicError } from '../../contract/errors.ts';
import type { ApiDeps } from '../deps.ts';
import { keepAnswer, waitForEnd, type Waiting } from '../endpoints/conversations/post-chat.ts';
import { WaitingAnswer } from '../waiting-answer.ts';
import { followRun, type RunEnd } from './follow-run.ts';

/** A run's answer, which each operation converts to its own form. */
const answerText = z.object({
  conversationId: z.string(),
  messageId: z.string(),
  /** All texts that agents wrote in the run, with an empty line between them. */
  text: z.string(),
  truncated: z.boolean(),
  inputTokens: z.int(),
  outputTokens: z.int(),
});
export type AnswerText = z.infer<typeof answerText>;

const endedCall = z.union([
  z.object({ status: z.literal(200), body: answerText }),
  z.object({
    status: z.literal([402, 409, 502, 504]),
    body: errorBody.extend({
      code: z.enum(['credit_cap_reached', 'cancelled', 'agent_failed', 'output_invalid', 'sync_timeout']),
    }),
  }),
]);

type Ended = z.infer<typeof endedCall>;
const readEnded = (kept: unknown): Ended => endedCall.parse(kept);

const separator = '\n\n';

/**
 * Waits for the answer to an accepted input. A repeat with the same idempotency key gets the first call's answer.
 * @param bodyOf makes the response's body; must not capture the call (see WaitingAnswer)
 * @returns the wait. It rejects with PublicError agent_failed, output_invalid, credit_cap_reached, cancelled or sync_timeout, or with
 * unavailable if the input was withdrawn
 */
export function waitForText<B>(
  accepted: AcceptedInput,
  waiting: Waiting,
  deps: ApiDeps,
  bodyOf: (answer: AnswerText) => B,
): WaitingAnswer<{ status: 200; body: B }> {
  return new WaitingAnswer(async (left) => {
    const ended = await read(await waitForEnd(accepted, deps, left), accepted, deps);
    const kept = await keepAnswer(ended, accepted, waiting, deps, readEnded);
    return { status: 200, body: bodyOf(textFrom(kept)) };
  });
}

/** A piece of the text or, as the last value, the whole answer or the error. */
export type TextPiece = { piece: string } | { answer: AnswerText } | { failed: PublicError };

/**
 * Yields the text of an accepted input's run in pieces, as the models write it. The last value is `answer`, with the
 * whole text, or `failed`, with the error. When the signal is aborted, ends without this value; the run continues.
 * @throws PublicError unavailable if the input was withdrawn
 */
export async function* followText(
  accepted: AcceptedInput,
  waiting: Waiting,
  deps: ApiDeps,
  signal: AbortSignal,
): AsyncGenerator<TextPiece> {
  const { conversation_id: conversationId, run_id: runId, message_id: messageId } = accepted;
  const run = { organizationId: waiting.organizationId, conversationId, runId, messageId };
  const settled: { ended?: Ended } = {};
  const settle = async (end: RunEnd): Promise<RunEnd> => {
    const ended = await read(end, accepted, deps);
    settled.ended = await keepAnswer(ended, accepted, waiting, deps, readEnded);
    return end;
  };
  const sent = new SentText();
  // A repeated request reads the stream from its start. The first events may be text of a model call that was retried
  // later, so no pieces are sent, only the whole text at the end.
  if (accepted.outcome === 'repeat') sent.hold();
  for await (const { event, data } of followRun(deps, run, undefined, signal, settle)) {
    if (event === 'delta') {
      const piece = sent.add(delta.parse(JSON.parse(data)));
      if (piece !== '') yield { piece };
    } else if (event === 'restart') sent.hold();
  }
  if (settled.ended === undefined) return;
  try {
    const answer = textFrom(settled.ended);
    const rest = sent.restOf(answer.text);
    if (rest !== '') yield { piece: rest };
    yield { answer };
  } catch (error) {
    if (!(error instanceof PublicError)) throw error;
    yield { failed: error };
  }
}

const delta = z.object({ step: z.int(), text: z.string() });

/** Tracks the text that was sent to a reader. Sent text cannot be taken back if a model call is retried. */
class SentText {
  #text = '';
  #step: number | undefined;
  #held = false;

  /** Adds a piece of a step's text. @returns the text to send now: empty after `hold` */
  add({ step, text }: z.infer<typeof delta>): string {
    if (this.#held || text === '') return '';
    const piece = this.#text !== '' && step !== this.#step ? `${separator}${text}` : text;
    this.#step = step;
    this.#text += piece;
    return piece;
  }

  /**
   * Makes `add` return an empty string from now on. A retried model call may write a different text, which must not
   * follow the pieces of the first one. At the end, `restOf` returns the part of the whole text that was not sent.
   */
  hold(): void {
    this.#held = true;
  }

  /**
   * @param text the whole text
   * @returns the part of it that was not sent yet
   * @throws PublicError agent_failed if the whole text does not begin with what was sent
   */
  restOf(text: string): string {
    if (text.startsWith(this.#text)) return text.slice(this.#text.length);
    throw new PublicError('agent_failed', {
      sentence:
        'The model was called again after a part of its text had been sent, so this stream cannot continue. The whole answer is in the conversation.',
    });
  }
}

async function read(
  end: RunEnd,
  { conversation_id: conversationId, run_id: runId, message_id: messageId }: AcceptedInput,
  { db }: ApiDeps,
): Promise<Ended> {
  if (end.status !== 200) return readEnded(end);
  const steps = await findStepTexts(db, runId);
  const body: AnswerText = {
    conversationId,
    messageId,
    text: steps
      .map(({ text }) => text)
      .filter((text) => text !== '')
      .join(separator),
    truncated: steps.at(-1)?.truncated ?? false,
    inputTokens: steps.reduce((sum, step) => sum + step.inputTokens, 0),
    outputTokens: steps.reduce((sum, step) => sum + step.outputTokens, 0),
  };
  return { status: 200, body };
}

/** @returns the answer @throws PublicError with the code of the error, if the call ended without an answer */
function textFrom({ status, body }: Ended): AnswerText {
  if (status === 200) return body;
  const { code, error: sentence, conversation_id: conversationId } = body;
  throw new PublicError(code, { sentence, ...(conversationId !== undefined && { conversationId }) });
}

/** Reads the time in a UUID of version 7, whose first 48 bits are epoch milliseconds. @returns epoch seconds */
export function secondsOf(id: string): number {
  return Math.floor(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) / 1000);
}
