/** A language model through the AI SDK: one call, no retries of its own; Temporal owns those. */
import {
  jsonSchema,
  streamText,
  tool,
  type LanguageModel,
  type ModelMessage,
  type ToolSet,
  type UserContent,
} from 'ai';
import { trimHistory } from '../../domain/trim-history.ts';
import { modelFault } from './model-faults.ts';
import { ModelFault, transferTool, type Model, type ModelReply, type ModelRequest } from './model.ts';

export interface LanguageModelOptions {
  id: string;
  model: LanguageModel;
  timeoutMs: number;
  contextTokens: number;
}

export function languageModel({ id, model, timeoutMs, contextTokens }: LanguageModelOptions): Model {
  return {
    id,
    ask: async (request) => {
      const timeout = AbortSignal.timeout(timeoutMs);
      const tools = request.lastStep ? {} : toolSet(request);
      const messages = await messagesOf(request, contextTokens);
      try {
        const result = streamText({
          model,
          messages,
          tools,
          ...(request.agent.instructions !== '' && { instructions: request.agent.instructions }),
          maxRetries: 0,
          abortSignal: AbortSignal.any([request.signal, timeout]),
          onError: () => undefined,
        });
        return await read(result, id);
      } catch (error) {
        request.signal.throwIfAborted();
        if (error instanceof ModelFault) throw error;
        if (timeout.aborted) {
          throw new ModelFault('The model did not answer in time.', { retryable: true, cause: error });
        }
        throw modelFault(error);
      }
    },
  };
}

async function read(result: ReturnType<typeof streamText<ToolSet>>, id: string): Promise<ModelReply> {
  for await (const part of result.stream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'abort') throw new Error('aborted');
  }
  const [text, calls, usage, response] = await Promise.all([
    result.text,
    result.toolCalls,
    result.usage,
    result.finalStep.then(({ response: finalResponse }) => finalResponse),
  ]);
  return {
    text: text.trim(),
    calls: calls.map((call) => ({ callId: call.toolCallId, name: call.toolName, input: asJson(call.input) })),
    model: response.modelId === '' ? id : response.modelId,
    inputTokens: usage.inputTokens ?? 0,
    outputTokens: usage.outputTokens ?? 0,
  };
}

function asJson(value: unknown): unknown {
  return value === undefined ? {} : value;
}

function toolSet(request: ModelRequest): ToolSet {
  const tools: ToolSet = {};
  for (const definition of request.tools) {
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
  return tools;
}

async function messagesOf(request: ModelRequest, contextTokens: number): Promise<ModelMessage[]> {
  const [history, attachments] = await Promise.all([request.history(), request.attachments()]);
  const messages: ModelMessage[] = trimHistory(history, request.input, contextTokens).map((turn) => ({
    role: turn.role === 'user' ? 'user' : 'assistant',
    content: turn.text,
  }));
  const input =
    request.kind === 'follow_up'
      ? `The user has been silent. Follow up, as you are instructed: ${request.input}`
      : request.input;
  const content: Exclude<UserContent, string> = input === '' ? [] : [{ type: 'text', text: input }];
  for (const attachment of attachments) content.push(attachmentPart(attachment));
  messages.push({ role: 'user', content });
  for (const step of request.steps) {
    messages.push({
      role: 'assistant',
      content: [
        ...(step.text === '' ? [] : [{ type: 'text' as const, text: step.text }]),
        ...step.calls.map((call) => ({
          type: 'tool-call' as const,
          toolCallId: call.callId,
          toolName: call.name,
          input: call.input,
        })),
      ],
    });
    messages.push({
      role: 'tool',
      content: step.calls.map((call) => ({
        type: 'tool-result' as const,
        toolCallId: call.callId,
        toolName: call.name,
        output: { type: call.failed ? ('error-text' as const) : ('text' as const), value: call.result },
      })),
    });
  }
  return messages;
}

type Part = Exclude<UserContent, string>[number];

/** Images and PDFs go to the model as files, text as text; anything else is named. */
function attachmentPart(attachment: Awaited<ReturnType<ModelRequest['attachments']>>[number]): Part {
  const { content, contentType, filename } = attachment;
  const name = filename ?? 'attachment';
  const type = contentType ?? 'application/octet-stream';
  if (content === null) return { type: 'text', text: `[The attachment ${name} could not be fetched.]` };
  if (/^(image\/(png|jpeg|gif|webp)|application\/pdf)/.test(type)) {
    return { type: 'file', data: content, mediaType: type.split(';')[0] ?? type, filename: name };
  }
  if (type.startsWith('text/') || type.startsWith('application/json')) {
    return { type: 'text', text: `[Attachment ${name}]\n${content.toString('utf8').slice(0, 100_000)}` };
  }
  return {
    type: 'text',
    text: `[The user attached ${name} (${type}, ${content.length} bytes), which cannot be read here.]`,
  };
}
