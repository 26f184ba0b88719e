import {
  openAiChatRequest,
  openAiCompletion,
  type OpenAiCompletion,
  type OpenAiMessage,
} from '../../../contract/conversations/openai-chat.ts';
import { openAiErrorOf } from '../../../contract/conversations/openai-error.ts';
import { secondsOf, type AnswerText, type TextPiece } from '../../conversations/openai-answer.ts';
import { answerCall, ofOpenAiCall, streamCall } from '../../conversations/openai-call.ts';
import { messageOf, placeIn, type GivenFile, type GivenTurn } from '../../conversations/openai-input.ts';
import { defineEndpoint } from '../../endpoint.ts';
import type { ServerEvent } from '../../event-stream.ts';

const path = '/openai/chat/completions';

export const createOpenAiCompletion = defineEndpoint({
  ...ofOpenAiCall,
  request: `POST ${path}`,
  summary: "Send a message as a chat completion of OpenAI's API",
  description:
    "Works like a synchronous POST /chat/{id}: the agent answers the last message. Without metadata.conversation_id or metadata.contact_id a new conversation begins, with the messages before the last one as its earlier turns, which the model reads. Closing the connection does not cancel the run. OpenAI's SDKs repeat a call after a broken connection: with an Idempotency-Key, which you must add, the repeat gets the first call's answer; without one it is a new message.",
  body: openAiChatRequest,
  eventsIfAsked:
    'With `stream`: events without a name, whose data is a chat.completion.chunk, then `[DONE]`; if the run fails, the data of the last event is an error.',
  answers: { 200: openAiCompletion },
  handle: async ({ body, caller, idempotencyKey, bodyHash }, deps) => {
    const { model, metadata, stream, stream_options } = body;
    const place = placeIn(metadata);
    const message = messageOf(body.messages.map(turnOf), 'messages', place);
    const call = { path, model, message, place, metadata, caller, idempotencyKey, bodyHash };
    if (stream !== true) return await answerCall(call, deps, (answer) => completionOf(answer, model));
    const includesUsage = stream_options?.include_usage === true;
    return await streamCall(call, deps, (pieces, { message_id }) =>
      chunks(pieces, message_id, model, includesUsage),
    );
  },
});

function turnOf({ role, content = '' }: OpenAiMessage, index: number): GivenTurn {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  const files = parts.flatMap((part): GivenFile[] => {
    if (part.type === 'image_url') return [{ url: part.image_url.url }];
    return part.type === 'file' ? [{ url: part.file.file_data, filename: part.file.filename }] : [];
  });
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return { role, text: texts.join('\n'), files, path: `messages.${index}` };
}

const idOf = (messageId: string) => `chatcmpl-${messageId}`;

function completionOf(answer: AnswerText, model: string): OpenAiCompletion {
  const { conversationId: conversation_id, messageId: message_id, text: content } = answer;
  return {
    id: idOf(message_id),
    object: 'chat.completion',
    created: secondsOf(message_id),
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, refusal: null },
        logprobs: null,
        finish_reason: finishReasonOf(answer),
      },
    ],
    usage: usageOf(answer),
    parley: { conversation_id, message_id },
  };
}

const finishReasonOf = ({ truncated }: AnswerText) => (truncated ? 'length' : 'stop');

function usageOf({ inputTokens, outputTokens }: AnswerText): OpenAiCompletion['usage'] {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}

async function* chunks(
  pieces: AsyncIterable<TextPiece>,
  messageId: string,
  model: string,
  includesUsage: boolean,
): AsyncGenerator<ServerEvent> {
  const shared = {
    id: idOf(messageId),
    object: 'chat.completion.chunk',
    created: secondsOf(messageId),
    model,
    ...(includesUsage && { usage: null }),
  };
  const chunk = (content: object): ServerEvent => ({ data: JSON.stringify({ ...shared, ...content }) });
  const choice = (delta: object, finish_reason: string | null = null): ServerEvent =>
    chunk({ choices: [{ index: 0, delta, logprobs: null, finish_reason }] });
  yield choice({ role: 'assistant', content: '' });
  for await (const given of pieces) {
    if ('piece' in given) yield choice({ content: given.piece });
    else if ('failed' in given) {
      yield { data: JSON.stringify(openAiErrorOf(given.failed)) };
      return;
    } else {
      const { answer } = given;
      const { conversationId: conversation_id, messageId: message_id } = answer;
      const last = { index: 0, delta: {}, logprobs: null, finish_reason: finishReasonOf(answer) };
      yield chunk({ choices: [last], parley: { conversation_id, message_id } });
      if (includesUsage) yield chunk({ choices: [], usage: usageOf(answer) });
      yield { data: '[DONE]' };
    }
  }
}
