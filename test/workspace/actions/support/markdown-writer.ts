/**
 * Blocks → workspace-flavored markdown, as the workspace itself writes it: standard markdown where it says enough, a
 * tag where it does not, children indented by one tab. The readers of src/workspace/markdown read it back to the same
 * blocks.
 */
import type { JsonObject } from '../../../../src/contract/workspace/actions.ts';
import { isHeading, richTextOf, type Block } from '../../../../src/workspace/blocks/block.ts';
import {
  cleanRichTextItem,
  isLinkTarget,
  plainText,
  readAnnotations,
  type Annotations,
} from '../../../../src/workspace/blocks/rich-text.ts';
import { isObject, objectAt, textAt } from '../../../../src/workspace/json-value.ts';

const writeAttributes = (attributes: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(attributes)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`)
    .join('');

const escapeAttribute = (value: string): string =>
  value
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('{', '&#123;')
    .replaceAll('}', '&#125;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\r', '&#13;');

/** @returns the tag of a mention item in the request form, or undefined when it is none */
function writeMention(item: JsonObject): string | undefined {
  const value = objectAt(item, 'mention');
  const type = value?.['type'];
  if (value === undefined || typeof type !== 'string') return undefined;
  const fields = value[type];
  if (!isObject(fields)) return undefined;
  const attributes: Record<string, string> = {};
  for (const [key, field] of Object.entries(fields)) if (typeof field === 'string') attributes[key] = field;
  return `<mention-${type.replaceAll('_', '-')}${writeAttributes(attributes)}/>`;
}

const numeric = (character: string): string => `&#${character.charCodeAt(0)};`;

/** A `_` inside a word marks nothing, so it stays unescaped and readable. */
function escapeText(text: string): string {
  return text
    .replace(/[\\`*~[\]<]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/&(?=#\d)/g, '\\&')
    .replace(/\$(?=\\`)/g, '\\$')
    .replace(/\r/g, '&#13;')
    .replace(/\n/g, '<br>');
}

function markers(annotations: Annotations): string | undefined {
  const { bold, italic, strikethrough, underline, code, color } = annotations;
  if (underline === true || color !== undefined || code === true) return undefined;
  if (strikethrough === true) return bold === true || italic === true ? undefined : '~~';
  return `${bold === true ? '**' : ''}${italic === true ? '*' : ''}`;
}

const onlyCode = (annotations: Annotations): boolean =>
  annotations.code === true && Object.keys(annotations).length === 1;

/** The length of the longest run of backticks. */
function backtickRunLength(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

function codeSpan(text: string): string | undefined {
  if (/[\n\r]/.test(text) || text.trim() === '') return undefined;
  const fence = '`'.repeat(backtickRunLength(text) + 1);
  const pad = /^[ `]|[ `]$/.test(text) ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}

function span(content: string, annotations: Annotations): string {
  const { color, ...flags } = annotations;
  const attributes = Object.fromEntries(Object.keys(flags).map((name) => [name, 'true']));
  return `<span${writeAttributes({ ...attributes, color })}>${content}</span>`;
}

function styled(text: string, annotations: Annotations, before: string): string {
  if (Object.keys(annotations).length === 0) return escapeText(text);
  const free = !/[*_~`\\$]$/.test(before);
  if (onlyCode(annotations) && free) {
    const code = codeSpan(text);
    if (code !== undefined) return code;
  }
  const marker = markers(annotations);
  const tight = !/^\s|\s$/.test(text) && text !== '';
  if (marker !== undefined && free && tight) return `${marker}${escapeText(text)}${marker}`;
  return span(escapeText(text), annotations);
}

function writeItem(item: JsonObject, before: string): string {
  const annotations = readAnnotations(item['annotations']);
  const text = objectAt(item, 'text');
  const content = textAt(text, 'content');
  if (text !== undefined && content !== undefined) {
    const url = textAt(objectAt(text, 'link'), 'url');
    if (url === undefined || !isLinkTarget(url) || /[<>\n]/.test(url))
      return styled(content, annotations, before);
    return `[${styled(content, annotations, '[')}](${/[\s()]/.test(url) ? `<${url}>` : url})`;
  }
  const expression = textAt(objectAt(item, 'equation'), 'expression');
  const written = expression === undefined ? writeMention(item) : `$\`${expression}\`$`;
  if (written === undefined) return '';
  return Object.keys(annotations).length === 0 ? written : span(written, annotations);
}

/** Accepts items of either form and leaves out whatever is not rich text. Line breaks become `<br>`. */
export function writeInline(items: readonly unknown[]): string {
  const written: string[] = [];
  let before = '';
  for (const item of items) {
    const clean = cleanRichTextItem(item);
    if (typeof clean === 'string') continue;
    const text = writeItem(clean, before);
    written.push(text);
    before = text.at(-1) ?? before;
  }
  return written
    .join('')
    .replace(/^[ \t]/, numeric)
    .replace(/[ \t]$/, numeric);
}

const bullets: Readonly<Record<string, string>> = {
  bulleted_list_item: '- ',
  numbered_list_item: '1. ',
  quote: '> ',
};

/** Escapes characters that would turn a plain line into another block. */
function plainLine(text: string): string {
  return text
    .replace(/^([#>|+=-]|\$\$)/, '\\$1')
    .replace(/^(\d{1,9})([.)])/, '$1\\$2')
    .replace(/\{(?=[^{}]*\}$)/, '\\{');
}

const textAttribute = (body: JsonObject, key: string): string | undefined => textAt(body, key);

/** Writes an icon as one attribute: the emoji itself, or its kind and value. */
function iconAttribute(body: JsonObject): string | undefined {
  const icon = objectAt(body, 'icon');
  const type = textAt(icon, 'type');
  if (icon === undefined || type === undefined) return undefined;
  if (type === 'emoji') return textAt(icon, 'emoji');
  const value = objectAt(icon, type);
  return `${type}:${textAt(value, 'url') ?? textAt(value, 'id') ?? JSON.stringify(value ?? null)}`;
}

function suffix(attributes: Readonly<Record<string, string | undefined>>): string {
  const written = writeAttributes(attributes).trim();
  return written === '' ? '' : ` {${written}}`;
}

function headLine(block: Block): string | undefined {
  const text = writeInline(richTextOf(block));
  const color = textAttribute(block.body, 'color');
  if (block.type === 'paragraph') {
    const icon = iconAttribute(block.body);
    const extra = suffix({ color, icon });
    if (text === '') return extra === '' ? '<empty-block/>' : `<empty-block/>${extra}`;
    return `${plainLine(text)}${extra}`;
  }
  if (isHeading(block.type)) {
    const toggle = block.body['is_toggleable'] === true ? 'true' : undefined;
    return `${'#'.repeat(Number(block.type.slice(-1)))} ${plainLine(text)}${suffix({ toggle, color })}`;
  }
  if (block.type === 'to_do')
    return `- [${block.body['checked'] === true ? 'x' : ' '}] ${plainLine(text)}${suffix({ color })}`;
  const bullet = bullets[block.type];
  return bullet === undefined ? undefined : `${bullet}${plainLine(text)}${suffix({ color })}`;
}

function caption(body: JsonObject): string | undefined {
  const text = writeInline(Array.isArray(body['caption']) ? body['caption'] : []);
  return text === '' ? undefined : text;
}

function codeLines(block: Block): string[] {
  const text = plainText(richTextOf(block));
  const fence = '`'.repeat(Math.max(2, backtickRunLength(text)) + 1);
  const language = textAttribute(block.body, 'language') ?? 'plain text';
  return [`${fence}${language}${suffix({ caption: caption(block.body) })}`, ...text.split('\n'), fence];
}

function equationLines(block: Block): string[] {
  const expression = textAttribute(block.body, 'expression') ?? '';
  const safe = !/\$\$|\r/.test(expression) && expression.trim() === expression && expression !== '';
  return safe ? ['$$', ...expression.split('\n'), '$$'] : [`<equation${writeAttributes({ expression })}/>`];
}

function mediaLine(block: Block): string {
  const { body, type } = block;
  const src =
    textAt(objectAt(body, 'external'), 'url') ??
    textAt(objectAt(body, 'file'), 'url') ??
    textAttribute(body, 'url');
  const upload = textAt(objectAt(body, 'file_upload'), 'id');
  return `<${type}${writeAttributes({ src, upload, name: textAttribute(body, 'name'), caption: caption(body) })}/>`;
}

const indented = (lines: readonly string[]): string[] =>
  lines.map((line) => (line === '' ? '' : `\t${line}`));

function container(
  tag: string,
  attributes: Readonly<Record<string, string | undefined>>,
  inner: readonly string[],
): string[] {
  return [`<${tag}${writeAttributes(attributes)}>`, ...indented(inner), `</${tag}>`];
}

/** The text of a callout or template is its first line inside. */
const withText = (block: Block): string[] => [
  plainLine(writeInline(richTextOf(block))) || '<empty-block/>',
  '',
  ...writeList(block.children),
];

function tableLines(block: Block): string[] {
  const rows = block.children.map(writeRow);
  if (isPipeTable(block)) {
    const width = Number(block.body['table_width']);
    return [rows[0] ?? '', `|${' --- |'.repeat(width)}`, ...rows.slice(1)];
  }
  const flag = (name: string) => (block.body[name] === true ? 'true' : undefined);
  return container(
    'table',
    { 'header-row': flag('has_column_header'), 'header-column': flag('has_row_header') },
    rows,
  );
}

function otherLines(block: Block): string[] {
  const { body, type, children } = block;
  const color = textAttribute(body, 'color');
  switch (type) {
    case 'code':
      return codeLines(block);
    case 'equation':
      return equationLines(block);
    case 'divider':
      return ['---'];
    case 'toggle':
      return [
        `<details${writeAttributes({ color })}>`,
        `<summary>${writeInline(richTextOf(block))}</summary>`,
        ...indented(writeList(children)),
        '</details>',
      ];
    case 'callout':
      return container('callout', { icon: iconAttribute(body), color }, withText(block));
    case 'template':
      return container('template', {}, withText(block));
    case 'table':
      return tableLines(block);
    case 'table_row':
      return [writeRow(block)];
    case 'column_list':
      return container('columns', {}, writeList(children));
    case 'column': {
      const ratio = body['width_ratio'];
      return container(
        'column',
        { width_ratio: typeof ratio === 'number' ? String(ratio) : undefined },
        writeList(children),
      );
    }
    case 'tab':
      return container('tab', {}, writeList(children));
    case 'synced_block': {
      const from = textAt(objectAt(body, 'synced_from'), 'block_id');
      return from === undefined
        ? container('synced_block', {}, writeList(children))
        : [`<synced_block${writeAttributes({ from })}/>`];
    }
    case 'table_of_contents':
    case 'breadcrumb':
      return [`<${type}${writeAttributes({ color })}/>`];
    case 'link_to_page': {
      const { page_id, database_id, comment_id } = {
        page_id: textAt(body, 'page_id'),
        database_id: textAt(body, 'database_id'),
        comment_id: textAt(body, 'comment_id'),
      };
      return [`<link_to_page${writeAttributes({ page_id, database_id, comment_id })}/>`];
    }
    case 'image':
    case 'video':
    case 'audio':
    case 'file':
    case 'pdf':
    case 'embed':
    case 'bookmark':
      return [mediaLine(block)];
    default:
      return [
        `<unknown${writeAttributes({ type, title: textAt(body, 'title'), url: textAt(body, 'url') })}/>`,
      ];
  }
}

function writeBlock(block: Block): string[] {
  const head = headLine(block);
  return head === undefined ? otherLines(block) : [head, ...indented(writeList(block.children))];
}

const listTypes = new Set(['bulleted_list_item', 'numbered_list_item', 'to_do']);

function writeList(blocks: readonly Block[]): string[] {
  return blocks.flatMap((block, index) => {
    const before = blocks[index - 1];
    const together =
      before === undefined ||
      (before.type === block.type &&
        (listTypes.has(block.type) || block.type === 'column' || block.type === 'table_row'));
    return together ? writeBlock(block) : ['', ...writeBlock(block)];
  });
}

/** Markdown has no form for these blocks. `<unknown type="…"/>` stands for a block that cannot be created. */
export function writeBlocks(blocks: readonly Block[]): string {
  return writeList(blocks).join('\n');
}

function cellsOf(row: Block): readonly unknown[] {
  const cells = row.body['cells'];
  return Array.isArray(cells) ? cells : [];
}

function writeRow(row: Block): string {
  const cells = cellsOf(row).map((cell) =>
    writeInline(Array.isArray(cell) ? cell : []).replaceAll('|', '\\|'),
  );
  return `| ${cells.join(' | ')} |`;
}

/** Standard markdown can only express a table with a header row and without a header column. */
function isPipeTable(table: Block): boolean {
  return table.body['has_column_header'] === true && table.body['has_row_header'] !== true;
}
