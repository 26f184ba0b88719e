/** Schemas of parameters that several actions have. */
import { z } from 'zod';
import { jsonObject, maxListItems, maxText, workspaceId } from '../contract/workspace/actions.ts';
import { limits } from './blocks/limits.ts';
import { simplifiedTypes } from './blocks/simplified-block.ts';

/** Schemas of text parameters with a maximum length, by kind of text. */
export const boundedText = {
  name: z.string().max(maxText.name),
  field: z.string().max(maxText.field),
  body: z.string().max(maxText.body),
};

export const after = workspaceId(
  'Id of an existing direct child; the new blocks go behind it. Default: at the end.',
).optional();

export const parentBlockId = workspaceId('Id of the page or block that gets the new blocks as its children.');

const contentBlockWith = (content: string) =>
  z
    .union([
      z.looseObject({
        content: z.unknown().optional().describe(content),
        block_property: boundedText.name
          .optional()
          .describe(`Default paragraph. One of ${simplifiedTypes.join(', ')}.`),
      }),
      boundedText.body,
    ])
    .describe(
      '{"content":"text","block_property":"paragraph"}, or a full block {"object":"block","type":"…","…":{…}}.',
    );

/** Accepts `{content, block_property}`, `{content_block: …}`, a full block, or text. */
export const contentBlock = contentBlockWith(
  'The text; inline markdown is read. In a paragraph, block markdown (lists, headings, tables, code fences) makes several blocks.',
);

export const singleContentBlock = contentBlockWith(
  'The text; inline markdown is read. Block markdown that makes one block makes that block; what would make several stays the text of one paragraph.',
);

export const contentBlocks = z
  .array(contentBlock)
  .min(1)
  .max(limits.blocksPerRequest)
  .describe(`1 to ${limits.blocksPerRequest} items.`);

export const fullBlocks = (what: string) =>
  z
    .array(jsonObject)
    .min(1)
    .max(maxListItems)
    .describe(
      `${what} At most ${limits.blocksPerRequest} per request, ${limits.textContent} characters per text.content, unless auto_split is true.`,
    );

export const autoSplit = z
  .boolean()
  .default(false)
  .describe(
    'true: longer text, deeper nesting and more blocks than one request takes are split over several.',
  );

export const emojiIcon = boundedText.name.describe('A single emoji.').optional();
export const coverUrl = boundedText.name
  .describe('A publicly accessible http or https URL of an image.')
  .optional();

export const filter = jsonObject
  .describe('A filter object: one property condition, or and/or of them (two levels).')
  .optional();
export const sorts = z
  .array(jsonObject)
  .max(100)
  .describe('Sort rules, first one first: {"property","direction"} or {"timestamp","direction"}.')
  .optional();
