/** A page's blocks as markdown: one line per block, children behind a tab. */
import { liveChildren, showBlock } from './block-answer.ts';
import type { Call } from './call.ts';
import { asArray, asObject, asString, type JsonObject } from './json.ts';
import { inlineMarkdown, plainWords } from './markdown-inline.ts';
import type { Entity } from './state.ts';
import { titleOf, urlOf } from './title.ts';

export interface PageMarkdown {
  markdown: string;
  truncated: boolean;
  unknown: string[];
}

/** Blocks behind the limit are left out and named in `unknown`, as are types without a markdown form. */
export function pageMarkdown(call: Call, root: Entity, limit: number): PageMarkdown {
  const seen = { left: limit, cut: false, unknown: [] as string[] };
  const lines = root.kind === 'block' ? blockLines(call, root, seen) : childLines(call, root, seen);
  return { markdown: lines.join('\n'), truncated: seen.cut, unknown: seen.unknown };
}

interface Seen {
  left: number;
  cut: boolean;
  unknown: string[];
}

function childLines(call: Call, parent: Entity, seen: Seen): string[] {
  const lines: string[] = [];
  let number = 0;
  for (const child of liveChildren(call.world, parent)) {
    number = child.kind === 'block' && child.type === 'numbered_list_item' ? number + 1 : 0;
    if (seen.left <= 0) {
      seen.cut = true;
      seen.unknown.push(child.id);
      continue;
    }
    lines.push(...blockLines(call, child, seen, number));
  }
  return lines;
}

const prefixes: Record<string, string> = {
  heading_1: '# ',
  heading_2: '## ',
  heading_3: '### ',
  heading_4: '#### ',
  bulleted_list_item: '- ',
  quote: '> ',
};

function blockLines(call: Call, entity: Entity, seen: Seen, number = 1): string[] {
  seen.left -= 1;
  if (entity.kind === 'page')
    return [`<page url="${urlOf(call.world, entity)}">${titleOf(call.world, entity)}</page>`];
  if (entity.kind === 'database')
    return [`<database url="${urlOf(call.world, entity)}">${titleOf(call.world, entity)}</database>`];
  if (entity.kind === 'data_source') return [];
  const content = asObject(showBlock(call, entity)[entity.type]);
  if (entity.type === 'table') return tableLines(call, entity);
  const own = ownLines(entity.type, content, number);
  if (own === undefined) {
    seen.cut = true;
    seen.unknown.push(entity.id);
    return [`<unknown url="https://www.notion.so/${entity.id.replaceAll('-', '')}" alt="${entity.type}"/>`];
  }
  const inner = childLines(call, entity, seen);
  if (entity.type === 'toggle') {
    return ['<details>', ...own, ...inner.map((line) => `\t${line}`), '</details>'];
  }
  if (['column_list', 'column', 'synced_block'].includes(entity.type)) {
    const tag = { column_list: 'columns', column: 'column' }[entity.type] ?? 'synced_block';
    return [`<${tag}>`, ...inner.map((line) => `\t${line}`), `</${tag}>`];
  }
  return [...own, ...inner.map((line) => `\t${line}`)];
}

function ownLines(type: string, content: JsonObject, number: number): string[] | undefined {
  const text = inlineMarkdown(asArray(content['rich_text']));
  const prefix = prefixes[type];
  if (prefix !== undefined) return [`${prefix}${text}`];
  switch (type) {
    case 'paragraph':
      return [text];
    case 'numbered_list_item':
      return [`${number}. ${text}`];
    case 'to_do':
      return [`- [${content['checked'] === true ? 'x' : ' '}] ${text}`];
    case 'toggle':
      return [`<summary>${text}</summary>`];
    case 'callout':
      return [`<callout icon="${asString(asObject(content['icon'])['emoji'])}">${text}</callout>`];
    case 'code':
      return [
        `\`\`\`${asString(content['language'])}`,
        ...plainWords(content['rich_text']).split('\n'),
        '```',
      ];
    case 'equation':
      return [`$$${asString(content['expression'])}$$`];
    case 'divider':
      return ['---'];
    case 'column_list':
    case 'column':
    case 'synced_block':
      return [];
    case 'table_of_contents':
      return ['<table_of_contents/>'];
    case 'image':
    case 'video':
    case 'audio':
    case 'pdf':
    case 'file': {
      const file = asObject(content[asString(content['type'])]);
      return [
        `${type === 'image' ? '!' : ''}[${plainWords(content['caption']) || type}](${asString(file['url'])})`,
      ];
    }
    default:
      return undefined;
  }
}

function tableLines(call: Call, table: Entity): string[] {
  const rows = liveChildren(call.world, table).map((row) => {
    const cells = asArray(asObject(showBlock(call, row)['table_row'])['cells']);
    return `| ${cells.map((cell) => inlineMarkdown(asArray(cell))).join(' | ')} |`;
  });
  const columns = (rows[0]?.split('|').length ?? 3) - 2;
  const rule = `|${' --- |'.repeat(columns)}`;
  return [rows[0] ?? '', rule, ...rows.slice(1)];
}
