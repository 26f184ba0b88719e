import { z } from 'zod';
import {
  isKeyKnown,
  rememberCallAnswer,
  type AcceptedInput,
  type InputCaller,
  type KeptInput,
  type NewInput,
} from '../../../adapters/postgres/conversations/inputs.ts';
import {
  acknowledgement,
  chatAnswer,
  chatRequest,
  type Acknowledgement,
} from '../../../contract/conversations/chat.ts';
import { errorBody, PublicError } from '../../../contract/errors.ts';
import { maxMebibytesWithFiles } from '../../../contract/conversations/limits.ts';
import { limitReached } from '../../../domain/data/monthly-limits.ts';
import { FileBytes } from '../../../contract/file-bytes.ts';
import { streamEvent } from '../../../contract/conversations/stream.ts';
import type { KnownCaller } from '../../caller.ts';
import type { ApiDeps } from '../../deps.ts';
import { demandScope, mayView } from '../../admit.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { EventStream } from '../../event-stream.ts';
import { WaitingAnswer } from '../../waiting-answer.ts';
import { endOf, followRun, type RunEnd } from '../../conversations/follow-run.ts';

const withContent = z.looseObject({
  attachments: z.array(z.looseObject({ content_base64: z.string().or(z.instanceof(FileBytes)) })).min(1),
});
/** Maximum attempts to accept an input that is withdrawn before the call's response is stored. Chosen. */
const tries = 3;

/** The responses of an operation that starts a run and can wait for its end. */
export const answeredByRun = {
  events: streamEvent,
  answers: {
    200: chatAnswer,
    202: acknowledgement,
    402: errorBody,
    409: errorBody,
    502: errorBody,
    504: errorBody,
  },
} as const;

/** Error codes of every operation that starts a run and can wait for its end. */
export const runErrors = [
  'credit_limit_reached',
  'credit_cap_reached',
  'message_limit_reached',
  'agent_inactive',
  'cancelled',
  'agent_failed',
  'output_invalid',
  'sync_timeout',
] as const;

export const postChat = defineEndpoint({
  auth: 'token',
  scope: 'messages.send',
  agents: 'target',
  request: 'POST /chat/{id}',
  sometimes:
    '`conversations.view`, to write into a conversation that another token or person began; `agents.manage`, to try a draft or a candidate',
  tag: 'Chat',
  summary: 'Send a message to an agent or an API inbox',
  description:
    "Asynchronous: returns 202 once the message is durable. The answer is added to the history and, if there is a webhook_url, posted to it. Synchronous: returns the answer. With Accept: text/event-stream, streams the answer's text as events; the last event is the answer or the error. Resume a broken stream with GET /messages/{id}/stream. Closing the connection does not cancel the run. Without the scope conversations.view, a token continues only conversations that it began, also by a contact's id. While a person has taken over the conversation, an asynchronous message is stored for them (`paused`), and a synchronous one is refused (409 `invalid_state`).",
  params: z.object({ id: z.uuid().describe('Identifier of an agent or of an API inbox') }),
  body: chatRequest,
  largeBody: { mebibytes: maxMebibytesWithFiles, if: withContent },
  takesFiles: true,
  takesIdempotencyKey: true,
  ...answeredByRun,
  errors: [...runErrors, 'storage_limit_reached', 'idempotency_conflict', 'invalid_state'],
  handle: async ({ params, body, caller, idempotencyKey, bodyHash, wantsEvents }, deps) => {
    const streamed = body.sync && wantsEvents;
    const path = `/chat/${params.id.toLowerCase()}`;
    const input = {
      organizationId: caller.organizationId,
      caller: inputCaller(caller),
      streamed,
      targetId: params.id,
      conversationId: body.conversation_id,
      contact: body.contact,
      text: body.message ?? '',
      ...(body.draft === true && { triesDraft: true }),
      ...(body.candidate === true && { triesCandidate: true }),
      ...(body.read_only === true && { readOnly: true }),
      sync: body.sync,
      webhookUrl: body.webhook_url,
      metadata: body.metadata,
      attachments: body.attachments,
      idempotency: idempotencyOf(caller, { path, idempotencyKey, bodyHash }),
    };
    if ((body.draft === true || body.candidate === true) && caller.kind === 'token')
      demandScope(caller, 'agents.manage');
    await demandWithinLimits(input, deps);
    if (!body.sync) return await acknowledgeOnce(input, deps);
    const accepted = await deps.conversations.accept({ ...input, sync: true });
    return streamed ? eventsOf(accepted, input, deps) : answerOf(accepted, input, deps);
  },
});

/** @returns the caller of an input. A caller with `mayView` false may continue only conversations that it began. */
export function inputCaller(caller: KnownCaller): InputCaller {
  return caller.kind === 'token'
    ? { kind: 'token', tokenId: caller.tokenId, mayView: mayView(caller) }
    : { kind: 'person', userId: caller.userId, mayView: mayView(caller) };
}

/**
 * @returns the fields by which repeats of the call are recognized; undefined if the call has no Idempotency-Key, or its
 * caller is a console user
 */
export function idempotencyOf(
  caller: KnownCaller,
  call: { path: string; idempotencyKey: string | undefined; bodyHash: string },
): NewInput['idempotency'] {
  const { path, idempotencyKey: key, bodyHash: requestHash } = call;
  if (key === undefined || caller.kind !== 'token') return undefined;
  return { tokenId: caller.tokenId, path, key, requestHash };
}

/**
 * Checks the monthly limits of a call with an API token; a console user's call always passes. A repeat of a call also
 * passes, because it adds nothing and returns the first call's response.
 * @throws PublicError credit_limit_reached or message_limit_reached if a monthly limit of the token or of its
 * organization is reached
 */
export async function demandWithinLimits(
  { organizationId, caller, idempotency }: Pick<NewInput, 'organizationId' | 'caller' | 'idempotency'>,
  { db, monthlyLimits }: ApiDeps,
): Promise<void> {
  if (caller.kind !== 'token') return;
  const allowances = await monthlyLimits.find(organizationId, caller.tokenId);
  const reached = allowances && limitReached(allowances);
  if (reached === undefined || (idempotency && (await isKeyKnown(db, idempotency)))) return;
  throw new PublicError(reached.code, { sentence: reached.sentence });
}

/**
 * Accepts the input of a call that does not wait for the answer. All calls with the same idempotency key get the first
 * response that is stored. If the input is withdrawn before its response is stored, accepts it again.
 * @throws PublicError unavailable after `tries` attempts; the errors of ConversationStarter.accept
 */
async function acknowledgeOnce(input: NewInput, deps: ApiDeps): Promise<Kept> {
  for (let left = tries; left > 0; left--) {
    const accepted = await deps.conversations.acceptOrKeep(input);
    const { status, body } = acknowledge(accepted);
    if (input.idempotency === undefined) return { status, body };
    const kept = await rememberCallAnswer(deps.db, accepted.message_id, status, body);
    if (kept !== undefined) return keptAnswer.parse(kept);
  }
  throw withdrawn();
}

const withdrawn = () => new PublicError('unavailable', { retryAfterSeconds: 1 });

/** The fields of an input that a call needs while it waits for the run. */
export type Waiting = Pick<NewInput, 'organizationId' | 'idempotency'>;

/**
 * Stores the response of a call that waited, if the call has an idempotency key. For each key, only the first response
 * is stored.
 * @param readKept parses a stored response
 * @returns the stored response, which may be an earlier call's; without a key, `answer`
 * @throws PublicError unavailable if the input was withdrawn before its response was stored
 */
export async function keepAnswer<A extends { status: number; body: unknown }>(
  answer: A,
  { message_id: messageId }: AcceptedInput,
  { idempotency }: Waiting,
  { db }: ApiDeps,
  readKept: (kept: unknown) => A,
): Promise<A> {
  if (idempotency === undefined) return answer;
  const kept = await rememberCallAnswer(db, messageId, answer.status, answer.body);
  if (kept === undefined) throw withdrawn();
  return readKept(kept);
}

const keptEnd = z.discriminatedUnion('status', [
  z.object({ status: z.literal(200), body: chatAnswer }),
  z.object({ status: z.literal([402, 409, 502, 504]), body: errorBody }),
]);
const keptAnswer = z.union([keptEnd, z.object({ status: z.literal(202), body: acknowledgement })]);
type Kept = z.output<typeof keptAnswer>;

function acknowledge(accepted: AcceptedInput | KeptInput): { status: 202; body: Acknowledgement } {
  const { conversation_id } = accepted;
  if (accepted.outcome === 'kept') return { status: 202, body: { status: 'paused', conversation_id } };
  const { debounced, run_id } = accepted;
  const body = debounced
    ? { status: 'debounced' as const, conversation_id, group_id: run_id }
    : { status: 'processing' as const, conversation_id };
  return { status: 202, body };
}

/**
 * Waits for the end of a run.
 * @returns the response that `endOf` returns: sync_timeout if the run has not ended within SYNC_TIMEOUT_SECONDS
 * @throws PublicError sync_timeout if the caller disconnects before the run has ended. This error is thrown, so that it
 * is not stored: a repeat of the call waits for the run again.
 */
export async function waitForEnd(accepted: AcceptedInput, deps: ApiDeps, left: AbortSignal): Promise<RunEnd> {
  const { conversation_id: conversationId, run_id: runId } = accepted;
  const ended = await deps.answers.waitFor(runId, deps.config.SYNC_TIMEOUT_SECONDS * 1000, left);
  if (!ended && left.aborted) throw new PublicError('sync_timeout', { conversationId });
  return await endOf(deps, { conversationId, runId }, ended);
}

const readEnd = (kept: unknown): RunEnd => keptEnd.parse(kept);

function answerOf(
  accepted: AcceptedInput,
  { organizationId, idempotency }: Waiting,
  deps: ApiDeps,
): WaitingAnswer<RunEnd> {
  const waiting = { organizationId, idempotency };
  return new WaitingAnswer(async (left) => {
    return await keepAnswer(await waitForEnd(accepted, deps, left), accepted, waiting, deps, readEnd);
  });
}

/**
 * Streams a run's events. If the call has an idempotency key, stores the run's end, so that the stream of a repeat has
 * the same end.
 */
function eventsOf(
  accepted: AcceptedInput,
  { organizationId, idempotency }: Waiting,
  deps: ApiDeps,
): EventStream {
  const { conversation_id: conversationId, run_id: runId, message_id: messageId } = accepted;
  const run = { organizationId, conversationId, runId, messageId };
  const waiting = { organizationId, idempotency };
  const settle = async (end: RunEnd) => await keepAnswer(end, accepted, waiting, deps, readEnd);
  return new EventStream((signal) => followRun(deps, run, undefined, signal, settle));
}
