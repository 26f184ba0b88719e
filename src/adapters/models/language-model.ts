/** Calls a language model through the AI SDK, once. Temporal makes the retries. */
import { jsonSchema, streamText, tool, type ToolSet } from 'ai';
import { withGatheredText, type ProviderModel } from './gathered-text.ts';
import { modelFault } from './model-faults.ts';
import { messagesOf, type ModelLimits } from './model-messages.ts';
import { cleanJson, cleanText } from './model-text.ts';
import { isTruncated, refuseNoAnswer } from './finish-reason.ts';
import { ModelFault, transferTool, type Model, type ModelReply, type ModelRequest } from './model.ts';
import { StreamedText } from './streamed-text.ts';

export interface LanguageModelOptions {
  id: string;
  model: ProviderModel;
  timeoutMs: number;
  limits: ModelLimits;
  /** Keys, which are removed from a provider's error text. */
  secrets: readonly string[];
}

export function languageModel(options: LanguageModelOptions): Model {
  const { id, model, timeoutMs, limits, secrets } = options;
  return {
    id,
    ask: async (request) => {
      const timeout = AbortSignal.timeout(timeoutMs);
      const { tools, text } = toolSet(request);
      const messages = await messagesOf(request, text, limits);
      const spoken = request.onText && new StreamedText(request.onText);
      try {
        const result = streamText({
          model: withGatheredText(model, (piece) => spoken?.push(piece)),
          messages,
          tools,
          // Tools stay listed in the last step: a provider refuses calls in the history to tools that it does not
          // know.
          ...(request.lastStep && Object.keys(tools).length > 0 && { toolChoice: 'none' as const }),
          ...(request.agent.instructions !== '' && { instructions: request.agent.instructions }),
          maxRetries: 0,
          abortSignal: AbortSignal.any([request.signal, timeout]),
          onError: () => undefined,
        });
        const reply = await read(result, id);
        spoken?.end();
        return reply;
      } catch (error) {
        request.signal.throwIfAborted();
        if (error instanceof ModelFault) throw error;
        if (timeout.aborted) {
          throw new ModelFault('The model did not answer in time.', { retryable: true, cause: error });
        }
        throw modelFault(error, id, secrets);
      }
    },
  };
}

async function read(result: ReturnType<typeof streamText<ToolSet>>, id: string): Promise<ModelReply> {
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
  refuseNoAnswer(finish, kept === '' && calls.length === 0);
  return {
    text: kept,
    calls: calls.map((call) => ({
      callId: cleanText(call.toolCallId),
      name: cleanText(call.toolName),
      input: call.input === undefined ? {} : cleanJson(call.input),
    })),
    model: response.modelId === '' ? id : cleanText(response.modelId),
    inputTokens: usage.inputTokens ?? 0,
    outputTokens: usage.outputTokens ?? 0,
    truncated: isTruncated(finish),
  };
}

/** The tools, and the text of their descriptions. */
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
  return { tools, text };
}
