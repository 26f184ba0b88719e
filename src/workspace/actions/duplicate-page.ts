/** The action that copies a page. */
import { z } from 'zod';
import { workspaceId } from '../../contract/workspace/actions.ts';
import type { RunContext } from '../context.ts';
import { defineAction } from '../define-action.ts';
import { boundedText } from '../inputs.ts';
import { invalidInput } from '../failures.ts';
import { copyPage } from '../pages/copy-page.ts';
import { titleOf } from '../pages/page-fields.ts';
import { expectKind, type ResolvedParent, resolveParent } from '../resolve-ids.ts';

const maxAncestors = 30;

/**
 * Rejects a parent that lies inside the page to copy. Checks at most `maxAncestors` levels above the parent.
 * @throws ActionError INVALID_INPUT if the parent lies inside the page; the failures of the workspace
 */
async function refuseInside(context: RunContext, parent: ResolvedParent, pageId: string): Promise<void> {
  let above = parent.kind === 'page' ? parent.page.parent : parent.dataSource.database_parent;
  for (let step = 0; step < maxAncestors && above !== undefined; step += 1) {
    if (above.page_id === pageId)
      throw invalidInput(
        `parent_id ${parent.id} lies inside the page ${pageId}; give a parent outside of it`,
      );
    if (above.page_id !== undefined) above = (await context.docs.retrievePage(above.page_id)).parent;
    else if (above.block_id !== undefined) above = (await context.docs.retrieveBlock(above.block_id)).parent;
    else if (above.database_id !== undefined)
      above = (await context.docs.retrieveDatabase(above.database_id)).parent;
    else return;
  }
}

export const duplicatePage = defineAction({
  id: 'DOCS_DUPLICATE_PAGE',
  summary:
    'Copies a page with its content under another page or into a database. Child pages, child databases and comments are not copied.',
  effect: 'multi_step',
  input: z.strictObject({
    page_id: workspaceId('The page to copy (UUID).'),
    parent_id: workspaceId('The page or database that gets the copy (UUID); must differ from page_id.'),
    title: boundedText.field.optional().describe('Default: the original title prefixed with "Copy of".'),
  }),
  rules: {
    'parent_id must differ from page_id.': (input) => input.page_id !== input.parent_id,
  },
  example: {
    page_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10',
    parent_id: '0a1b2c3d-4e5f-4061-8273-94a5b6c7d8e9',
  },
  run: async (context, { page_id, parent_id, title }) => {
    const source = await expectKind(context.docs, 'page', page_id, () => context.docs.retrievePage(page_id));
    const parent = await resolveParent(context, parent_id);
    await refuseInside(context, parent, source.id);
    const { page, skipped } = await copyPage(context, {
      source,
      parent,
      title: title ?? `Copy of ${titleOf(source)}`,
      step: 'copy',
    });
    const { blocks_created: blocks_copied = 0, ...rest } = page;
    return { ...rest, blocks_copied, skipped, skipped_count: skipped.length };
  },
});
