import { z } from 'zod';
import { pageSize, startCursor, workspaceId } from '../../../contract/workspace/actions.ts';
import { listResult } from '../../compact.ts';
import { defineAction } from '../../define-action.ts';
import { refuseDatabase } from '../../wrong-kind.ts';

export const fetchComments = defineAction({
  id: 'DOCS_FETCH_COMMENTS',
  summary:
    'Lists the unresolved comments of a page or block, not of the blocks inside it. The integration needs the read-comments capability.',
  effect: 'read',
  input: z.strictObject({
    block_id: workspaceId('The block or page. The same as page_id: give exactly one.').optional(),
    page_id: workspaceId('The page. The same as block_id: give exactly one.').optional(),
    page_size: pageSize(),
    start_cursor: startCursor.optional(),
  }),
  rules: [
    {
      text: 'Give exactly one of block_id and page_id.',
      holds: ({ block_id, page_id }) => (block_id === undefined) !== (page_id === undefined),
    },
  ],
  example: { page_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10' },
  run: async ({ docs }, { block_id, page_id, page_size, start_cursor }) => {
    if (page_id !== undefined) await refuseDatabase(docs, page_id);
    return listResult(await docs.listComments(block_id ?? page_id ?? '', { page_size, start_cursor }));
  },
});
