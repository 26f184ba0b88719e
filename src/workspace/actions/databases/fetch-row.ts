import { z } from 'zod';
import { workspaceId } from '../../../contract/workspace/actions.ts';
import { defineAction } from '../../define-action.ts';
import { withTruncation } from '../../pages/page-fields.ts';
import { expectKind } from '../../wrong-kind.ts';

export const fetchRow = defineAction({
  id: 'DOCS_FETCH_ROW',
  summary: "Reads a database row's properties.",
  effect: 'read',
  input: z.strictObject({ page_id: workspaceId('The page of a database row.') }),
  example: { page_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10' },
  run: async ({ docs, warn }, { page_id }) => {
    const page = await expectKind(docs, 'page', page_id, () => docs.retrievePage(page_id));
    const inDatabase = page.parent?.data_source_id !== undefined || page.parent?.database_id !== undefined;
    if (!inDatabase) warn('This page is not a row: it does not lie in a database.');
    return withTruncation(page);
  },
});
