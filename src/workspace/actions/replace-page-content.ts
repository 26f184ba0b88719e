/** The action that replaces the content of a page. */
import { z } from 'zod';
import { jsonObject, type JsonObject, maxListItems, workspaceId } from '../../contract/workspace/actions.ts';
import { readWorkspaceId } from '../../contract/workspace/workspace-id.ts';
import { appendTree } from '../blocks/append-tree.ts';
import { countBlocks } from '../blocks/block.ts';
import { readContentBlocks } from '../blocks/given-blocks.ts';
import { planAppend } from '../blocks/plan-append.ts';
import { readChildren } from '../blocks/read-tree.ts';
import { plainText } from '../blocks/rich-text.ts';
import type { BlockAnswer, PageAnswer } from '../client/answers.ts';
import { WorkspaceRefused } from '../client/failures.ts';
import type { RunContext } from '../context.ts';
import { defineAction } from '../define-action.ts';
import { ActionError, invalidInput } from '../failures.ts';
import { contentBlock, boundedText } from '../inputs.ts';
import { objectAt, textAt } from '../json-value.ts';
import { copyPage } from '../pages/copy-page.ts';
import { titleOf } from '../pages/page-fields.ts';
import { expectKind, type ResolvedParent, resolveParent } from '../resolve-ids.ts';
import { recorded } from '../steps.ts';

const childPages = new Set(['child_page', 'child_database']);

const oldBlock = z.object({ id: z.string(), type: z.string(), text: z.string() });
type OldBlock = z.infer<typeof oldBlock>;

function toOld(block: BlockAnswer): OldBlock {
  const body = objectAt(block, block.type);
  return {
    id: block.id,
    type: block.type,
    text: (textAt(body, 'title') ?? plainText(body?.['rich_text'])).slice(0, 80),
  };
}

/**
 * Resolves the parent of the backup page.
 * @param given `{page_id}`, `{data_source_id}` or `{database_id}`; `page_id` is ignored if one of the other ids is
 * present. Undefined: the page's own parent
 * @throws ActionError if `given` has no valid id, or the id belongs to another kind of object, to no visible object or
 * to the page itself; if `given` is undefined, and the page is neither directly below a page nor in a database
 */
async function backupParent(
  context: RunContext,
  given: JsonObject | undefined,
  page: PageAnswer,
): Promise<ResolvedParent> {
  const dataSource = textAt(given, 'data_source_id') ?? textAt(given, 'database_id');
  const asked = dataSource ?? textAt(given, 'page_id');
  const id =
    given === undefined
      ? (page.parent?.data_source_id ?? page.parent?.page_id)
      : readWorkspaceId(asked ?? '');
  if (id === undefined) {
    throw invalidInput(
      'backup_parent must be {"page_id":"…"} or {"data_source_id":"…"}; it is required here, because the page lies neither under a page nor in a database',
    );
  }
  if (id === page.id) throw invalidInput('backup_parent is the page itself; give another page');
  const parent = await resolveParent(context, id);
  if (given === undefined || (dataSource === undefined) === (parent.kind === 'page')) return parent;
  throw new ActionError(
    'VALIDATION_ERROR',
    parent.kind === 'page'
      ? `backup_parent.data_source_id ${id} is a page; a data source id is required. Give a page as {"page_id":"…"}`
      : `backup_parent.page_id ${id} is a database; a page id is required. To put the backup into it give {"data_source_id":"${parent.id}"}`,
  );
}

async function backUp(
  context: RunContext,
  page: PageAnswer,
  parent: ResolvedParent,
  suffix: string,
): Promise<string> {
  const copy = await copyPage(context, {
    source: page,
    parent,
    title: `${titleOf(page)}${suffix}`,
    step: 'backup',
  });
  for (const { type, id, reason } of copy.skipped)
    context.warn(`Not in the backup: ${type} ${id} (${reason}).`);
  return copy.page.id;
}

/** Moves a block to the trash. A block that is missing or already in the trash counts as archived. */
async function archiveBlock(context: RunContext, id: string): Promise<void> {
  await recorded(context, `archive/${id}`, z.boolean(), async () => {
    try {
      await context.docs.deleteBlock(id);
    } catch (error) {
      const done =
        error instanceof WorkspaceRefused &&
        (error.status === 404 || (error.status === 400 && /archived|trash/i.test(error.message)));
      if (!done) throw error;
    }
    return true;
  });
}

export const replacePageContent = defineAction({
  id: 'DOCS_REPLACE_PAGE_CONTENT',
  summary:
    "Replaces a page's content: optional backup, new blocks in batches of up to 100, then the old blocks go to the trash. Child pages and child databases stay unless archive_child_pages is true.",
  effect: 'multi_step',
  input: z.strictObject({
    page_id: workspaceId('The page.'),
    new_children: z
      .array(contentBlock)
      .max(maxListItems)
      .describe('Blocks, simplified or full; more than 100 are sent in several requests.'),
    dry_run: z
      .boolean()
      .default(false)
      .describe('true: report what would be archived and appended, change nothing.'),
    create_backup: z.boolean().default(false).describe('Copy the current content into a backup page first.'),
    backup_parent: jsonObject
      .optional()
      .describe(
        '{"page_id":"…"} or {"data_source_id":"…"} for the backup page. Default: the page\'s own parent.',
      ),
    backup_title_suffix: boundedText.field
      .default(' (backup)')
      .describe("Added to the page's title for the backup."),
    archive_existing_children: z
      .boolean()
      .default(true)
      .describe('false keeps the existing content and only appends.'),
    archive_child_pages: z
      .boolean()
      .default(false)
      .describe('true also moves child pages and child databases to the trash.'),
  }),
  example: {
    page_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10',
    new_children: [{ content: 'Fresh start', block_property: 'heading_1' }],
    dry_run: true,
  },
  run: async (context, input) => {
    const blocks = readContentBlocks(context, input.new_children, 'new_children');
    const plan = planAppend(blocks);
    const page = await expectKind(context.docs, 'page', input.page_id, () =>
      context.docs.retrievePage(input.page_id),
    );
    const parent = input.create_backup ? await backupParent(context, input.backup_parent, page) : undefined;
    const old = await recorded(context, 'old', z.array(oldBlock), async () =>
      (await readChildren(context.docs, page.id)).blocks.map(toOld),
    );
    const stays = ({ type }: OldBlock): boolean =>
      !input.archive_existing_children || (childPages.has(type) && !input.archive_child_pages);
    const kept = old.filter(stays);
    const doomed = old.filter((block) => !stays(block));
    if (input.dry_run) {
      return {
        dry_run: true,
        would_archive: doomed,
        would_archive_count: doomed.length,
        would_keep: kept,
        would_append: {
          blocks: blocks.reduce((sum, block) => sum + countBlocks(block), 0),
          top_level: blocks.length,
          batches: plan.length,
        },
        would_create_backup: input.create_backup,
      };
    }
    const backup =
      parent === undefined
        ? undefined
        : await recorded(context, 'backup-page', z.string(), () =>
            backUp(context, page, parent, input.backup_title_suffix),
          );
    if (backup !== undefined) context.partial['backup_page_id'] = backup;
    const appended = await appendTree(context, {
      parentId: page.id,
      blocks,
      step: 'append',
      tail: { last: old.at(-1)?.id ?? null },
    });
    context.partial['appended'] = appended.created.map(({ id }) => id);
    const archived: string[] = [];
    context.partial['archived'] = archived;
    for (const { id } of doomed) {
      await archiveBlock(context, id);
      archived.push(id);
    }
    return {
      dry_run: false,
      ...(backup === undefined ? {} : { backup_page_id: backup }),
      archived,
      archived_count: archived.length,
      kept,
      kept_count: kept.length,
      appended: appended.created.map(({ id }) => id),
      appended_count: appended.created.length,
      blocks_created: appended.blocks,
      batches: appended.requests,
    };
  },
});
