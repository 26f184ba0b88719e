import { z } from 'zod';
import { pageSize, startCursor } from '../../../contract/workspace/actions.ts';
import { listResult } from '../../compact.ts';
import { defineAction } from '../../define-action.ts';

export const listUsers = defineAction({
  id: 'DOCS_LIST_USERS',
  summary:
    'Lists the people and bots of the workspace, without guests. A page may hold fewer than page_size.',
  effect: 'read',
  input: z.strictObject({ page_size: pageSize(), start_cursor: startCursor.optional() }),
  example: { page_size: 50 },
  run: async ({ docs }, { page_size, start_cursor }) =>
    listResult(await docs.listUsers({ page_size, start_cursor })),
});
