import { z } from 'zod';
import { appendContent } from '../../blocks/append-content.ts';
import { readRawBlocks } from '../../blocks/given-blocks.ts';
import { defineAction } from '../../define-action.ts';
import { after, autoSplit, fullBlocks, parentBlockId } from '../../inputs.ts';

export const appendBlockChildren = defineAction({
  id: 'DOCS_APPEND_BLOCK_CHILDREN',
  summary: 'Appends raw blocks to a page or block.',
  effect: 'create',
  input: z.strictObject({
    block_id: parentBlockId,
    children: fullBlocks('Blocks with object, type and the type key.'),
    after,
    auto_split: autoSplit,
  }),
  example: {
    block_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10',
    children: [
      {
        object: 'block',
        type: 'paragraph',
        paragraph: { rich_text: [{ type: 'text', text: { content: 'Hello' } }] },
      },
    ],
  },
  deprecated: { use: 'the typed append actions, such as DOCS_APPEND_TEXT_BLOCKS' },
  run: (context, { block_id, children, after: place, auto_split }) =>
    appendContent(context, {
      parentId: block_id,
      blocks: readRawBlocks(context, children, 'children', { autoSplit: auto_split }),
      after: place,
    }),
});
