/** Builds the messages for a run's model call, within the model's context window. */
import type { ModelMessage, UserContent } from 'ai';
import { fitContext } from '../../domain/conversations/fit-context.ts';
import { withoutMark } from '../../domain/conversations/model-call.ts';
import { mediaKindOf } from '../../domain/conversations/media-type.ts';
import type { ModelAttachment, ModelRequest } from './model.ts';

export interface ModelLimits {
  contextTokens: number;
  /**
   * Kinds of files that the model accepts: images, documents (PDFs), both, or none. The model receives text files as
   * text. Of all other files, it receives only the name, type and size.
   */
  files: readonly ('images' | 'documents')[];
}

type Part = Exclude<UserContent, string>[number];

/** The messages of a model call, the number of earlier messages among them, and whether any text was cut. */
interface FittedMessages {
  messages: ModelMessage[];
  historyTurns: number;
  wasCut: boolean;
}

/**
 * Builds the messages. Shortens texts and omits the oldest messages if they exceed the context window.
 * @param toolText the text of the agent's tools, which uses part of the context window
 * @throws the errors of the request's `history` and `attachments`
 */
export async function messagesOf(
  request: ModelRequest,
  toolText: string,
  limits: ModelLimits,
): Promise<FittedMessages> {
  const [turns, attachments] = await Promise.all([request.history(), request.attachments()]);
  const context = turns.filter(({ isContext }) => isContext === true);
  const parts = attachments.map((attachment) => {
    const part = attachmentPart(attachment, limits.files);
    return part.type === 'text' ? { ...part, text: withoutMark(part.text) } : part;
  });
  const whole = [
    ...context.map(({ text }) => text),
    inputOf(request),
    ...parts.map((part) => (part.type === 'text' ? part.text : '')),
    ...request.steps.flatMap(({ calls }) => calls.map(({ result }) => result)),
  ];
  const fitted = fitContext({
    windowTokens: limits.contextTokens,
    fixed: request.agent.instructions + toolText,
    files: parts.filter(({ type }) => type === 'file').length,
    texts: whole,
    history: turns.filter(({ isContext }) => isContext !== true),
  });
  const wasCut = fitted.texts.some((text, index) => text !== whole[index]);
  const texts = [...fitted.texts];
  const instructions = texts.splice(0, context.length);
  const input = texts.shift() ?? '';
  const content: Exclude<UserContent, string> = input === '' ? [] : [{ type: 'text', text: input }];
  for (const part of parts) {
    const text = texts.shift() ?? '';
    content.push(part.type === 'text' ? { type: 'text', text } : part);
  }
  const messages: ModelMessage[] = [
    ...fitted.history.map(({ role, text }) => ({
      role: role === 'user' ? ('user' as const) : ('assistant' as const),
      content: text,
    })),
    ...instructions.map((text) => ({ role: 'user' as const, content: text })),
    { role: 'user', content },
    ...request.steps.flatMap((step) => stepMessages(step, () => texts.shift() ?? '')),
  ];
  return { messages, historyTurns: fitted.history.length, wasCut };
}

function inputOf({ kind, input }: ModelRequest): string {
  return kind === 'follow_up'
    ? `The user has been silent. Follow up, as you are instructed: ${input}`
    : input;
}

function stepMessages(step: ModelRequest['steps'][number], nextResult: () => string): ModelMessage[] {
  return [
    {
      role: 'assistant',
      content: [
        ...(step.text === '' ? [] : [{ type: 'text' as const, text: step.text }]),
        ...step.calls.map(({ callId, name, input }) => ({
          type: 'tool-call' as const,
          toolCallId: callId,
          toolName: name,
          // Arguments that are not an object are sent as `{}`, because some providers accept only objects in the
          // history.
          input: typeof input === 'object' && input !== null ? input : {},
        })),
      ],
    },
    {
      role: 'tool',
      content: step.calls.map(({ callId, name, failed }) => ({
        type: 'tool-result' as const,
        toolCallId: callId,
        toolName: name,
        output: { type: failed ? ('error-text' as const) : ('text' as const), value: nextResult() },
      })),
    },
  ];
}

/**
 * Converts an attachment to a part of the message: an image or a PDF to a file if the model accepts it, a text file to
 * its text, and any other file to a sentence that names it. A file whose content is missing also becomes a sentence.
 */
function attachmentPart(attachment: ModelAttachment, taken: ModelLimits['files']): Part {
  const { content, contentType, filename, leftOutBytes, notFetched } = attachment;
  const name = filename ?? 'attachment';
  if (leftOutBytes !== undefined) {
    const text = `[The attachment ${name} (${leftOutBytes} bytes) is left out: the files are too large together.]`;
    return { type: 'text', text };
  }
  if (notFetched !== undefined) return { type: 'text', text: `[The attachment ${name} was ${notFetched}.]` };
  if (content === null) return { type: 'text', text: `[The attachment ${name} could not be fetched.]` };
  const media = mediaKindOf(content, contentType);
  if (media.kind === 'text') {
    return { type: 'text', text: `[Attachment ${name}]\n${content.toString('utf8')}` };
  }
  if (media.kind !== 'other' && taken.includes(media.kind === 'image' ? 'images' : 'documents')) {
    return { type: 'file', data: content, mediaType: media.type, filename: withoutMark(name) };
  }
  const type = media.kind === 'other' ? (contentType ?? 'of an unknown kind') : media.type;
  return {
    type: 'text',
    text: `[The user attached ${name} (${type}, ${content.length} bytes), which cannot be read here.]`,
  };
}

/**
 * Tokens that providers add: for each message, for each tool, and once if there are any tools. Chosen above the numbers
 * that OpenAI, Anthropic and Google document.
 */
const added = { message: 16, tool: 64, tools: 1500 } as const;
/** Maximum tokens of an image. Chosen: for their main models, OpenAI, Anthropic and Google count at most this many. */
const imageTokens = 3000;

/**
 * Returns the maximum input tokens that a provider can count. Each byte of a text counts as a token, because no
 * tokenizer makes more tokens than bytes. A document counts as the whole context window, because its number of pages is
 * unknown.
 * @param request.toolText names, descriptions and schemas of the tools, and the agents to which this agent may transfer
 * @param request.tools number of tools
 */
export function maxInputTokens(
  request: { instructions: string; messages: readonly ModelMessage[]; toolText: string; tools: number },
  { contextTokens }: ModelLimits,
): number {
  const { instructions, messages, toolText, tools } = request;
  const content = messages.flatMap((message): readonly unknown[] =>
    typeof message.content === 'string' ? [message.content] : message.content,
  );
  const tokens = content.map((part) => maxPartTokens(part, contextTokens)).reduce((sum, one) => sum + one, 0);
  return (
    Buffer.byteLength(instructions) +
    Buffer.byteLength(toolText) +
    tokens +
    (messages.length + 1) * added.message +
    (tools > 0 ? added.tools + tools * added.tool : 0)
  );
}

function maxPartTokens(part: unknown, contextTokens: number): number {
  const isFile = typeof part === 'object' && part !== null && 'mediaType' in part;
  if (!isFile) return Buffer.byteLength(typeof part === 'string' ? part : JSON.stringify(part));
  return String(part.mediaType).startsWith('image/') ? imageTokens : contextTokens;
}
