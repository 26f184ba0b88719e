/** Page markdown to blocks. Children are indented by a tab, as the markdown endpoint answers them. */
import type { Call } from './call.ts';
import { blockContent } from './block-content.ts';
import type { Draft } from './block-tree.ts';
import { codeLanguages } from './code-languages.ts';
import type { Json, JsonObject } from './json.ts';
import { inline } from './markdown-inline.ts';
import { richText } from './rich-text.ts';

/** @param takeTitle the first h1 becomes the title, as on a page created without one */
export function markdownDrafts(
  call: Call,
  text: string,
  takeTitle: boolean,
): { blocks: Draft[]; title: Json[] | undefined } {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const first = lines.findIndex((line) => line.trim() !== '');
  const heading = /^# (.+)$/.exec(lines[first] ?? '')?.[1];
  if (takeTitle && heading !== undefined) {
    return {
      blocks: blocks(call, lines.slice(first + 1)),
      title: richText(call, inline(heading), 'body.markdown'),
    };
  }
  return { blocks: blocks(call, lines), title: undefined };
}

function blocks(call: Call, lines: string[]): Draft[] {
  const found: Draft[] = [];
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? '';
    if (line.trim() === '') {
      at += 1;
      continue;
    }
    const long = fence(call, lines, at) ?? table(call, lines, at) ?? details(call, lines, at);
    if (long !== undefined) {
      found.push(long.draft);
      at = long.next;
      continue;
    }
    const own = single(call, line);
    const inner: string[] = [];
    at += 1;
    while (at < lines.length && /^(\t| {2,})/.test(lines[at] ?? '')) {
      inner.push((lines[at] ?? '').replace(/^(\t| {2,4})/, ''));
      at += 1;
    }
    if (inner.length > 0) own.children = blocks(call, inner);
    found.push(own);
  }
  return found;
}

interface Long {
  draft: Draft;
  next: number;
}

function make(call: Call, type: string, content: JsonObject): Draft {
  return { type, content: blockContent(call, type, content, 'body.markdown'), children: [] };
}

function fence(call: Call, lines: string[], at: number): Long | undefined {
  const open = /^```\s*(\S.*)?$/.exec(lines[at] ?? '');
  if (open === null) return undefined;
  const end = lines.findIndex((line, index) => index > at && line.trim() === '```');
  const stop = end < 0 ? lines.length : end;
  const name = open[1]?.trim() ?? '';
  const language = codeLanguages.includes(name) ? name : 'plain text';
  const code = lines.slice(at + 1, stop).join('\n');
  const rich = code.match(/[\s\S]{1,2000}/g) ?? [];
  const draft = make(call, 'code', {
    rich_text: rich.map((content) => ({ type: 'text', text: { content } })),
    language,
  });
  return { draft, next: stop + 1 };
}

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replaceAll(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());

function table(call: Call, lines: string[], at: number): Long | undefined {
  const rule = lines[at + 1] ?? '';
  if (
    !(lines[at] ?? '').trim().startsWith('|') ||
    !/^\s*\|?[\s:|-]+\|?\s*$/.test(rule) ||
    !rule.includes('-')
  )
    return undefined;
  const header = cellsOf(lines[at] ?? '');
  let next = at + 2;
  while ((lines[next] ?? '').trim().startsWith('|')) next += 1;
  const rows = [header, ...lines.slice(at + 2, next).map(cellsOf)];
  const draft = make(call, 'table', {
    table_width: header.length,
    has_column_header: true,
    has_row_header: false,
  });
  draft.children = rows.map((row) =>
    make(call, 'table_row', { cells: header.map((_, index) => inline(row[index] ?? '')) }),
  );
  return { draft, next };
}

function details(call: Call, lines: string[], at: number): Long | undefined {
  if ((lines[at] ?? '').trim() !== '<details>') return undefined;
  const end = lines.findIndex((line, index) => index > at && line.trim() === '</details>');
  if (end < 0) return undefined;
  const inner = lines.slice(at + 1, end);
  const summary = /^\s*<summary>(.*)<\/summary>\s*$/.exec(inner[0] ?? '')?.[1];
  const draft = make(call, 'toggle', { rich_text: inline(summary ?? '') });
  draft.children = blocks(
    call,
    (summary === undefined ? inner : inner.slice(1)).map((line) => line.replace(/^\t/, '')),
  );
  return { draft, next: end + 1 };
}

function single(call: Call, line: string): Draft {
  const rules: [RegExp, (found: RegExpExecArray) => Draft][] = [
    [/^(#{1,4}) (.*)$/, (f) => make(call, `heading_${f[1]?.length ?? 1}`, { rich_text: inline(f[2] ?? '') })],
    [/^(?:---|\*\*\*|___)\s*$/, () => make(call, 'divider', {})],
    [
      /^[-*+] \[( |x|X)\] (.*)$/,
      (f) => make(call, 'to_do', { rich_text: inline(f[2] ?? ''), checked: f[1] !== ' ' }),
    ],
    [/^[-*+] (.*)$/, (f) => make(call, 'bulleted_list_item', { rich_text: inline(f[1] ?? '') })],
    [/^\d+[.)] (.*)$/, (f) => make(call, 'numbered_list_item', { rich_text: inline(f[1] ?? '') })],
    [/^> ?(.*)$/, (f) => make(call, 'quote', { rich_text: inline(f[1] ?? '') })],
    [/^\$\$(.+)\$\$$/, (f) => make(call, 'equation', { expression: f[1] ?? '' })],
    [
      /^!\[([^\]]*)\]\((https?:[^)\s]+)\)$/,
      (f) => make(call, 'image', { caption: inline(f[1] ?? ''), external: { url: f[2] ?? '' } }),
    ],
  ];
  for (const [pattern, build] of rules) {
    const found = pattern.exec(line);
    if (found !== null) return build(found);
  }
  return make(call, 'paragraph', { rich_text: inline(line) });
}
