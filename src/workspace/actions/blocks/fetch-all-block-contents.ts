import { z } from 'zod';
import { readWorkspaceId } from '../../../contract/workspace/workspace-id.ts';
import { maxText, pageSize, workspaceId } from '../../../contract/workspace/actions.ts';
import { flatten, readTree } from '../../blocks/read-tree.ts';
import { defineAction } from '../../define-action.ts';
import { invalidInput } from '../../failures.ts';
import { shown } from '../../json-value.ts';
import { hintOfRows } from '../../rows-not-blocks.ts';
import { expectKind } from '../../wrong-kind.ts';

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
    page_url: z
      .string()
      .max(maxText.name)
      .optional()
      .describe('Address of the page. Database views (?v=) are not supported: use DOCS_QUERY_DATABASE.'),
    page_size: pageSize('Blocks per request, 1 to 100.'),
    recursive: z.boolean().default(false).describe('Expands the children of blocks with has_children.'),
    max_depth: z.int().min(1).default(10).describe('Applies when recursive is true.'),
    max_blocks: z.int().min(1).default(5000).describe('Applies when recursive is true.'),
  }),
  rules: [
    {
      text: 'Give exactly one of block_id and page_url.',
      holds: ({ block_id, page_url }) => (block_id === undefined) !== (page_url === undefined),
    },
  ],
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
