/** Reads the children of a block or page, or the whole tree below it. */
import type { BlockAnswer } from '../client/answers.ts';
import { WorkspaceRefused } from '../client/failures.ts';
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

class TreeReader {
  readonly unexpanded: string[] = [];
  readonly unreadable: string[] = [];
  readonly reasons = new Set<'max_blocks' | 'max_depth'>();
  count = 0;
  private readonly docs: Workspace;
  private readonly limits: TreeLimits;

  constructor(docs: Workspace, limits: TreeLimits) {
    this.docs = docs;
    this.limits = limits;
  }

  async children(parentId: string, depth: number): Promise<TreeNode[]> {
    const room = this.limits.maxBlocks - this.count;
    if (room <= 0) {
      this.cut(parentId);
      return [];
    }
    const { blocks, complete } = await readChildren(this.docs, parentId, room, this.limits.pageSize);
    const kept = blocks.slice(0, this.limits.maxBlocks - this.count);
    if (!complete || kept.length < blocks.length) this.cut(parentId);
    this.count += kept.length;
    return kept.map((block) => ({ block, depth, parentId, children: [] }));
  }

  private cut(id: string): void {
    this.reasons.add('max_blocks');
    this.unexpanded.push(id);
  }

  async expand(node: TreeNode): Promise<void> {
    try {
      node.children = await this.children(node.block.id, node.depth + 1);
    } catch (error) {
      if (!(error instanceof WorkspaceRefused) || ![403, 404].includes(error.status)) throw error;
      this.unreadable.push(node.block.id);
    }
  }
}

/**
 * Reads the tree below a block or page, level by level, so that `maxBlocks` cuts off the deepest levels. The root's
 * children have depth 1.
 * @throws the failures of the workspace, except for blocks that are listed in `unreadable`
 */
export async function readTree(docs: Workspace, rootId: string, treeLimits: TreeLimits): Promise<Tree> {
  const reader = new TreeReader(docs, treeLimits);
  const nodes = await reader.children(rootId, 1);
  let level = nodes;
  while (level.length > 0) {
    const waiting = level.filter(({ block }) => expands(block) && (treeLimits.only?.(block) ?? true));
    const tooDeep = waiting.filter((node) => node.depth >= treeLimits.maxDepth);
    if (tooDeep.length > 0) reader.reasons.add('max_depth');
    reader.unexpanded.push(...tooDeep.map((node) => node.block.id));
    const open = waiting.filter((node) => node.depth < treeLimits.maxDepth);
    for (let at = 0; at < open.length; at += atOnce) {
      await Promise.all(open.slice(at, at + atOnce).map((node) => reader.expand(node)));
    }
    level = open.flatMap((node) => node.children);
  }
  const [first, second] = reader.reasons;
  return {
    nodes,
    ...(first === undefined ? {} : { truncated: second === undefined ? first : 'max_blocks and max_depth' }),
    unexpanded: reader.unexpanded,
    unreadable: reader.unreadable,
  };
}

/** @returns the nodes depth-first, in reading order */
export function flatten(nodes: readonly TreeNode[]): TreeNode[] {
  return nodes.flatMap((node) => [node, ...flatten(node.children)]);
}
