/**
 * Splits a tree of blocks into requests that the workspace accepts. Blocks that are too deep or too many for a request
 * are appended by a later request, which contains the id of their parent and is sent after the parent was created.
 */
import { invalidInput } from '../failures.ts';
import { isObject } from '../json-value.ts';
import { type Block, countBlocks, isHeading, richTextOf, textTypes, toWire } from './block.ts';
import { allowedDepth, limits } from './limits.ts';
import { splitRichText } from './rich-text.ts';

/**
 * Blocks to append later below a block of the batch, their parent. `path` leads to the parent: the index of a top-level
 * block of the batch, then the index of a child for each further level. `parentIsEmpty`: the batch creates the parent
 * without children.
 */
export type Rest = { path: readonly number[]; blocks: readonly Block[]; parentIsEmpty: boolean };
type Batch = { blocks: Block[]; rests: Rest[] };

/**
 * Maximum rich text items of a request with several blocks; a single block may have more. Chosen to keep responses
 * small: in the workspace's response, each item is several times longer than in the request. A request of 450,000 bytes
 * with short items gets a response of 3 MB.
 */
const itemsPerRequest = 1000;

type Trimmed = { block: Block; rests: Rest[] };

/**
 * True if the block can be sent in the same request as its parent.
 * @param levels the levels that the request allows below the block. A table needs one for its rows. Column lists and
 * tabs can be sent only at the top level of a request.
 */
function sendable(block: Block, levels: number): boolean {
  if (block.type === 'column_list' || block.type === 'tab') return false;
  return block.type !== 'table' || levels >= 1;
}

function trim(block: Block, levels: number): Trimmed {
  const kept: Block[] = [];
  const rests: Rest[] = [];
  for (const [index, child] of block.children.entries()) {
    if (levels === 0 || index >= limits.blocksPerRequest || !sendable(child, levels - 1)) {
      rests.push({ path: [], blocks: block.children.slice(index), parentIsEmpty: index === 0 });
      break;
    }
    const inner = trim(child, levels - 1);
    kept.push(inner.block);
    rests.push(...inner.rests.map((rest) => ({ ...rest, path: [index, ...rest.path] })));
  }
  return { block: { ...block, children: kept }, rests };
}

const bytesOf = (block: Block): number => Buffer.byteLength(JSON.stringify(toWire(block)));

/** Counts the rich text items of the block and of all blocks below it. */
function countItems(block: Block): number {
  const own = Object.values(block.body).reduce<number>((sum, field) => sum + itemsOf(field), 0);
  return block.children.reduce((sum, child) => sum + countItems(child), own);
}

/**
 * Counts the items of a field; 0 if it is not a list. A cell of a table row counts as its items, but at least as one.
 */
const itemsOf = (field: unknown): number =>
  Array.isArray(field) ? field.reduce<number>((sum, item) => sum + Math.max(1, itemsOf(item)), 0) : 0;

const minLevels = (type: string): number => ({ column_list: 2, table: 1, tab: 1 })[type] ?? 0;

/**
 * Cuts off levels of the block until it fits into one request.
 * @returns the block, the number of its blocks and its size in bytes. `rests` has the blocks that were cut off.
 * @throws ActionError INVALID_INPUT if the block is too large for a request even with the fewest possible levels
 */
function trimToFit(block: Block): Trimmed & { count: number; bytes: number } {
  for (let levels = allowedDepth(block.type); levels >= minLevels(block.type); levels -= 1) {
    const trimmed = trim(block, levels);
    const count = countBlocks(trimmed.block);
    if (count > limits.elementsPerRequest) continue;
    const bytes = bytesOf(trimmed.block);
    if (bytes <= limits.bytesPerRequest) return { ...trimmed, count, bytes };
  }
  throw invalidInput(
    `a ${block.type} is larger than one request may be (${limits.elementsPerRequest} blocks, ${limits.bytesPerRequest} bytes); make it smaller`,
  );
}

/**
 * Plans the requests that append blocks.
 * @returns the batches, one for each request, in the order in which they must be sent. Each block of the input is in
 * exactly one batch or rest.
 * @throws ActionError INVALID_INPUT if a block is too large for a request, even alone
 */
export function planAppend(blocks: readonly Block[]): Batch[] {
  const batches: Batch[] = [];
  let batch: Batch = { blocks: [], rests: [] };
  let elements = 0;
  let size = 0;
  let items = 0;
  for (const block of blocks) {
    const { block: trimmed, rests, count, bytes } = trimToFit(block);
    const itemCount = countItems(trimmed);
    const full =
      batch.blocks.length >= limits.blocksPerRequest ||
      elements + count > limits.elementsPerRequest ||
      size + bytes > limits.bytesPerRequest ||
      items + itemCount > itemsPerRequest;
    if (full && batch.blocks.length > 0) {
      batches.push(batch);
      batch = { blocks: [], rests: [] };
      elements = 0;
      size = 0;
      items = 0;
    }
    const index = batch.blocks.length;
    batch.blocks.push(trimmed);
    batch.rests.push(...rests.map((rest) => ({ ...rest, path: [index, ...rest.path] })));
    elements += count;
    size += bytes;
    items += itemCount;
  }
  return batch.blocks.length === 0 ? batches : [...batches, batch];
}

/**
 * Returns the type of the blocks that continue a text that is too long for its block: `paragraph` for a heading or a
 * to-do, otherwise the same type.
 */
const following = (type: string): string => (isHeading(type) || type === 'to_do' ? 'paragraph' : type);

function followingBody(block: Block, rich_text: readonly unknown[]): Block['body'] {
  const language = block.body['language'];
  return block.type === 'code' && language !== undefined ? { rich_text, language } : { rich_text };
}

/**
 * @returns the block, with its long texts split into items, followed by blocks with the text that does not fit into it
 */
export function splitBlock(block: Block): Block[] {
  const children = block.children.flatMap(splitBlock);
  const body: Record<string, unknown> = { ...block.body };
  if (Array.isArray(body['caption'])) body['caption'] = splitRichText(richTextOf(block, 'caption'));
  if (Array.isArray(body['cells'])) {
    body['cells'] = body['cells'].map((cell: unknown) =>
      Array.isArray(cell) ? splitRichText(cell.filter(isObject)) : cell,
    );
  }
  if (!textTypes.has(block.type)) return [{ ...block, body, children }];
  const items = splitRichText(richTextOf(block));
  body['rich_text'] = items.slice(0, limits.richTextItems);
  const blocks: Block[] = [{ ...block, body, children }];
  for (let at = limits.richTextItems; at < items.length; at += limits.richTextItems) {
    const part = items.slice(at, at + limits.richTextItems);
    blocks.push({ type: following(block.type), body: followingBody(block, part), children: [] });
  }
  return blocks;
}
