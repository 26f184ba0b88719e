import { z } from 'zod';
import { appendContent } from '../../blocks/append-content.ts';
import { readOneContentBlock } from '../../blocks/given-blocks.ts';
import { defineAction } from '../../define-action.ts';
import { after, parentBlockId, singleContentBlock } from '../../inputs.ts';

export const addPageContent = defineAction({
  id: 'DOCS_ADD_PAGE_CONTENT',
  summary: 'Adds one block to a page, toggle, to-do, list item, callout or quote.',
  effect: 'create',
  input: z.strictObject({ parent_block_id: parentBlockId, content_block: singleContentBlock, after }),
  aliases: { page_id: 'parent_block_id', block_id: 'parent_block_id' },
  rules: [
    {
      text: 'after is a child of parent_block_id, so the two differ.',
      holds: (input) => input.after !== input.parent_block_id,
    },
  ],
  example: {
    parent_block_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10',
    content_block: { content: 'A short note', block_property: 'paragraph' },
  },
  deprecated: { use: 'DOCS_ADD_MULTIPLE_PAGE_CONTENT' },
  run: (context, { parent_block_id, content_block, after: place }) =>
    appendContent(context, {
      parentId: parent_block_id,
      blocks: readOneContentBlock(context, content_block, 'content_block'),
      after: place,
    }),
});
