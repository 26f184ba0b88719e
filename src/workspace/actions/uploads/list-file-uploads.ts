import { z } from 'zod';
import { pageSize, startCursor } from '../../../contract/workspace/actions.ts';
import { listResult } from '../../compact.ts';
import { defineAction } from '../../define-action.ts';

export const listFileUploads = defineAction({
  id: 'DOCS_LIST_FILE_UPLOADS',
  summary: 'Lists the file uploads of the current integration, newest first.',
  effect: 'read',
  input: z.strictObject({
    page_size: pageSize(),
    start_cursor: startCursor.optional(),
    status: z.enum(['pending', 'uploaded', 'expired', 'failed']).optional(),
  }),
  example: { page_size: 20 },
  run: async ({ docs }, query) => listResult(await docs.listFileUploads(query)),
});
