/**
 * Converts simplified blocks, `{content, block_property, …}`, which agents write, to full blocks. Converts inline
 * Markdown in the content. Block Markdown in a paragraph becomes the blocks that it describes. Accepts full blocks too.
 */
import type { JsonObject } from '../../contract/workspace/actions.ts';
import { fieldsOf, isObject, shown } from '../json-value.ts';
import { readBlocks, hasBlockSyntax } from '../markdown/read-blocks.ts';
import { readInline } from '../markdown/read-inline.ts';
import { fileTypes, textTypes, toWire, urlTypes, type Block } from './block.ts';
import type { BlockNotes } from './limits.ts';
import { cleanBlock, cleanBlocks } from './clean-block.ts';
import { isLinkTarget, readStyle, withStyle } from './rich-text.ts';

/** The values of `block_property`. `heading_4` to `heading_6` are accepted too, and become `heading_3`. */
export const simplifiedTypes = [
  'paragraph',
  'heading_1',
  'heading_2',
  'heading_3',
  'callout',
  'to_do',
  'toggle',
  'quote',
  'bulleted_list_item',
  'numbered_list_item',
  'divider',
  'code',
  'equation',
  'image',
  'video',
  'audio',
  'file',
  'pdf',
  'embed',
  'bookmark',
] as const;
const known: ReadonlySet<string> = new Set(simplifiedTypes);

function typeOf(given: JsonObject, path: string, notes: BlockNotes): string | undefined {
  const property = given['block_property'] ?? 'paragraph';
  if (typeof property === 'string' && known.has(property)) return property;
  if (typeof property === 'string' && /^heading_[4-6]$/.test(property)) {
    notes.warnings.push(`${path}.block_property ${property} was made a heading_3.`);
    return 'heading_3';
  }
  notes.problems.push(
    `${path}.block_property is ${shown(property)}; use one of ${simplifiedTypes.join(', ')}`,
  );
  return undefined;
}

/** Reads the content as inline Markdown. The flags of the block, such as `bold`, apply to its whole content. */
function styledText(content: string, given: JsonObject, path: string, notes: BlockNotes): JsonObject[] {
  const { items, warnings } = readInline(content);
  notes.warnings.push(...warnings.map((warning) => `${path}.content: ${warning}`));
  const link = given['link'];
  if (typeof link === 'string' && link !== '' && !isLinkTarget(link)) {
    notes.problems.push(`${path}.link is ${shown(link)}; give an http, https or mailto address`);
  }
  const url = typeof link === 'string' && isLinkTarget(link) ? link : undefined;
  return withStyle(items, readStyle(given), url);
}

function urlOf(given: JsonObject): unknown {
  return given['link'] ?? given['url'] ?? given['content'];
}

function bodyOf(type: string, given: JsonObject, path: string, notes: BlockNotes): JsonObject | undefined {
  const content = given['content'] ?? given['text'];
  if (type === 'divider') return {};
  if (fileTypes.has(type) || urlTypes.has(type)) {
    const isUrlContent = given['link'] === undefined && given['url'] === undefined;
    const caption =
      typeof content === 'string' && content !== '' && !isUrlContent ? readInline(content).items : [];
    return {
      url: urlOf(given),
      ...(caption.length === 0 ? {} : { caption }),
      ...(typeof given['name'] === 'string' ? { name: given['name'] } : {}),
    };
  }
  if (Array.isArray(content)) return { rich_text: content };
  if (typeof content !== 'string' || (content === '' && textTypes.has(type) && type !== 'paragraph')) {
    notes.problems.push(`${path}.content is ${shown(content)}; give the text of the ${type} as a string`);
    return undefined;
  }
  if (type === 'equation') return { expression: content };
  if (type === 'code') return { rich_text: content, language: given['language'] };
  return { rich_text: given['parse_markdown'] === false ? content : styledText(content, given, path, notes) };
}

/** The fields that simplified and full blocks have in common. */
const commonFields = ['checked', 'color', 'icon', 'is_toggleable', 'children'];

function blocksOfMarkdown(content: string, path: string, notes: BlockNotes): Block[] {
  const { blocks, warnings } = readBlocks(content);
  notes.warnings.push(...warnings.map((warning) => `${path}.content: ${warning}`));
  return cleanBlocks(blocks.map(toWire), `${path}.content`, notes);
}

/**
 * Returns true if the Markdown makes several blocks or none. In this case, adds a warning that the content stays the
 * text of one paragraph.
 */
function makesSeveral(content: string, path: string, notes: BlockNotes): boolean {
  const { length } = readBlocks(content).blocks;
  if (length === 1) return false;
  notes.warnings.push(
    `${path}.content holds markdown of ${length} blocks; one block is added here, so it was kept as the text of one paragraph. DOCS_ADD_MULTIPLE_PAGE_CONTENT makes the blocks.`,
  );
  return true;
}

type Reading = { /** True if the item must become exactly one block. */ single: boolean };

/** True for a rich text object with a text or a mention. `readContentBlock` converts it to a paragraph. */
const isRichTextItem = (given: JsonObject): boolean =>
  isObject(given['mention']) ||
  (isObject(given['text']) &&
    typeof given['text']['content'] === 'string' &&
    given['block_property'] === undefined);

/**
 * Reads one item of `content_blocks`: a simplified block, a block wrapped as `{content_block}`, a full block, a rich
 * text object, or a plain string.
 * @returns the blocks; an empty list if the item is invalid, with a problem in the notes, or if its Markdown makes none
 * @throws ActionError INVALID_INPUT if the item makes too many pieces (see `maxPieces`)
 */
export function readContentBlock(
  given: unknown,
  path: string,
  notes: BlockNotes,
  reading: Reading = { single: false },
): Block[] {
  if (typeof given === 'string') return readContentBlock({ content: given }, path, notes, reading);
  if (!isObject(given)) {
    notes.problems.push(
      `${path} is ${shown(given)}; give {"content":"…","block_property":"paragraph"} or a full block`,
    );
    return [];
  }
  const wrapped = given['content_block'];
  if (isObject(wrapped) || typeof wrapped === 'string')
    return readContentBlock(wrapped, `${path}.content_block`, notes, reading);
  if (isRichTextItem(given))
    return readContentBlock({ type: 'paragraph', paragraph: { rich_text: [given] } }, path, notes, reading);
  const simplified = given['content'] !== undefined || given['block_property'] !== undefined;
  if (!simplified) {
    const block = cleanBlock(given, path, notes);
    return block === undefined ? [] : [block];
  }
  const type = typeOf(given, path, notes);
  if (type === undefined) return [];
  const content = given['content'];
  const plainStyle =
    Object.keys(readStyle(given)).length === 0 &&
    given['link'] === undefined &&
    given['children'] === undefined;
  if (
    type === 'paragraph' &&
    typeof content === 'string' &&
    given['parse_markdown'] !== false &&
    plainStyle &&
    hasBlockSyntax(content) &&
    !(reading.single && makesSeveral(content, path, notes))
  ) {
    return blocksOfMarkdown(content, path, notes);
  }
  const body = bodyOf(type, given, path, notes);
  if (body === undefined) return [];
  const block = cleanBlock({ type, [type]: { ...fieldsOf(given, commonFields), ...body } }, path, notes);
  return block === undefined ? [] : [block];
}
