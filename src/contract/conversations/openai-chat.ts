/** Requests and responses of OpenAI's chat completions: the subset that Parley supports. */
import { z } from 'zod';
import { metadata } from './chat.ts';
import { maxEarlierTurns } from './earlier-turns.ts';
import { withoutForeignParameters } from './openai-parameters.ts';

/** Maximum characters of a part. Equal to the maximum bytes of a request, so that one file can take up most of it. */
const maxPartChars = 1024 * 1024;
/** Schema of the text or the URL of a part of a message. */
export const partText = z.string().max(maxPartChars);

/** A part with a text, as a message or an answer of an earlier turn has it. */
export const textPartOf = <Type extends string>(type: Type, id: string, description: string) =>
  z
    .strictObject({ type: z.literal(type).describe('Kind of the part'), text: partText.describe('The text') })
    .meta({ id, description });

const textPart = textPartOf('text', 'OpenAiTextPart', 'A text');
const imagePart = z
  .strictObject({
    type: z.literal('image_url').describe('Kind of the part'),
    image_url: z
      .strictObject({
        url: partText.describe('Public https URL, or a data URL with base64'),
        detail: z.string().max(20).optional().describe('Ignored'),
      })
      .describe('The image'),
  })
  .meta({ id: 'OpenAiImagePart', description: 'An image' });
const filePart = z
  .strictObject({
    type: z.literal('file').describe('Kind of the part'),
    file: z
      .strictObject({
        file_data: partText.describe('Data URL with base64'),
        filename: z.string().max(255).optional().describe('Name of the file'),
      })
      .describe('The file'),
  })
  .meta({ id: 'OpenAiFilePart', description: 'A file' });
const part = z
  .discriminatedUnion('type', [textPart, imagePart, filePart], {
    error: 'must be text, image_url or file: agents read no other parts',
  })
  .meta({ id: 'OpenAiPart', description: 'A part of a message' });

/**
 * Drops an object's null fields and empty lists. Returns a value that is not an object unchanged. The answers in
 * OpenAI's SDKs contain such fields, and callers send these answers back as earlier messages.
 */
export const dropEmpty = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value).filter(
          ([, given]) => given !== null && !(Array.isArray(given) && given.length === 0),
        ),
      )
    : value;

const chatMessage = z.preprocess(
  dropEmpty,
  z
    .strictObject({
      role: z
        .enum(['system', 'developer', 'user', 'assistant'], {
          error: 'must be system, developer, user or assistant: an agent runs its own tools',
        })
        .describe('Whose turn it is'),
      content: z
        .union([partText, z.array(part).max(50)])
        .optional()
        .describe('Text, or parts; only the last message may have images and files'),
    })
    .meta({ id: 'OpenAiMessage', description: 'A turn of the conversation' }),
);
export type OpenAiMessage = z.infer<typeof chatMessage>;

export const otherParameters =
  'Parameters that tune a model (temperature, top_p, max_tokens …) are ignored, because the agent has a model and settings of its own. Others that Parley does not have are refused with 400. docs/api.md lists both.';

export const openAiChatRequest = withoutForeignParameters(
  z
    .strictObject({
      model: z.string().max(64).describe('Identifier of an agent or of an API inbox'),
      messages: z
        .array(chatMessage)
        .min(1)
        .max(maxEarlierTurns + 1)
        .describe(
          'The last message must be from the user, and the agent answers it. In a new conversation, the messages before it are the earlier turns',
        ),
      stream: z.boolean().optional().describe('true: the answer comes as server-sent events'),
      stream_options: z
        .strictObject({
          include_usage: z.boolean().optional().describe('true: an additional last event contains the usage'),
          include_obfuscation: z.boolean().optional().describe('Ignored'),
        })
        .optional()
        .describe('Only with stream'),
      metadata: metadata
        .optional()
        .describe(
          'Your own metadata. `conversation_id` continues that conversation; `contact_id`, your own key for the end user, continues the conversation of that user. With either, send only the new message',
        ),
    })
    .meta({
      id: 'OpenAiChatRequest',
      description: `A chat completion. ${otherParameters}`,
      example: {
        model: '01a1fecb-fb1c-7764-ab34-8f2d3b103954',
        messages: [{ role: 'user', content: 'Hello' }],
      },
    }),
);

const usage = z
  .object({
    prompt_tokens: z.int().describe('Input tokens of all model calls of the run'),
    completion_tokens: z.int().describe('Output tokens of all model calls of the run'),
    total_tokens: z.int().describe('Input and output tokens'),
  })
  .describe('Tokens that the run used, as its providers report them');

const finishReason = z.enum(['stop', 'length']).describe('length: a limit of the model cut the answer off');

export const openAiCompletion = z
  .object({
    id: z.string().describe('Identifier of the completion'),
    object: z.literal('chat.completion').describe('Always chat.completion'),
    created: z.int().describe('When the message was accepted, in seconds since 1970'),
    model: z.string().describe('The `model` of the request'),
    choices: z
      .array(
        z
          .object({
            index: z.int().describe('Always 0'),
            message: z
              .object({
                role: z.literal('assistant').describe('Always assistant'),
                content: z
                  .string()
                  .describe('All texts that agents wrote in the run, with an empty line between them'),
                refusal: z.string().nullable().describe('Always null'),
              })
              .describe('The answer'),
            logprobs: z.string().nullable().describe('Always null'),
            finish_reason: finishReason,
          })
          .meta({ id: 'OpenAiChoice', description: 'The one answer' }),
      )
      .describe('One choice'),
    usage,
    parley: z
      .object({
        conversation_id: z.uuid().describe('The conversation of the message'),
        message_id: z.uuid().describe('Identifier of the sent message'),
      })
      .describe('Where Parley stored the message and its answer'),
  })
  .meta({ id: 'OpenAiCompletion', description: 'A chat completion' });
export type OpenAiCompletion = z.infer<typeof openAiCompletion>;
