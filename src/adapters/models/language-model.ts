/**
 * Calls a language model once through the AI SDK. The SDK does not retry, because the callers do: Temporal or a
 * rehearsal.
 */
import { jsonSchema, Output, streamText, tool, type ModelMessage, type ToolSet } from 'ai';
import { maxReasonChars } from '../../domain/conversations/model-call.ts';
import { withGatheredText, type ProviderModel } from './gathered-text.ts';
import { modelFault } from './model-faults.ts';
import { maxInputTokens, messagesOf, type ModelLimits } from './model-messages.ts';
import { cleanJson, cleanText } from './model-text.ts';
import {
  handOverTool,
  ModelFault,
  transferTool,
  type Model,
  type ModelReply,
  type ModelRequest,
  type Repair,
} from './model.ts';
import { wasRefused } from './provider-error.ts';

// The SDK writes a line to the console for each call whose parameters it leaves out, because the model does not have them.
globalThis.AI_SDK_LOG_WARNINGS = false;

export interface LanguageModelOptions {
  id: string;
  model: ProviderModel;
  /**
   * True if the provider has structured output: the request then contains the agent's output schema in the provider's own
   * form. Otherwise, the instructions contain it.
   */
  takesSchema: boolean;
  timeoutMs: number;
  limits: ModelLimits;
  /** Keys to redact in a provider's error text. */
  secrets: readonly string[];
}

/**
 * Creates a model whose `ask` makes one call within `timeoutMs`. `ask` throws ModelFault, CreditsBusy, the signal's
 * reason if the request is aborted, or the errors of the request's `history` and `attachments`.
 */
export function languageModel(options: LanguageModelOptions): Model {
  const { id, model, takesSchema, timeoutMs, limits, secrets } = options;
  return {
    id,
    canRepair: true,
    ask: async (request) => {
      const { repair } = request;
      const timeout = AbortSignal.timeout(Math.max(0, Math.ceil(timeoutMs - (repair?.spentMs ?? 0))));
      const { tools, text } = toolSet(request);
      const { temperature, max_output_tokens, reasoning_effort: reasoning } = request.parameters ?? {};
      const schema = request.parameters?.output_schema;
      const schemaText = schema == null ? '' : wantedOutput(schema);
      const repairing = repair === undefined ? [] : repairMessages(repair);
      const fixed = text + schemaText + repairing.map(({ content }) => content).join('');
      const { messages: fitted, ...sent } = await messagesOf(request, fixed, limits);
      const messages: ModelMessage[] = [...fitted, ...repairing];
      const spoken = request.onText && new StreamedText(request.onText);
      const { instructions } = request.agent;
      const system = takesSchema
        ? instructions
        : [instructions, schemaText].filter((one) => one !== '').join('\n\n');
      const toolText = JSON.stringify([
        request.tools,
        request.transfers,
        ...(schemaText === '' ? [] : [schemaText]),
        ...(request.mayHandOver ? [handOver] : []),
      ]);
      const reserved = await request.budget?.reserve(
        maxInputTokens({ instructions, messages, toolText, tools: Object.keys(tools).length }, limits),
        max_output_tokens,
      );
      const maxOutputTokens = reserved?.maxOutputTokens ?? max_output_tokens;
      let billed: Billed | null = null;
      try {
        if (request.signal.aborted) billed = nothing;
        request.signal.throwIfAborted();
        const result = streamText({
          model: withGatheredText(model, (piece) => spoken?.push(piece)),
          messages,
          tools,
          // The last step lists the tools too, because providers refuse a history with calls to tools that the request
          // does not list.
          ...(request.lastStep && Object.keys(tools).length > 0 && { toolChoice: 'none' as const }),
          ...(system !== '' && { instructions: system }),
          ...(schema != null && takesSchema && { output: Output.object({ schema: outputSchema(schema) }) }),
          ...(temperature != null && { temperature }),
          ...(maxOutputTokens != null && { maxOutputTokens }),
          ...(reasoning != null && { reasoning }),
          providerOptions: {
            openai: {
              // Otherwise, the SDK would also request a summary of the reasoning, which OpenAI gives only to verified
              // organizations.
              ...(reasoning != null && { reasoningSummary: null }),
              // In its strict mode, OpenAI refuses schemas with optional properties.
              ...(schema != null && { strictJsonSchema: false }),
            },
          },
          maxRetries: 0,
          abortSignal: AbortSignal.any([request.signal, timeout]),
          onError: () => undefined,
        });
        const reply = await read(result, id, (counted) => {
          billed = counted;
        });
        spoken?.end();
        return { ...reply, ...sent };
      } catch (error) {
        if (wasRefused(error)) billed = nothing;
        request.signal.throwIfAborted();
        if (error instanceof ModelFault) throw error;
        if (timeout.aborted) {
          const sentence = 'The model did not answer in time.';
          throw new ModelFault(sentence, { retryable: true, othersMayAnswer: true, cause: error });
        }
        throw modelFault(error, id, { secrets, parameters: request.parameters });
      } finally {
        await reserved?.settle(billed);
      }
    },
  };
}

type OutputSchema = NonNullable<NonNullable<ModelRequest['parameters']>['output_schema']>;

const wantedOutput = (schema: OutputSchema): string =>
  `If you call no tool, answer with one JSON object and nothing else. It must fit this JSON Schema: ${JSON.stringify(schema)}`;

/** Returns the schema for the provider. Answers with fields that it does not name are refused, as for tool arguments. */
const outputSchema = (schema: OutputSchema) => jsonSchema({ ...schema, additionalProperties: false });

/** Maximum characters of an answer that does not fit, in the request to correct it. Chosen. */
const maxRepairedChars = 4000;

/** Returns the messages that ask the model to correct its answer. */
function repairMessages({
  text,
  problem,
}: Repair): ({ role: 'assistant'; content: string } | { role: 'user'; content: string })[] {
  return [
    { role: 'assistant', content: text.slice(0, maxRepairedChars).toWellFormed() },
    {
      role: 'user',
      content: `Your answer does not fit the JSON Schema: ${problem} Answer again, with one JSON object that fits and nothing else.`,
    },
  ];
}

/** Tokens that the provider bills. */
type Billed = Pick<ModelReply, 'inputTokens' | 'outputTokens'>;
const nothing: Billed = { inputTokens: 0, outputTokens: 0 };

/**
 * Reads the stream to its end, and returns the reply.
 * @param count called with the tokens if the answer ended normally and reports them, even if the answer is empty
 * @throws Error `aborted` if the call was aborted; ModelFault if the answer broke off or is empty; the errors that the
 * stream contains
 */
async function read(
  result: Pick<
    ReturnType<typeof streamText<ToolSet>>,
    'stream' | 'text' | 'toolCalls' | 'usage' | 'finalStep'
  >,
  id: string,
  count: (billed: Billed) => void,
): Promise<Omit<ModelReply, 'historyTurns' | 'wasCut'>> {
  for await (const part of result.stream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'abort') throw new Error('aborted');
  }
  const [text, calls, usage, { response, finishReason, rawFinishReason }] = await Promise.all([
    result.text,
    result.toolCalls,
    result.usage,
    result.finalStep,
  ]);
  const finish = { unified: finishReason, raw: rawFinishReason };
  const kept = cleanText(text).trim();
  const { inputTokens, outputTokens } = usage;
  const { cacheReadTokens: cachedInputTokens } = usage.inputTokenDetails;
  // If the answer broke off, its token counts are incomplete. `count` is then not called, so that the call is settled
  // with its reserved maximum.
  if (hasEnded(finish) && inputTokens !== undefined && outputTokens !== undefined)
    count({ inputTokens, outputTokens });
  refuseNoAnswer(finish, kept === '' && calls.length === 0);
  return {
    text: kept,
    calls: calls.map((call) => ({
      callId: cleanText(call.toolCallId),
      name: cleanText(call.toolName),
      input: call.input === undefined ? {} : cleanJson(call.input),
    })),
    model: response.modelId === '' ? id : cleanText(response.modelId),
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    ...(cachedInputTokens !== undefined && { cachedInputTokens }),
    truncated: isTruncated(finish),
  };
}

const handOver = {
  description:
    'Hands the conversation over to a person, who answers the user instead of you from then on. Text beside this call is shown to the user first.',
  inputSchema: jsonSchema({
    type: 'object',
    properties: {
      reason: {
        type: 'string',
        maxLength: maxReasonChars,
        description:
          'For the person: why they must take over, and what they need to know, in one or two sentences',
      },
    },
    required: ['reason'],
    additionalProperties: false,
  }),
};

/**
 * Returns the tools of a request. `text` contains the descriptions and schemas of the agent's own tools, to estimate
 * their tokens.
 */
function toolSet(request: ModelRequest): { tools: ToolSet; text: string } {
  const tools: ToolSet = {};
  let text = '';
  for (const definition of request.tools) {
    text += definition.description + JSON.stringify(definition.inputSchema);
    tools[definition.name] = tool({
      description: definition.description,
      inputSchema: jsonSchema(definition.inputSchema),
    });
  }
  if (request.transfers.length > 0) {
    const known = request.transfers.map(({ name, description }) =>
      description === '' ? name : `${name} (${description})`,
    );
    tools[transferTool] = tool({
      description: `Hands the conversation over to another agent, which answers the user: ${known.join('; ')}. Text beside this call is shown to the user first.`,
      inputSchema: jsonSchema({
        type: 'object',
        properties: { agent: { type: 'string', enum: request.transfers.map(({ name }) => name) } },
        required: ['agent'],
        additionalProperties: false,
      }),
    });
  }
  if (request.mayHandOver) tools[handOverTool] = tool(handOver);
  return { tools, text };
}

interface Finish {
  /** The AI SDK's unified reason: stop, length, content-filter, tool-calls, interrupted, error, other. */
  unified: string;
  /** The provider's own finish reason. */
  raw: string | undefined;
}

/** Matches providers' names for `length` that the SDK does not know, such as Mistral's `model_length`. */
const limits = /length|max_tokens/i;
/**
 * Matches the finish reasons with which vLLM, OpenRouter, DeepSeek and Zhipu report that the model failed during its
 * answer.
 */
const brokenOff = /^(abort|error|cancel|insufficient_system_resource|network_error)/i;

/** Throws a retryable ModelFault if the model broke off its answer, or returned neither text nor a tool call. */
function refuseNoAnswer(finish: Finish, isEmpty: boolean): void {
  const reason = (finish.raw ?? finish.unified).slice(0, 100);
  const said = { retryable: true, providerMessage: `finish reason: ${reason}` };
  if (!hasEnded(finish))
    throw new ModelFault('The model broke off its answer.', { ...said, othersMayAnswer: true });
  if (isEmpty) throw new ModelFault('The model returned an empty answer.', said);
}

/** False if the answer broke off: it has no finish reason, or one that means a failure. */
function hasEnded({ unified, raw }: Finish): boolean {
  const isWhole = unified !== 'interrupted' && (unified !== 'other' || raw !== undefined);
  return isWhole && !brokenOff.test(raw ?? '');
}

/** True if the answer was cut off by a token limit, or by a filter that the provider reports as `content_filter`. */
function isTruncated({ unified, raw = '' }: Finish): boolean {
  return unified === 'length' || raw === 'content_filter' || (unified === 'other' && limits.test(raw));
}

/** Cleans and trims a reply's text while it streams, so that the joined pieces equal the stored text. */
export class StreamedText {
  readonly #tell: (piece: string) => void;
  /** The end of the text, not passed on yet: white space that may end the reply, or half of a surrogate pair. */
  #held = '';
  #begun = false;

  constructor(tell: (piece: string) => void) {
    this.#tell = tell;
  }

  /**
   * Passes on the text, except trailing white space and half of a surrogate pair, which wait for the next piece.
   */
  push(piece: string): void {
    const all = this.#held + piece.replaceAll('\0', '');
    const text = this.#begun ? all : all.trimStart();
    const said = (/[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text).trimEnd();
    this.#held = text.slice(said.length);
    if (said === '') return;
    this.#begun = true;
    this.#tell(cleanText(said));
  }

  /**
   * Passes on the text that still waits, without trailing white space. Half of a surrogate pair becomes U+FFFD.
   */
  end(): void {
    const rest = cleanText(this.#held).trimEnd();
    this.#held = '';
    if (rest !== '') this.#tell(this.#begun ? rest : rest.trimStart());
  }
}
