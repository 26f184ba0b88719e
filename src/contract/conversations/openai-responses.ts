/** Requests and responses of OpenAI's Responses API: the subset that Parley supports. */
import { z } from 'zod';
import { metadata } from './chat.ts';
import { maxEarlierTurns } from './earlier-turns.ts';
import { dropEmpty, otherParameters, partText, textPartOf } from './openai-chat.ts';
import { withoutForeignParameters } from './openai-parameters.ts';

const part = z
  .discriminatedUnion(
    'type',
    [
      textPartOf('input_text', 'OpenAiInputText', 'A text'),
      textPartOf('output_text', 'OpenAiOutputText', 'A text of an earlier response'),
      z
        .strictObject({
          type: z.literal('input_image').describe('Kind of the part'),
          image_url: partText.describe('Public https URL, or a data URL with base64'),
          detail: z.string().max(20).optional().describe('Ignored'),
        })
        .meta({ id: 'OpenAiInputImage', description: 'An image' }),
      z
        .strictObject({
          type: z.literal('input_file').describe('Kind of the part'),
          file_data: partText.optional().describe('Data URL with base64'),
          file_url: partText.optional().describe('Public https URL'),
          filename: z.string().max(255).optional().describe('Name of the file'),
        })
        .refine(({ file_data, file_url }) => (file_data === undefined) !== (file_url === undefined), {
          error: 'must have either file_data or file_url',
        })
        .meta({ id: 'OpenAiInputFile', description: 'A file' }),
    ],
    { error: 'must be input_text, output_text, input_image or input_file: agents read no other parts' },
  )
  .meta({ id: 'OpenAiInputPart', description: 'A part of a message' });

const item = z.preprocess(
  dropEmpty,
  z
    .strictObject({
      type: z
        .literal('message', { error: 'must be message: an agent runs its own tools' })
        .optional()
        .describe('Kind of the item'),
      role: z
        .enum(['system', 'developer', 'user', 'assistant'], {
          error: 'must be system, developer, user or assistant',
        })
        .describe('Whose turn it is'),
      content: z
        .union([partText, z.array(z.preprocess(dropEmpty, part)).max(50)])
        .optional()
        .describe('Text, or parts; only the last item may have images and files'),
      id: z.string().max(100).optional().describe('Ignored: the id of an earlier output'),
      status: z.string().max(20).optional().describe('Ignored: the status of an earlier output'),
      phase: z.string().max(20).optional().describe('Ignored: the phase of an earlier output'),
    })
    .meta({ id: 'OpenAiItem', description: 'A turn of the conversation' }),
);
export type OpenAiItem = z.infer<typeof item>;

const conversationId = z.string().max(64);

export const openAiResponseRequest = withoutForeignParameters(
  z
    .strictObject({
      model: z.string().max(64).describe('Identifier of an agent or of an API inbox'),
      input: z
        .union([
          partText,
          z
            .array(item)
            .min(1)
            .max(maxEarlierTurns + 1),
        ])
        .describe(
          'The message; or turns, of which the last must be from the user. In a new conversation, the turns before it are the earlier turns',
        ),
      instructions: partText
        .optional()
        .describe("Instructions of your program, in addition to the agent's own: part of the earlier turns"),
      previous_response_id: z
        .string()
        .max(64)
        .optional()
        .describe('Continues the conversation of this response, which must be its last one'),
      conversation: z
        .union([
          conversationId,
          z
            .strictObject({ id: conversationId.describe('Identifier of the conversation') })
            .meta({ id: 'OpenAiConversation', description: 'A conversation' }),
        ])
        .optional()
        .describe('Continues this conversation: the `conversation` of a response'),
      stream: z.boolean().optional().describe('true: the answer comes as server-sent events'),
      stream_options: z
        .strictObject({ include_obfuscation: z.boolean().optional().describe('Ignored') })
        .optional()
        .describe('Only with stream'),
      metadata: metadata
        .optional()
        .describe(
          'Your own metadata. `contact_id`, your own key for the end user, continues the conversation of that user',
        ),
    })
    .meta({
      id: 'OpenAiResponseRequest',
      description: `A message for an agent. ${otherParameters}`,
      example: { model: '01a1fecb-fb1c-7764-ab34-8f2d3b103954', input: 'Hello' },
    }),
);

const output = z
  .object({
    type: z.literal('message').describe('Always message'),
    id: z.string().describe('Identifier of the output'),
    status: z.enum(['in_progress', 'completed', 'incomplete']).describe('State of the output'),
    role: z.literal('assistant').describe('Always assistant'),
    content: z
      .array(
        z
          .object({
            type: z.literal('output_text').describe('Always output_text'),
            text: z
              .string()
              .describe('All texts that agents wrote in the run, with an empty line between them'),
            annotations: z.array(z.string()).describe('Always empty'),
          })
          .meta({ id: 'OpenAiAnswerText', description: 'The text of the answer' }),
      )
      .describe('The text'),
  })
  .meta({ id: 'OpenAiOutput', description: 'The answer' });

export const openAiResponse = z
  .object({
    id: z.string().describe('Identifier of the response: the previous_response_id of the next call'),
    object: z.literal('response').describe('Always response'),
    created_at: z.int().describe('When the message was accepted, in seconds since 1970'),
    status: z
      .enum(['in_progress', 'completed', 'incomplete', 'failed'])
      .describe('incomplete: a limit of the model cut the answer off'),
    error: z
      .object({
        code: z.string().describe('A code of the table in docs/api.md'),
        message: z.string().describe('A sentence for people'),
      })
      .describe('Why the run failed')
      .nullable()
      .describe('Why the stream failed, if it did'),
    incomplete_details: z
      .object({ reason: z.literal('max_output_tokens').describe('Always max_output_tokens') })
      .describe('Why the answer is cut off')
      .nullable()
      .describe('Why the response is incomplete, if it is'),
    model: z.string().describe('The `model` of the request'),
    output: z.array(output).describe('The answer; empty until it begins'),
    previous_response_id: z.string().nullable().describe('The previous_response_id of the request'),
    conversation: z
      .object({ id: z.uuid().describe('Identifier of the conversation') })
      .describe('Where Parley stored the message and its answer'),
    metadata: metadata.describe('The metadata of the request'),
    parallel_tool_calls: z.boolean().describe('Always false'),
    tool_choice: z.literal('auto').describe('Always auto'),
    tools: z.array(z.string()).describe("Always empty: the agent's own tools are not listed"),
    usage: z
      .object({
        input_tokens: z.int().describe('Input tokens of all model calls of the run'),
        output_tokens: z.int().describe('Output tokens of all model calls of the run'),
        total_tokens: z.int().describe('Input and output tokens'),
      })
      .describe('Tokens that the run used, as its providers report them')
      .nullable()
      .describe('The tokens; null until the run has ended'),
  })
  .meta({ id: 'OpenAiResponse', description: 'The answer to a message' });
export type OpenAiResponse = z.input<typeof openAiResponse>;
