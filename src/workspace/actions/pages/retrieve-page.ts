import { z } from 'zod';
import { workspaceId } from '../../../contract/workspace/actions.ts';
import { defineAction } from '../../define-action.ts';
import { withTruncation } from '../../pages/page-fields.ts';
import { expectKind } from '../../wrong-kind.ts';

export const retrievePage = defineAction({
  id: 'DOCS_RETRIEVE_PAGE',
  summary:
    "Reads a page's properties and metadata, not its content. Properties with more than 25 references need DOCS_GET_PAGE_PROPERTY_ACTION.",
  effect: 'read',
  input: z.strictObject({ page_id: workspaceId('A page, not a database.') }),
  example: { page_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10' },
  run: async ({ docs }, { page_id }) =>
    withTruncation(await expectKind(docs, 'page', page_id, () => docs.retrievePage(page_id))),
});
