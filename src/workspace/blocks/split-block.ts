/** Makes a block fit: splits long text into several items, and more items than a block holds into following blocks. */
import { isObject } from '../json-value.ts';
import { isHeading, richTextOf, textTypes, type Block } from './block.ts';
import { limits } from './block-limits.ts';
import { splitRichText } from './rich-text.ts';

/** The type of the following blocks: a heading or a task is not repeated. */
const following = (type: string): string => (isHeading(type) || type === 'to_do' ? 'paragraph' : type);

function followingBody(block: Block, rich_text: readonly unknown[]): Block['body'] {
  const language = block.body['language'];
  return block.type === 'code' && language !== undefined ? { rich_text, language } : { rich_text };
}

/** @returns the block and, if its text needs them, the following blocks; no text is lost */
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
