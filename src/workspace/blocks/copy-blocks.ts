/** Converts blocks that were read to blocks that can be created elsewhere, and lists what cannot be copied. */
import { newNotes } from './block-notes.ts';
import { cleanBlock } from './clean-block.ts';
import { isHeading, type Block } from './block.ts';
import type { TreeNode } from './read-tree.ts';

export type Skipped = { id: string; type: string; reason: string };
export type Copied = { blocks: Block[]; skipped: Skipped[]; warnings: string[] };

const rowsOf = (node: TreeNode): unknown[] => node.children.map(({ block }) => block);

function copyNode(node: TreeNode, copied: Copied): Block | undefined {
  const { block } = node;
  const given = block.type === 'table' ? { ...block, children: rowsOf(node) } : block;
  const notes = newNotes();
  const clean = cleanBlock(given, block.type, notes);
  if (clean === undefined || notes.problems.length > 0) {
    copied.skipped.push({ id: block.id, type: block.type, reason: notes.problems.join('; ') });
    return undefined;
  }
  copied.warnings.push(...notes.warnings);
  if (block.type === 'table') return clean;
  // A copy of a synced block follows its original; the children that it shows are not its own.
  const own = clean.type === 'synced_block' && clean.body['synced_from'] !== null ? [] : node.children;
  const children = own.flatMap((child) => copyNode(child, copied) ?? []);
  if (isHeading(clean.type) && children.length > 0)
    return { ...clean, body: { ...clean.body, is_toggleable: true }, children };
  return { ...clean, children };
}

export function copyBlocks(nodes: readonly TreeNode[]): Copied {
  const copied: Copied = { blocks: [], skipped: [], warnings: [] };
  copied.blocks.push(...nodes.flatMap((node) => copyNode(node, copied) ?? []));
  return copied;
}
