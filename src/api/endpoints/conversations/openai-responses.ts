import type { z } from 'zod';
import { findRunOfInput } from '../../../adapters/postgres/conversations/stream-events.ts';
import { uuidForm } from '../../../adapters/postgres/cursor.ts';
import {
  openAiResponse,
  openAiResponseRequest,
  type OpenAiItem,
  type OpenAiResponse,
} from '../../../contract/conversations/openai-responses.ts';
import { invalidField, PublicError } from '../../../contract/errors.ts';
import { stringify } from '../../../contract/text.ts';
import { secondsOf, type AnswerText, type TextPiece } from '../../conversations/openai-answer.ts';
import { answerCall, ofOpenAiCall, streamCall } from '../../conversations/openai-call.ts';
import {
  messageOf,
  placeIn,
  type GivenFile,
  type GivenPlace,
  type GivenTurn,
} from '../../conversations/openai-input.ts';
import { demandAgents, idOf, mayView } from '../../admit.ts';
import type { KnownCaller } from '../../caller.ts';
import type { ApiDeps } from '../../deps.ts';
import { defineEndpoint } from '../../endpoint.ts';
import type { ServerEvent } from '../../event-stream.ts';

const path = '/openai/responses';
type Body = z.output<typeof openAiResponseRequest>;

export const createOpenAiResponse = defineEndpoint({
  ...ofOpenAiCall,
  request: `POST ${path}`,
  summary: "Send a message as a response of OpenAI's API",
  description:
    "Works like POST /openai/chat/completions, in the form of OpenAI's responses. `previous_response_id` and `conversation` continue a conversation, which has no branches. With `stream` the answer comes as OpenAI's events. Parley has no operation that reads a response again: read the conversation.",
  body: openAiResponseRequest,
  eventsIfAsked:
    'With `stream`: response.created, response.output_item.added, response.content_part.added, response.output_text.delta …, and at the end response.completed, response.incomplete or response.failed.',
  answers: { 200: openAiResponse },
  handle: async ({ body, caller, idempotencyKey, bodyHash }, deps) => {
    const { model, metadata, stream } = body;
    const continues = await continuedBy(body, caller, deps);
    const place = placeOf(body, continues);
    const message = messageOf(turnsOf(body), 'input', place);
    const afterMessage = continues?.messageId;
    const call = { path, model, message, place, afterMessage, metadata, caller, idempotencyKey, bodyHash };
    // Copies the needed fields, because the functions below would otherwise keep the whole body in memory.
    const asked = askedBy(body);
    if (stream !== true) return await answerCall(call, deps, (answer) => responseOf(answer, asked));
    return await streamCall(call, deps, (pieces, accepted) =>
      eventsOf(pieces, { conversationId: accepted.conversation_id, messageId: accepted.message_id }, asked),
    );
  },
});

const responsePrefix = 'resp_';

type Continued = { conversationId: string; messageId: string } | undefined;

/**
 * Finds the conversation of previous_response_id.
 * @returns the conversation, with the message that the response answers; undefined without a previous_response_id
 * @throws PublicError forbidden if the caller's token is bound to other agents; not_found if there is no such response,
 * it is from another model, or the caller may not view conversations and did not begin this one
 */
async function continuedBy(
  { model, previous_response_id: id }: Body,
  caller: KnownCaller,
  { db }: ApiDeps,
): Promise<Continued> {
  if (id === undefined) return undefined;
  await demandAgents(db, caller, 'target', model);
  const messageId = id.startsWith(responsePrefix) ? id.slice(responsePrefix.length).toLowerCase() : '';
  const run = uuidForm.test(messageId)
    ? await findRunOfInput(db, caller.organizationId, messageId)
    : undefined;
  const isOpen = run?.targetId === model.toLowerCase() && (mayView(caller) || run.begunBy === idOf(caller));
  if (!isOpen) {
    const sentence = 'There is no such response.';
    throw new PublicError('not_found', {
      sentence,
      details: [{ path: 'previous_response_id', message: sentence }],
    });
  }
  return { conversationId: run.conversationId, messageId };
}

/**
 * Reads the conversation or contact to which the message belongs.
 * @param continues the conversation of previous_response_id
 * @throws PublicError validation_failed if more than one field names a conversation
 */
function placeOf(body: Body, continues: Continued): GivenPlace {
  const { conversation } = body;
  const named = placeIn(body.metadata);
  const places = [
    continues && { path: 'previous_response_id', value: continues.conversationId },
    conversation === undefined
      ? undefined
      : {
          path: 'conversation',
          value: typeof conversation === 'string' ? conversation : conversation.id,
        },
    named.conversationId,
  ].filter((one) => one !== undefined);
  const [conversationId, second] = places;
  if (second !== undefined)
    throw invalidField(second.path, `must not be sent with ${conversationId?.path ?? ''}`);
  return {
    ...(conversationId && { conversationId }),
    ...(named.contactId && { contactId: named.contactId }),
  };
}

function turnsOf({ input, instructions = '' }: Body): GivenTurn[] {
  const turns: GivenTurn[] =
    typeof input === 'string'
      ? [{ role: 'user', text: input, files: [], path: 'input' }]
      : input.map((item, index) => turnOf(item, `input.${index}`));
  if (instructions === '') return turns;
  return [{ role: 'developer', text: instructions, files: [], path: 'instructions' }, ...turns];
}

function turnOf({ role, content = '' }: OpenAiItem, at: string): GivenTurn {
  const parts = typeof content === 'string' ? [{ type: 'input_text' as const, text: content }] : content;
  const files = parts.flatMap((part): GivenFile[] => {
    if (part.type === 'input_image') return [{ url: part.image_url }];
    if (part.type !== 'input_file') return [];
    return [{ url: part.file_data ?? part.file_url ?? '', filename: part.filename }];
  });
  const texts = parts.flatMap((part) => ('text' in part ? [part.text] : []));
  return { role, text: texts.join('\n'), files, path: at };
}

/** The fields of a request that its response repeats. */
type Asked = Pick<Body, 'model' | 'previous_response_id' | 'metadata'>;

function askedBy({ model, previous_response_id, metadata }: Body): Asked {
  return { model, previous_response_id, metadata };
}

type Answered = Pick<AnswerText, 'conversationId' | 'messageId'> & Partial<AnswerText>;

/** @param answered its `text` is undefined while the answer is in progress */
function responseOf(answered: Answered, asked: Asked): OpenAiResponse {
  const { conversationId, messageId, text, truncated, inputTokens = 0, outputTokens = 0 } = answered;
  const status = truncated === true ? ('incomplete' as const) : ('completed' as const);
  const hasEnded = text !== undefined;
  return {
    id: `${responsePrefix}${messageId}`,
    object: 'response',
    created_at: secondsOf(messageId),
    status: hasEnded ? status : 'in_progress',
    error: null,
    incomplete_details: truncated === true ? { reason: 'max_output_tokens' } : null,
    model: asked.model,
    output: hasEnded ? [outputOf(messageId, text, status)] : [],
    previous_response_id: asked.previous_response_id ?? null,
    conversation: { id: conversationId },
    metadata: asked.metadata ?? {},
    parallel_tool_calls: false,
    tool_choice: 'auto',
    tools: [],
    usage: hasEnded
      ? {
          input_tokens: inputTokens,
          output_tokens: outputTokens,
          total_tokens: inputTokens + outputTokens,
        }
      : null,
  };
}

type Output = OpenAiResponse['output'][number];

/** @param text undefined before the text begins */
function outputOf(messageId: string, text: string | undefined, status: Output['status']): Output {
  return {
    type: 'message',
    id: `msg_${messageId}`,
    status,
    role: 'assistant',
    content: text === undefined ? [] : [partOf(text)],
  };
}

const partOf = (text: string): Output['content'][number] => ({ type: 'output_text', text, annotations: [] });

async function* eventsOf(
  pieces: AsyncIterable<TextPiece>,
  place: Pick<AnswerText, 'conversationId' | 'messageId'>,
  asked: Asked,
): AsyncGenerator<ServerEvent> {
  const { messageId } = place;
  let sequence_number = 0;
  const event = (type: string, content: object): ServerEvent => ({
    event: type,
    data: stringify({ type, sequence_number: sequence_number++, ...content }),
  });
  const started = responseOf(place, asked);
  const at = { item_id: `msg_${messageId}`, output_index: 0, content_index: 0 };
  yield event('response.created', { response: started });
  yield event('response.in_progress', { response: started });
  yield event('response.output_item.added', {
    output_index: 0,
    item: outputOf(messageId, undefined, 'in_progress'),
  });
  yield event('response.content_part.added', { ...at, part: partOf('') });
  for await (const given of pieces) {
    if ('piece' in given)
      yield event('response.output_text.delta', { ...at, delta: given.piece, logprobs: [] });
    else if ('failed' in given) {
      const { code, message } = given.failed;
      yield event('response.failed', {
        response: { ...started, status: 'failed', error: { code, message } },
      });
    } else {
      const { text } = given.answer;
      const response = responseOf(given.answer, asked);
      yield event('response.output_text.done', { ...at, text, logprobs: [] });
      yield event('response.content_part.done', { ...at, part: partOf(text) });
      yield event('response.output_item.done', { output_index: 0, item: response.output[0] });
      yield event(`response.${response.status}`, { response });
    }
  }
}
