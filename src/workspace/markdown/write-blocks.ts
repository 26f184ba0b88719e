/**
 * Writes blocks as workspace-flavored markdown that read-blocks.ts reads back to the same blocks: standard markdown if
 * it can express the block, otherwise a tag. Children are indented by one tab.
 */
import type { JsonObject } from '../../contract/workspace/actions.ts';
import { isHeading, richTextOf, type Block } from '../blocks/block.ts';
import { plainText } from '../blocks/rich-text.ts';
import { objectAt, textAt } from '../json-value.ts';
import { writeAttributes } from './inline-tags.ts';
import { backtickRunLength, writeInline } from './write-inline.ts';
import { isPipeTable, writeRow } from './write-table.ts';

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
