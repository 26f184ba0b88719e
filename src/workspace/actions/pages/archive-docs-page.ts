import { z } from 'zod';
import { workspaceId } from '../../../contract/workspace/actions.ts';
import { defineAction } from '../../define-action.ts';
import { setTrash } from '../../pages/set-trash.ts';

export const archiveDocsPage = defineAction({
  id: 'DOCS_ARCHIVE_DOCS_PAGE',
  summary: 'Moves a page to the trash, or restores it. Workspace-level pages must be archived by hand.',
  effect: 'idempotent_write',
  input: z.strictObject({
    page_id: workspaceId('A page, not a database.'),
    archive: z.boolean().default(true).describe('false restores the page from the trash.'),
  }),
  example: { page_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10', archive: true },
  run: (context, { page_id, archive }) => setTrash(context, page_id, { in_trash: archive }, archive),
});
