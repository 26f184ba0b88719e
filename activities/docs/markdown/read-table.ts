/** Pipe lines → table rows. */
import type { Block } from '../blocks/block.ts';
import { withoutTail } from './lines.ts';
import { readInline } from './read-inline.ts';

export const isPipeLine = (line: string): boolean => /^\|.*\|$/s.test(line) && line.length > 2;

export const isDelimiterLine = (line: string): boolean =>
  /^\|(?:\s*:?-+:?\s*\|)+$/.test(line) || /^:?-+:?(?:\s*\|\s*:?-+:?)+$/.test(line);

/** Splits at pipes without a backslash before them; `\|` is a pipe in the cell. */
function cellTexts(line: string): string[] {
  return line
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => withoutTail(cell.replace(/^[ \t]+/, '')).replaceAll('\\|', '|'));
}

export function readRow(line: string, width: number, warnings: string[]): Block {
  const texts = cellTexts(line);
  const cells = Array.from({ length: Math.max(width, texts.length) }, (_, index) => {
    const cell = readInline(texts[index] ?? '');
    warnings.push(...cell.warnings);
    return cell.items;
  });
  return { type: 'table_row', body: { cells }, children: [] };
}

/** Rows of different width are filled with empty cells: nothing that was written is dropped. */
export function readTable(
  lines: readonly string[],
  flags: { headerRow: boolean; headerColumn: boolean },
  warnings: string[],
): Block {
  const width = Math.max(1, ...lines.map((line) => cellTexts(line).length));
  return {
    type: 'table',
    body: { table_width: width, has_column_header: flags.headerRow, has_row_header: flags.headerColumn },
    children: lines.map((line) => readRow(line, width, warnings)),
  };
}
