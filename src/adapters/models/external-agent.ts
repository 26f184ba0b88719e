/**
 * Asks an external agent to answer a step, with one POST through the client for supplied URLs. After a retryable
 * failure, Temporal retries the run's activity. The activity then sends the same idempotency key, unless a further
 * input has joined the run.
 */
import { z } from 'zod';
import {
  externalAgentAnswer,
  maxExternalAnswerBytes,
  type ExternalAgentRequest,
} from '../../contract/models/external-agent.ts';
import { failures, type PublicHttp, type Sent } from '../http/public-http.ts';
import { blocked } from './guarded-fetch.ts';
import { keptWords, retryAfter } from './model-faults.ts';
import { parseJson } from './model-fetch.ts';
import { maxInputTokens, messagesOf, type ModelLimits } from './model-messages.ts';
import { cleanText } from './model-text.ts';
import {
  handOverTool,
  ModelFault,
  transferTool,
  type Model,
  type ModelReply,
  type ModelRequest,
} from './model.ts';

export interface ExternalAgentOptions {
  /** The model's id, `provider/name`. */
  id: string;
  url: string;
  /** Sent as a bearer token; null if the agent needs none. */
  apiKey: string | null;
  http: PublicHttp;
  organizationId: string;
  timeoutMs: number;
  contextTokens: number;
}

/**
 * Creates the model. The agent receives no tools. Of files that are not text, it receives only names, types and sizes.
 * `ask` throws ModelFault, CreditsBusy, the signal's reason if the request is aborted, or the errors of the request's
 * `history` and `attachments`.
 */
export function externalAgent(options: ExternalAgentOptions): Model {
  const { id, contextTokens } = options;
  const limits: ModelLimits = { contextTokens, files: [] };
  return {
    id,
    ask: async (request) => {
      const { messages, ...fitted } = await messagesOf(request, '', limits);
      const { instructions } = request.agent;
      const toolText = JSON.stringify(request.transfers);
      const inputTokens = maxInputTokens({ instructions, messages, toolText, tools: 0 }, limits);
      const reserved = await request.budget?.reserve(inputTokens);
      // A call that fails, or whose answer reports no usage, is not billed.
      let billed = { inputTokens: 0, outputTokens: 0 };
      try {
        request.signal.throwIfAborted();
        const body = requestBody(request, id, messages.flatMap(textsOf));
        const { text, usage, ...next } = answerIn(await post(options, body, request.signal), options);
        // The agent reports its own usage. At most the reserved tokens are billed, so that a wrong report cannot exceed
        // a cap.
        billed = {
          inputTokens: Math.min(usage?.input_tokens ?? 0, inputTokens),
          outputTokens: Math.min(usage?.output_tokens ?? 0, reserved?.maxOutputTokens ?? Infinity),
        };
        const kept = cleanText(text).trim();
        if (kept !== '') request.onText?.(kept);
        return { ...fitted, ...billed, ...replyOf(kept, next), model: id };
      } finally {
        await reserved?.settle(billed);
      }
    },
  };
}

function replyOf(
  text: string,
  { transfer_to, hand_over }: Pick<z.output<typeof externalAgentAnswer>, 'transfer_to' | 'hand_over'>,
): Pick<ModelReply, 'text' | 'calls' | 'truncated'> {
  const calls: ModelReply['calls'] = [];
  if (transfer_to != null)
    calls.push({ callId: 'transfer', name: transferTool, input: { agent: cleanText(transfer_to) } });
  if (hand_over != null)
    calls.push({ callId: 'hand_over', name: handOverTool, input: { reason: cleanText(hand_over) } });
  return { text, calls, truncated: false };
}

function requestBody(
  request: ModelRequest,
  id: string,
  messages: ExternalAgentRequest['messages'],
): ExternalAgentRequest {
  const { agent, call, conversationId, kind } = request;
  return {
    version: 1,
    // The key contains the number of inputs, because a further input of the run changes the request.
    idempotency_key: call === undefined ? crypto.randomUUID() : `${call.runId}.${call.step}.${call.inputs}`,
    conversation_id: conversationId,
    run_id: call?.runId ?? null,
    kind,
    agent: { id: agent.id, name: agent.name, instructions: agent.instructions },
    model: id.slice(id.indexOf('/') + 1),
    messages,
    transfers: request.transfers.map(({ name, description }) => ({ name, description })),
    ...(request.mayHandOver && { may_hand_over: true as const }),
  };
}

const textPart = z.looseObject({ type: z.literal('text'), text: z.string() });
const resultPart = z.looseObject({ type: z.literal('tool-result'), output: z.object({ value: z.string() }) });
const parts = z.array(z.unknown());

/**
 * Joins the texts of a model message into one message. Returns `[]` if it has no text. Results of tool calls become a
 * message with the role `system`; the calls are omitted.
 */
function textsOf({
  role,
  content,
}: Awaited<ReturnType<typeof messagesOf>>['messages'][number]): ExternalAgentRequest['messages'] {
  const texts = typeof content === 'string' ? [content] : parts.parse(content).flatMap(textIn);
  const as = role === 'tool' ? 'system' : role;
  return texts.length === 0 ? [] : [{ role: as, text: texts.join('\n') }];
}

function textIn(part: unknown): string[] {
  const text = textPart.safeParse(part);
  if (text.success) return [text.data.text];
  const result = resultPart.safeParse(part);
  return result.success ? [result.data.output.value] : [];
}

type Answered = Extract<Sent, { outcome: 'answered' }>;

/**
 * Posts a request to the agent, and returns the response.
 * @throws ModelFault if the address is not allowed, cannot be reached, or does not answer in time; the signal's reason
 * if it is aborted
 */
async function post(
  { url, apiKey, http, organizationId, timeoutMs }: ExternalAgentOptions,
  body: ExternalAgentRequest,
  signal: AbortSignal,
): Promise<Answered> {
  const sent = await http.request({
    url,
    organization: organizationId,
    method: 'POST',
    timeoutMs,
    signal,
    maxBytes: maxExternalAnswerBytes,
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      'idempotency-key': body.idempotency_key,
      ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify(body),
  });
  if (sent.outcome === 'answered') return sent;
  signal.throwIfAborted();
  if (sent.outcome === 'blocked') throw blocked(sent.reason, url);
  throw sent.reason === 'timeout'
    ? new ModelFault('The external agent did not answer in time.', {
        retryable: true,
        about: 'address',
        othersMayAnswer: true,
      })
    : new ModelFault(`The external agent could not be reached: ${failures[sent.reason]}.`, {
        retryable: sent.reason !== 'no_such_name',
        about: 'address',
        othersMayAnswer: true,
      });
}

/** Statuses below 500 after which a retry may succeed. */
const passing: readonly number[] = [408, 409, 425, 429];

/**
 * Reads the answer.
 * @throws ModelFault if the status is not 2xx, or the answer is too large, cut off or not of the documented form
 */
function answerIn(sent: Answered, { apiKey }: ExternalAgentOptions): z.output<typeof externalAgentAnswer> {
  const { status, truncated, bodyComplete } = sent;
  const text = sent.body.toString('utf8');
  const secrets = apiKey === null ? [] : [apiKey];
  const words = text === '' ? undefined : keptWords(text, secrets);
  if (status === 401 || status === 403)
    throw new ModelFault(`The external agent refused the key (${status}).`, {
      retryable: false,
      about: 'key',
      othersMayAnswer: true,
      providerMessage: words,
    });
  if (status < 200 || status > 299) {
    const retryable = status >= 500 || passing.includes(status);
    throw new ModelFault(`The external agent failed (${status}).`, {
      retryable,
      about: 'address',
      othersMayAnswer: retryable || status === 404,
      providerMessage: words,
      ...(retryable && { retryAfterMs: retryAfter(sent.headers) }),
    });
  }
  if (truncated)
    throw new ModelFault(`The external agent's answer is over ${maxExternalAnswerBytes} bytes.`, {
      retryable: false,
      about: 'address',
    });
  if (!bodyComplete)
    throw new ModelFault('The external agent broke off its answer.', {
      retryable: true,
      about: 'address',
      othersMayAnswer: true,
    });
  const parsed = externalAgentAnswer.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.length ? `${issue.path.join('.')}: ` : '';
  throw new ModelFault("The external agent's answer does not have the documented form.", {
    retryable: false,
    about: 'address',
    providerMessage: keptWords(`${where}${issue?.message ?? ''}`, secrets),
  });
}
