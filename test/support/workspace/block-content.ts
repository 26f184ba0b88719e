/** Checks what is under a block's type key in a request, with defaults, and shows it in an answer. */
import { onlyKeys, type Call } from './call.ts';
import { invalid, shouldBe } from './errors.ts';
import { fileValue, iconValue, requireUrl, showFile } from './files.ts';
import { requireId } from './ids.ts';
import { asArray, asObject, isObject, type Json, type JsonObject } from './json.ts';
import { codeLanguages } from './code-languages.ts';
import { apiColors, expression, richText, showRichText } from './rich-text.ts';
import type { World } from './world.ts';

export const headings = ['heading_1', 'heading_2', 'heading_3', 'heading_4'];
const texts = [
  'paragraph',
  'bulleted_list_item',
  'numbered_list_item',
  'quote',
  'toggle',
  'to_do',
  'callout',
];
const media = ['image', 'video', 'audio', 'pdf', 'file'];
const empty = ['divider', 'breadcrumb', 'tab', 'column_list'];
const others = ['code', 'equation', 'table_of_contents', 'table', 'table_row', 'column', 'embed', 'bookmark'];
const rare = ['link_to_page', 'synced_block', 'template'];
export const creatable = [...headings, ...texts, ...media, ...empty, ...others, ...rare];

/** Blocks that take children; headings only when they are toggles. */
export const takesChildren = [...texts, 'column', 'synced_block', 'template', 'table', 'column_list', 'tab'];

/** @param partial an update: only what is given is checked and returned */
export function blockContent(
  call: Call,
  type: string,
  given: JsonObject,
  path: string,
  partial = false,
): JsonObject {
  const read = fields(call, type, given, path);
  const allowed = [...Object.keys(read), 'children'];
  if (media.includes(type)) allowed.push('external', 'file_upload', 'type', 'name');
  if (type === 'link_to_page') allowed.push('type', 'page_id', 'database_id', 'comment_id');
  onlyKeys(given, allowed, path);
  const content: JsonObject = {};
  for (const [key, reader] of Object.entries(read)) {
    if (partial && given[key] === undefined) continue;
    const value = reader(given[key], `${path}.${key}`);
    if (value !== undefined) content[key] = value;
  }
  if (
    media.includes(type) &&
    !(partial && given['external'] === undefined && given['file_upload'] === undefined)
  ) {
    Object.assign(
      content,
      fileValue(call, given, path, `Content creation Failed. Fix the following: \nInvalid ${type} url.`),
    );
    if (type === 'file') content['name'] = given['name'] ?? nameOf(call.world, content);
  }
  if (type === 'link_to_page') Object.assign(content, linkTarget(given, path));
  return content;
}

type Reader = (value: Json | undefined, path: string) => Json | undefined;

function fields(call: Call, type: string, given: JsonObject, at: string): Record<string, Reader> {
  const rich: Reader = (value, path) => richText(call, value, path);
  const caption: Reader = (value, path) => (value === undefined ? [] : richText(call, value, path));
  const color: Reader = (value, path) => {
    if (value === undefined) return 'default';
    if (typeof value === 'string' && apiColors.includes(value)) return value;
    throw shouldBe(path, apiColors.map((each) => `\`"${each}"\``).join(', '), value);
  };
  const flag: Reader = (value, path) => {
    if (value === undefined) return false;
    if (typeof value === 'boolean') return value;
    throw shouldBe(path, 'a boolean or `undefined`', value);
  };
  const icon =
    (fallback: Json): Reader =>
    (value, path) =>
      value === undefined ? fallback : iconValue(call, value, path);
  const url: Reader = (value, path) =>
    requireUrl(value, path, 'Content creation Failed. Fix the following: \nInvalid URL.');
  if (headings.includes(type)) return { rich_text: rich, is_toggleable: flag, color };
  if (media.includes(type)) return { caption };
  if (empty.includes(type)) return {};
  switch (type) {
    case 'paragraph':
      return { rich_text: rich, icon: icon(null), color };
    case 'to_do':
      return { rich_text: rich, checked: flag, color };
    case 'callout':
      return { rich_text: rich, icon: icon({ type: 'emoji', emoji: '💡' }), color };
    case 'code':
      return { caption, rich_text: rich, language };
    case 'equation':
      return { expression: () => expression(given, at) };
    case 'table_of_contents':
      return { color };
    case 'table':
      return { table_width: width, has_column_header: flag, has_row_header: flag };
    case 'table_row':
      return { cells: (value, path) => cells(call, value, path) };
    case 'column':
      return { width_ratio: (value) => value };
    case 'embed':
    case 'bookmark':
      return { caption, url };
    case 'synced_block':
      return { synced_from: syncedFrom };
    case 'template':
      return { rich_text: rich };
    case 'link_to_page':
      return {};
    default:
      return { rich_text: rich, color };
  }
}

const language: Reader = (value, path) => {
  if (typeof value === 'string' && codeLanguages.includes(value)) return value;
  throw shouldBe(path, codeLanguages.map((each) => `\`"${each}"\``).join(', '), value);
};

const width: Reader = (value, path) => {
  if (typeof value !== 'number') throw shouldBe(path, value === undefined ? 'defined' : 'a number', value);
  if (value < 1) throw shouldBe(path, '≥ `1`', value);
  if (value > 100) throw shouldBe(path, '≤ `100`', value);
  return value;
};

const syncedFrom: Reader = (value, path) => {
  if (value === null || value === undefined) return null;
  return { type: 'block_id', block_id: requireId(asObject(value)['block_id'], `${path}.block_id`) };
};

function cells(call: Call, value: Json | undefined, path: string): Json {
  if (!Array.isArray(value)) throw shouldBe(path, value === undefined ? 'defined' : 'an array', value);
  return value.map((cell, index) => richText(call, cell, `${path}[${index}]`));
}

function linkTarget(given: JsonObject, path: string): JsonObject {
  for (const key of ['page_id', 'database_id', 'comment_id']) {
    if (given[key] !== undefined) return { type: key, [key]: requireId(given[key], `${path}.${key}`) };
  }
  throw shouldBe(`${path}.page_id`, 'defined', undefined);
}

function nameOf(world: World, content: JsonObject): string {
  const upload = asObject(content['file'])['upload'];
  if (typeof upload === 'string') return world.state.uploads.get(upload)?.filename ?? 'file';
  const url = asObject(content['external'])['url'];
  if (typeof url !== 'string') return 'file';
  return decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '') || 'file';
}

export function showContent(world: World, content: JsonObject): JsonObject {
  const shown: JsonObject = {};
  const file = showFile(world, content);
  for (const [key, value] of Object.entries(isObject(file) ? file : content)) {
    if (key === 'rich_text' || key === 'caption') shown[key] = showRichText(world, asArray(value));
    else if (key === 'cells') shown[key] = asArray(value).map((cell) => showRichText(world, asArray(cell)));
    else shown[key] = key === 'icon' ? showFile(world, value) : value;
  }
  return shown;
}

/** The one type key of a block or of an update. @throws ApiError when none or several are there */
export function typeKey(block: JsonObject, path: string): string {
  const named = block['type'];
  if (named !== undefined) {
    if (typeof named !== 'string' || !creatable.includes(named)) {
      throw shouldBe(`${path}.type`, creatable.map((each) => `\`"${each}"\``).join(', '), named);
    }
    if (block[named] === undefined) throw shouldBe(`${path}.${named}`, 'defined', undefined);
    return named;
  }
  const keys = creatable.filter((each) => block[each] !== undefined);
  const [only] = keys;
  if (only === undefined)
    throw invalid(
      `body failed validation: ${path} should define one block type, instead was \`${JSON.stringify(block)}\`.`,
    );
  return only;
}
