/**
 * Executes a call of OpenAI's API like a synchronous POST /chat/{id}: checks it, accepts the message, and waits for the
 * answer or streams it.
 */
import type { AcceptedInput, NewInput } from '../../adapters/postgres/conversations/inputs.ts';
import { uuidForm } from '../../adapters/postgres/cursor.ts';
import type { metadata } from '../../contract/conversations/chat.ts';
import { PublicError } from '../../contract/errors.ts';
import type { z } from 'zod';
import { demandAgents } from '../admit.ts';
import type { KnownCaller } from '../caller.ts';
import type { ApiDeps } from '../deps.ts';
import {
  demandWithinLimits,
  inputCaller,
  idempotencyOf,
  runErrors,
  type Waiting,
} from '../endpoints/conversations/post-chat.ts';
import { EventStream, type ServerEvent } from '../event-stream.ts';
import type { WaitingAnswer } from '../waiting-answer.ts';
import { followText, waitForText, type AnswerText, type TextPiece } from './openai-answer.ts';
import type { GivenMessage, GivenPlace } from './openai-input.ts';

export interface OpenAiCall {
  path: string;
  model: string;
  message: GivenMessage;
  place: GivenPlace;
  /**
   * Id of a message of the user. The call continues the conversation after the answer to this message, which must be
   * the user's last message in the conversation.
   */
  afterMessage?: string | undefined;
  metadata: z.infer<typeof metadata> | undefined;
  caller: KnownCaller;
  idempotencyKey: string | undefined;
  bodyHash: string;
}

/** Fields that the operations for chat completions and responses share. */
export const ofOpenAiCall = {
  auth: 'token',
  scope: 'messages.send',
  agents: 'body',
  sometimes: '`conversations.view`, to write into a conversation that another token or person began',
  tag: 'OpenAI',
  // Chosen: enough for 300 turns with several parts each.
  maxKeys: 6000,
  takesIdempotencyKey: true,
  errorForm: 'openai',
  errors: [...runErrors, 'storage_limit_reached', 'not_found', 'idempotency_conflict', 'invalid_state'],
} as const;

/**
 * Sends the message, and waits for its answer.
 * @param bodyOf makes the response's body; must not capture the call (see WaitingAnswer)
 * @throws PublicError the errors that POST /chat/{id} throws before its message is accepted; not_found names the field
 * whose object does not exist
 */
export async function answerCall<B>(
  call: OpenAiCall,
  deps: ApiDeps,
  bodyOf: (answer: AnswerText) => B,
): Promise<WaitingAnswer<{ status: 200; body: B }>> {
  const { accepted, waiting } = await acceptCall(call, false, deps);
  return waitForText(accepted, waiting, deps, bodyOf);
}

/**
 * Sends the message and streams its answer.
 * @param eventsOf converts the pieces to events; must not capture the call (see WaitingAnswer)
 * @throws PublicError the errors of `answerCall`; the stream reports the errors after the message is accepted
 */
export async function streamCall(call: OpenAiCall, deps: ApiDeps, eventsOf: EventsOf): Promise<EventStream> {
  const { accepted, waiting } = await acceptCall(call, true, deps);
  return streamOf(accepted, waiting, deps, eventsOf);
}

type EventsOf = (pieces: AsyncIterable<TextPiece>, accepted: AcceptedInput) => AsyncIterable<ServerEvent>;

/** A separate function, because a stream created in `streamCall` would keep the whole call in memory. */
function streamOf(accepted: AcceptedInput, waiting: Waiting, deps: ApiDeps, eventsOf: EventsOf): EventStream {
  return new EventStream((signal) => eventsOf(followText(accepted, waiting, deps, signal), accepted));
}

async function acceptCall(
  call: OpenAiCall,
  streamed: boolean,
  deps: ApiDeps,
): Promise<{ accepted: AcceptedInput; waiting: Waiting }> {
  const input = await openCall(call, streamed, deps);
  const { organizationId, idempotency } = input;
  const accepted = await namingWhatIsMissing(call, () => deps.conversations.accept(input));
  return { accepted, waiting: { organizationId, idempotency } };
}

/**
 * Checks a call and builds its input.
 * @throws PublicError forbidden if the caller's token is bound to other agents; not_found if the model is not a UUID;
 * credit_limit_reached, message_limit_reached if a monthly limit is reached
 */
async function openCall(
  call: OpenAiCall,
  streamed: boolean,
  deps: ApiDeps,
): Promise<NewInput & { sync: true }> {
  const { caller, model, message, afterMessage } = call;
  await demandAgents(deps.db, caller, 'target', model);
  if (!uuidForm.test(model)) throw noSuchModel();
  const input = {
    organizationId: caller.organizationId,
    caller: inputCaller(caller),
    ...message,
    streamed,
    sync: true as const,
    targetId: model,
    afterMessage,
    metadata: call.metadata,
    idempotency: idempotencyOf(caller, call),
  };
  await demandWithinLimits(input, deps);
  return input;
}

/**
 * Replaces the error not_found of the work with one that names the field of the missing object, because the path has no
 * identifier.
 */
async function namingWhatIsMissing<T>({ place }: OpenAiCall, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PublicError) || error.code !== 'not_found') throw error;
    if (place.conversationId === undefined) throw noSuchModel();
    throw missing(
      place.conversationId.path,
      'There is no such conversation, or it was not begun with this model.',
    );
  }
}

const noSuchModel = () =>
  missing('model', 'There is no such model. GET /v1/openai/models lists your agents with their identifiers.');

function missing(path: string, sentence: string): PublicError {
  return new PublicError('not_found', { sentence, details: [{ path, message: sentence }] });
}
