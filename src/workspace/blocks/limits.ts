/**
 * The workspace's limits, and checks that reject blocks over a limit before anything is sent. Each problem names the
 * path, the length and the limit.
 */
import { objectAt, textAt } from '../json-value.ts';
import { Pieces } from './pieces.ts';
import { type Block, countBlocks, depthBelow } from './block.ts';

/**
 * The workspace's limits, most of them from the page "Request limits" of its API reference. `bytesPerRequest` is chosen
 * below the documented 500 KB. Lengths of texts are in UTF-16 code units, as in the API.
 */
export const limits = {
  textContent: 2000,
  url: 2000,
  expression: 1000,
  richTextItems: 100,
  blocksPerRequest: 100,
  elementsPerRequest: 1000,
  bytesPerRequest: 450_000,
  nestedLevels: 2,
  tableWidth: 100,
  tables: 100,
  optionsPerProperty: 100,
} as const;

/** Collects all problems of the blocks in an input, and warnings about changes to the blocks. */
export type BlockNotes = {
  /** Each problem names the path of a block or field. If there are any, nothing may be sent. */
  readonly problems: string[];
  readonly warnings: string[];
  readonly pieces: Pieces;
};

export const newNotes = (): BlockNotes => ({ problems: [], warnings: [], pieces: new Pieces() });

export function checkRichText(items: unknown, path: string, notes: BlockNotes): void {
  if (!Array.isArray(items)) return;
  if (items.length > limits.richTextItems) {
    notes.problems.push(`${path} has ${items.length} items; at most ${limits.richTextItems} are allowed`);
  }
  for (const [index, item] of items.entries()) {
    const length = textAt(objectAt(item, 'text'), 'content')?.length ?? 0;
    if (length > limits.textContent) {
      notes.problems.push(
        `${path}[${index}].text.content has ${length} characters; at most ${limits.textContent} are allowed`,
      );
    }
  }
}

export function checkBlockText(block: Block, path: string, notes: BlockNotes): void {
  for (const field of ['rich_text', 'caption'])
    checkRichText(block.body[field], `${path}.${block.type}.${field}`, notes);
  const cells = block.body['cells'];
  if (Array.isArray(cells)) {
    for (const [index, cell] of cells.entries())
      checkRichText(cell, `${path}.table_row.cells[${index}]`, notes);
  }
  for (const [index, child] of block.children.entries()) {
    checkBlockText(child, `${path}.${block.type}.children[${index}]`, notes);
  }
}

function checkWidth(block: Block, path: string, notes: BlockNotes): void {
  if (block.children.length > limits.blocksPerRequest) {
    notes.problems.push(
      `${path}.${block.type}.children has ${block.children.length} blocks; at most ${limits.blocksPerRequest} per request`,
    );
  }
  for (const [index, child] of block.children.entries())
    checkWidth(child, `${path}.${block.type}.children[${index}]`, notes);
}

/**
 * @returns the maximum number of levels below a block of this type in one request. A column list may have one more
 * level than other blocks, for its columns.
 */
export function allowedDepth(type: string): number {
  return type === 'column_list' ? limits.nestedLevels + 1 : limits.nestedLevels;
}

/**
 * Adds a problem to the notes for each limit of one request that the blocks exceed. Does not check `bytesPerRequest`,
 * because planAppend splits requests that are too large.
 */
export function checkOneRequest(blocks: readonly Block[], path: string, notes: BlockNotes): void {
  if (blocks.length > limits.blocksPerRequest) {
    notes.problems.push(
      `${path} has ${blocks.length} blocks; at most ${limits.blocksPerRequest} per request. Split them over several calls`,
    );
  }
  const total = blocks.reduce((sum, block) => sum + countBlocks(block), 0);
  if (total > limits.elementsPerRequest) {
    notes.problems.push(
      `${path} holds ${total} blocks with all nested ones; at most ${limits.elementsPerRequest} per request`,
    );
  }
  for (const [index, block] of blocks.entries()) {
    const at = `${path}[${index}]`;
    checkBlockText(block, at, notes);
    checkWidth(block, at, notes);
    const depth = depthBelow(block);
    if (depth > allowedDepth(block.type)) {
      notes.problems.push(
        `${at} is nested ${depth} levels deep; at most ${allowedDepth(block.type)} levels per request`,
      );
    }
  }
}
