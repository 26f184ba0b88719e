/** Reads the children of a block or page, or the whole tree below it. */
import type { BlockAnswer } from '../client/answers.ts';
import { isRefused } from '../client/failures.ts';
import type { Workspace } from '../client/workspace.ts';

type Children = { blocks: BlockAnswer[]; complete: boolean };

/**
 * Reads the direct children of a block or page, page by page, until there are `maxChildren` or more.
 * @returns the children, in order; `complete` is false if the parent has further children, which were not read
 */
export async function readChildren(
  docs: Workspace,
  parentId: string,
  maxChildren = Infinity,
  pageSize = 100,
): Promise<Children> {
  const blocks: BlockAnswer[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await docs.listChildren(parentId, { page_size: pageSize, start_cursor: cursor });
    blocks.push(...page.results);
    if (!page.has_more || page.next_cursor === null) return { blocks, complete: true };
    if (blocks.length >= maxChildren) return { blocks, complete: false };
    cursor = page.next_cursor;
  }
}

export type TreeNode = { block: BlockAnswer; depth: number; parentId: string; children: TreeNode[] };

type Tree = {
  nodes: TreeNode[];
  truncated?: 'max_blocks' | 'max_depth' | 'max_blocks and max_depth';
  /** Ids of blocks, and of the root, whose children were not all read because of a limit. */
  unexpanded: string[];
  /**
   * Ids of blocks whose children the workspace refused to return (403 or 404), such as a synced copy of a block that is
   * not shared with the connection.
   */
  unreadable: string[];
};

type TreeLimits = {
  maxDepth: number;
  maxBlocks: number;
  pageSize?: number;
  /** If given, a block's children are read only if this function returns true for the block. */
  only?: (block: BlockAnswer) => boolean;
};

const atOnce = 3;

/** True if the block has children to read. Those of a database are not read, because its rows are separate pages. */
const expands = (block: BlockAnswer): boolean =>
  block.has_children === true && block.type !== 'child_database';

/**
 * Reads the tree below a block or page, level by level, so that `maxBlocks` cuts off the deepest levels. The root's
 * children have depth 1.
 * @throws the failures of the workspace, except for blocks that are listed in `unreadable`
 */
export async function readTree(
  docs: Workspace,
  rootId: string,
  { maxDepth, maxBlocks, pageSize, only = () => true }: TreeLimits,
): Promise<Tree> {
  const unexpanded: string[] = [];
  const unreadable: string[] = [];
  const reasons = new Set<'max_blocks' | 'max_depth'>();
  let count = 0;
  const nodes = await childrenOf(rootId, 1);
  let level = nodes;
  while (level.length > 0) {
    const waiting = level.filter(({ block }) => expands(block) && only(block));
    const tooDeep = waiting.filter((node) => node.depth >= maxDepth);
    if (tooDeep.length > 0) reasons.add('max_depth');
    unexpanded.push(...tooDeep.map((node) => node.block.id));
    const open = waiting.filter((node) => node.depth < maxDepth);
    for (let at = 0; at < open.length; at += atOnce) {
      await Promise.all(open.slice(at, at + atOnce).map(expand));
    }
    level = open.flatMap((node) => node.children);
  }
  const [first, second] = reasons;
  return {
    nodes,
    ...(first === undefined ? {} : { truncated: second === undefined ? first : 'max_blocks and max_depth' }),
    unexpanded,
    unreadable,
  };

  async function childrenOf(parentId: string, depth: number): Promise<TreeNode[]> {
    const room = maxBlocks - count;
    const { blocks, complete }: Children =
      room <= 0 ? { blocks: [], complete: false } : await readChildren(docs, parentId, room, pageSize);
    const kept = blocks.slice(0, maxBlocks - count);
    if (!complete || kept.length < blocks.length) {
      reasons.add('max_blocks');
      unexpanded.push(parentId);
    }
    count += kept.length;
    return kept.map((block) => ({ block, depth, parentId, children: [] }));
  }

  async function expand(node: TreeNode): Promise<void> {
    try {
      node.children = await childrenOf(node.block.id, node.depth + 1);
    } catch (error) {
      if (!isRefused(error, [403, 404])) throw error;
      unreadable.push(node.block.id);
    }
  }
}

/** @returns the nodes depth-first, in reading order */
export function flatten(nodes: readonly TreeNode[]): TreeNode[] {
  return nodes.flatMap((node) => [node, ...flatten(node.children)]);
}
