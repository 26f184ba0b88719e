import { z } from 'zod';
import { appendContent } from '../../blocks/append-content.ts';
import { readContentBlocks } from '../../blocks/given-blocks.ts';
import { defineAction } from '../../define-action.ts';
import { after, contentBlocks, parentBlockId } from '../../inputs.ts';

export const addMultiplePageContent = defineAction({
  id: 'DOCS_ADD_MULTIPLE_PAGE_CONTENT',
  summary:
    'Adds many blocks to a page or block. Markdown in text is read; text over 2000 characters is split.',
  effect: 'create',
  input: z.strictObject({ parent_block_id: parentBlockId, content_blocks: contentBlocks, after }),
  aliases: { page_id: 'parent_block_id', block_id: 'parent_block_id' },
  rules: [
    {
      text: 'after is a child of parent_block_id, so the two differ.',
      holds: (input) => input.after !== input.parent_block_id,
    },
  ],
  example: {
    parent_block_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10',
    content_blocks: [
      { content: 'Agenda', block_property: 'heading_2' },
      { content: 'Review the **budget**', block_property: 'to_do' },
    ],
  },
  run: (context, { parent_block_id, content_blocks, after: place }) =>
    appendContent(context, {
      parentId: parent_block_id,
      blocks: readContentBlocks(context, content_blocks, 'content_blocks'),
      after: place,
    }),
});
