import { z } from 'zod';
import { pageSize, startCursor, workspaceId } from '../../../contract/workspace/actions.ts';
import { listResult } from '../../compact.ts';
import { defineAction } from '../../define-action.ts';
import { hintOfRows } from '../../rows-not-blocks.ts';
import { expectKind } from '../../wrong-kind.ts';

export const fetchBlockContents = defineAction({
  id: 'DOCS_FETCH_BLOCK_CONTENTS',
  summary: 'Reads one page of the direct children of a block or page.',
  effect: 'read',
  input: z.strictObject({
    block_id: workspaceId('The block or page.'),
    page_size: pageSize(),
    start_cursor: startCursor.optional(),
  }),
  example: { block_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10' },
  run: async ({ docs }, { block_id, page_size, start_cursor }) => {
    const list = await expectKind(docs, 'page', block_id, () =>
      docs.listChildren(block_id, { page_size, start_cursor }),
    );
    const empty = list.results.length === 0 && start_cursor === undefined;
    return { ...listResult(list), ...(empty ? await hintOfRows(docs, block_id) : {}) };
  },
});
