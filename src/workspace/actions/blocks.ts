/** The actions that read blocks, and the action that moves one to the trash. */
import { z } from 'zod';
import { type JsonObject, pageSize, workspaceId, paging } from '../../contract/workspace/actions.ts';
import { readWorkspaceId } from '../../contract/workspace/workspace-id.ts';
import { flatten, readTree } from '../blocks/read-tree.ts';
import { WorkspaceRefused, unlessRefused } from '../client/failures.ts';
import type { Workspace } from '../client/workspace.ts';
import { listResult } from '../compact.ts';
import { defineAction, exactlyOne } from '../define-action.ts';
import { boundedText } from '../inputs.ts';
import { invalidInput } from '../failures.ts';
import { shown } from '../json-value.ts';
import { expectKind } from '../resolve-ids.ts';

/**
 * True if the workspace refused the request because the block itself is in the trash. A block whose parent is in the
 * trash does not count.
 */
const isTrashedItself = (error: unknown): boolean =>
  error instanceof WorkspaceRefused && error.status === 400 && /block that is archived/i.test(error.message);

export const deleteBlock = defineAction({
  id: 'DOCS_DELETE_BLOCK',
  summary:
    'Archives a block, page or database. Fails when a parent or ancestor is archived; workspace-level pages cannot be archived.',
  effect: 'idempotent_write',
  input: z.strictObject({ block_id: workspaceId('Id of a block, page or database.') }),
  example: { block_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10' },
  run: async ({ docs, warn }, { block_id }) => {
    try {
      return await docs.deleteBlock(block_id);
    } catch (error) {
      if (!isTrashedItself(error)) throw error;
      const block = await docs.retrieveBlock(block_id);
      if (block.archived !== true && block.in_trash !== true) throw error;
      warn('The block was in the trash already.');
      return block;
    }
  },
});

export const fetchBlockContents = defineAction({
  id: 'DOCS_FETCH_BLOCK_CONTENTS',
  summary: 'Reads one page of the direct children of a block or page.',
  effect: 'read',
  input: z.strictObject({
    block_id: workspaceId('The block or page.'),
    ...paging,
  }),
  example: { block_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10' },
  run: async ({ docs }, { block_id, ...page }) => {
    const list = await expectKind(docs, 'page', block_id, () => docs.listChildren(block_id, page));
    const empty = list.results.length === 0 && page.start_cursor === undefined;
    return { ...listResult(list), ...(empty ? await hintOfRows(docs, block_id) : {}) };
  },
});

/**
 * Returns `blockId` or, if it is undefined, the id in `pageUrl`.
 * @throws ActionError INVALID_INPUT if `pageUrl` contains no id, or if it is the URL of a database view
 */
function idOf(blockId: string | undefined, pageUrl: string | undefined): string {
  if (blockId !== undefined) return blockId;
  if (pageUrl !== undefined && /[?&]v=/.test(pageUrl)) {
    throw invalidInput(
      'page_url is the address of a database view (it contains ?v=), which has rows instead of blocks: use DOCS_QUERY_DATABASE',
    );
  }
  const id = readWorkspaceId(pageUrl ?? '');
  if (id === undefined)
    throw invalidInput(
      `page_url is ${shown(pageUrl)}; give the address of a page, which ends in its 32-character id`,
    );
  return id;
}

export const fetchAllBlockContents = defineAction({
  id: 'DOCS_FETCH_ALL_BLOCK_CONTENTS',
  summary:
    'Reads all children of a block or page, with recursive also what is nested inside them, in reading order.',
  effect: 'read',
  input: z.strictObject({
    block_id: workspaceId('The block or page. This or page_url.').optional(),
    page_url: boundedText.name
      .optional()
      .describe('Address of the page. Database views (?v=) are not supported: use DOCS_QUERY_DATABASE.'),
    page_size: pageSize('Blocks per request, 1 to 100.'),
    recursive: z.boolean().default(false).describe('Expands the children of blocks with has_children.'),
    max_depth: z.int().min(1).default(10).describe('Applies when recursive is true.'),
    max_blocks: z.int().min(1).default(5000).describe('Applies when recursive is true.'),
  }),
  rules: exactlyOne('block_id', 'page_url'),
  example: { block_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10', recursive: true },
  run: async ({ docs }, { block_id, page_url, page_size, recursive, max_depth, max_blocks }) => {
    const id = idOf(block_id, page_url);
    const bounds = recursive
      ? { maxDepth: max_depth, maxBlocks: max_blocks }
      : { maxDepth: Infinity, maxBlocks: Infinity, only: () => false };
    const tree = await expectKind(docs, 'page', id, () =>
      readTree(docs, id, { ...bounds, pageSize: page_size }),
    );
    const results = flatten(tree.nodes).map(({ block, depth, parentId }) => ({
      ...block,
      depth,
      parent_id: parentId,
    }));
    return {
      results,
      count: results.length,
      has_more: tree.truncated !== undefined,
      truncated: tree.truncated !== undefined,
      ...(tree.truncated === undefined
        ? {}
        : { truncated_reason: tree.truncated, unexpanded: tree.unexpanded }),
      ...(tree.unreadable.length === 0 ? {} : { unreadable: tree.unreadable }),
      ...(results.length === 0 ? await hintOfRows(docs, id) : {}),
    };
  },
});

export const fetchBlockMetadata = defineAction({
  id: 'DOCS_FETCH_BLOCK_METADATA',
  summary: "Reads a block's type, properties and basic info, not its children.",
  effect: 'read',
  input: z.strictObject({ block_id: workspaceId('The block (32 characters, with or without hyphens).') }),
  example: { block_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10' },
  run: ({ docs }, { block_id }) => docs.retrieveBlock(block_id),
});

/** @returns a hint for the result if the block is a database, which has rows but no child blocks; otherwise {} */
async function hintOfRows(docs: Workspace, id: string): Promise<JsonObject> {
  const block = await unlessRefused(() => docs.retrieveBlock(id));
  return block?.type === 'child_database'
    ? { hint: 'This is a database: it has rows instead of blocks. Read them with DOCS_QUERY_DATABASE.' }
    : {};
}
