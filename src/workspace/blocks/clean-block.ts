/**
 * Converts a block from an agent or from the workspace to one that the API can create. Drops read-only fields, accepts
 * old and short forms, and reports each problem with its path.
 */
import type { JsonObject } from '../../contract/workspace/actions.ts';
import { fieldsOf, isObject, shown } from '../json-value.ts';
import {
  type Block,
  childrenProblem,
  creatableTypes,
  fileTypes,
  isHeading,
  notCreatable,
  textTypes,
  urlTypes,
} from './block.ts';
import { cleanCells, cleanFile, cleanIcon, cleanReference, cleanRichText } from './clean-fields.ts';
import { codeLanguage } from './code-language.ts';
import { type BlockNotes, limits, newNotes } from './limits.ts';
import type { TreeNode } from './read-tree.ts';
import { colors, isWebUrl } from './rich-text.ts';

function typeOf(given: JsonObject): string | undefined {
  if (typeof given['type'] === 'string') return given['type'];
  const keys = Object.keys(given).filter((key) => creatableTypes.has(key) || key in notCreatable);
  return keys.length === 1 ? keys[0] : undefined;
}

/** The fields of each type that are copied unchanged. Other fields are converted or dropped. */
const plainFields: Readonly<Record<string, readonly string[]>> = {
  to_do: ['checked'],
  heading_1: ['is_toggleable'],
  heading_2: ['is_toggleable'],
  heading_3: ['is_toggleable'],
  heading_4: ['is_toggleable'],
  table: ['table_width', 'has_column_header', 'has_row_header'],
  column: ['width_ratio'],
  file: ['name'],
};

const colored = (type: string): boolean =>
  (textTypes.has(type) && type !== 'code' && type !== 'template') || type === 'table_of_contents';

function commonFields(type: string, given: JsonObject, path: string, notes: BlockNotes): JsonObject {
  const body = fieldsOf(given, plainFields[type] ?? []);
  const color = given['color'];
  if (colored(type) && typeof color === 'string') {
    if (!colors.has(color))
      notes.problems.push(`${path}.color is ${shown(color)}; use one of ${[...colors].join(', ')}`);
    if (color !== 'default') body['color'] = color;
  }
  return body;
}

function textFields(type: string, given: JsonObject, path: string, notes: BlockNotes): JsonObject {
  if (given['rich_text'] === undefined && given['text'] !== undefined)
    notes.warnings.push(`${path}.text was taken as rich_text.`);
  const body: Record<string, unknown> = {
    rich_text: cleanRichText(given['rich_text'] ?? given['text'], `${path}.rich_text`, notes),
  };
  if (type === 'code') {
    const name = typeof given['language'] === 'string' ? given['language'] : 'plain text';
    const { language, known } = codeLanguage(name);
    if (!known)
      notes.warnings.push(
        `${path}.language ${shown(name)} is not known to the workspace; plain text was used.`,
      );
    body['language'] = language;
    if (Array.isArray(given['caption']) && given['caption'].length > 0)
      body['caption'] = cleanRichText(given['caption'], `${path}.caption`, notes);
  }
  if (type === 'callout' || type === 'paragraph') {
    const icon = cleanIcon(given['icon'], `${path}.icon`, notes);
    if (icon !== undefined) body['icon'] = icon;
  }
  return body;
}

function mediaFields(type: string, given: JsonObject, path: string, notes: BlockNotes): JsonObject {
  const caption = cleanRichText(given['caption'] ?? [], `${path}.caption`, notes);
  const withCaption = caption.length === 0 ? {} : { caption };
  if (fileTypes.has(type)) return { ...cleanFile(given, path, notes), ...withCaption };
  const url = given['url'];
  if (typeof url !== 'string' || !isWebUrl(url)) {
    notes.problems.push(
      `${path}.url is ${shown(url)}; give an http or https address of at most ${limits.url} characters`,
    );
  }
  return { url, ...withCaption };
}

function otherFields(type: string, given: JsonObject, path: string, notes: BlockNotes): JsonObject {
  switch (type) {
    case 'equation': {
      const expression = given['expression'];
      if (typeof expression !== 'string' || expression === '' || expression.length > limits.expression) {
        notes.problems.push(
          `${path}.expression is ${shown(expression)}; give 1 to ${limits.expression} characters of LaTeX`,
        );
      }
      return { expression };
    }
    case 'table_row':
      return { cells: cleanCells(given['cells'], `${path}.cells`, notes) };
    case 'link_to_page':
      return cleanReference(given, path, notes);
    case 'synced_block': {
      const source = given['synced_from'];
      if (!isObject(source)) return { synced_from: null };
      return { synced_from: { type: 'block_id', block_id: source['block_id'] } };
    }
    default:
      return {};
  }
}

function checkTable(block: Block, path: string, notes: BlockNotes): void {
  const width = block.body['table_width'];
  if (typeof width !== 'number' || !Number.isInteger(width) || width < 1 || width > limits.tableWidth) {
    notes.problems.push(
      `${path}.table_width is ${shown(width)}; give the number of columns, 1 to ${limits.tableWidth}`,
    );
    return;
  }
  if (block.children.length === 0)
    notes.problems.push(`${path}.children is empty; a table needs at least one table_row`);
  for (const [index, row] of block.children.entries()) {
    const cells = row.body['cells'];
    if (Array.isArray(cells) && cells.length !== width) {
      notes.problems.push(
        `${path}.children[${index}] has ${cells.length} cells; table_width is ${width}, so every row needs ${width}`,
      );
    }
  }
}

function cleanChildren(
  type: string,
  given: JsonObject,
  outer: JsonObject,
  path: string,
  notes: BlockNotes,
): Block[] {
  const list = given['children'] ?? outer['children'] ?? [];
  if (!Array.isArray(list)) {
    notes.problems.push(`${path}.children is not a list of blocks`);
    return [];
  }
  // The children of a synced copy belong to its original, so they are not sent.
  if (type === 'synced_block' && isObject(given['synced_from'])) return [];
  return cleanBlocks(list, `${path}.children`, notes);
}

/**
 * Converts one block with its children. Adds every problem and warning to the notes.
 * @returns the block, which must not be sent if the notes contain problems; undefined if the value is not a block that
 * the API can create
 * @throws ActionError INVALID_INPUT if the notes have counted too many pieces (see `maxPieces`)
 */
export function cleanBlock(given: unknown, path: string, notes: BlockNotes): Block | undefined {
  const refuse = (problem: string): Block | undefined => {
    notes.problems.push(problem);
    return undefined;
  };
  notes.pieces.add(1);
  if (!isObject(given))
    return refuse(
      `${path} is ${shown(given)}; give a block object such as {"type":"paragraph","paragraph":{"rich_text":[]}}`,
    );
  const type = typeOf(given);
  if (type === undefined)
    return refuse(
      `${path}.type is missing; give the block's type, such as "paragraph"${given['content'] === undefined ? '' : '. {"content","block_property"} is what DOCS_ADD_MULTIPLE_PAGE_CONTENT takes'}`,
    );
  if (!creatableTypes.has(type)) {
    const advice = notCreatable[type] ?? `use one of ${[...creatableTypes].join(', ')}`;
    return refuse(`${path}: a ${type} block cannot be created: ${advice}`);
  }
  const inner = given[type] ?? {};
  if (!isObject(inner)) return refuse(`${path}.${type} is ${shown(inner)}; give an object`);
  const at = `${path}.${type}`;
  const specific = textTypes.has(type)
    ? textFields(type, inner, at, notes)
    : fileTypes.has(type) || urlTypes.has(type)
      ? mediaFields(type, inner, at, notes)
      : otherFields(type, inner, at, notes);
  const children = cleanChildren(type, inner, given, at, notes);
  const block = { type, body: { ...commonFields(type, inner, at, notes), ...specific }, children };
  if (type === 'table') checkTable(block, at, notes);
  const problem = childrenProblem(block);
  if (problem !== undefined) notes.problems.push(`${at}: ${problem}`);
  return block;
}

/** Converts a list of blocks. Leaves out items that cannot be converted. Adds all problems to the notes. */
export function cleanBlocks(given: readonly unknown[], path: string, notes: BlockNotes): Block[] {
  return given.flatMap((item, index) => cleanBlock(item, `${path}[${index}]`, notes) ?? []);
}

export type Skipped = { id: string; type: string; reason: string };
type Copied = { blocks: Block[]; skipped: Skipped[]; warnings: string[] };

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
  // A synced copy stays linked to its original, to which the children belong. So they are not copied.
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
