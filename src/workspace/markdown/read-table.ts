/** Converts the lines of a pipe table to a table block. */
import type { Block } from '../blocks/block.ts';
import { limits } from '../blocks/limits.ts';
import type { Pieces } from '../blocks/pieces.ts';
import { withoutTail } from './lines.ts';
import { readInline } from './read-inline.ts';

/**
 * Maximum cells of a table whose short rows are padded with empty cells. Chosen: a table of the maximum width
 * (`limits.tableWidth`) can have 1,000 rows.
 */
const maxCells = 100_000;

export const isPipeLine = (line: string): boolean => /^\|.*\|$/s.test(line) && line.length > 2;

export const isDelimiterLine = (line: string): boolean =>
  /^\|(?:\s*:?-+:?\s*\|)+$/.test(line) || /^:?-+:?(?:\s*\|\s*:?-+:?)+$/.test(line);

/** Splits a line at its pipes. A pipe after a backslash belongs to the text of its cell. */
function cellTexts(line: string): string[] {
  return line
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => withoutTail(cell.replace(/^[ \t]+/, '')).replaceAll('\\|', '|'));
}

/** Collects the warnings, and counts rows, empty cells and runs of text. */
type Reading = { warnings: string[]; pieces: Pieces };

function readRow(texts: readonly string[], width: number, { warnings, pieces }: Reading): Block {
  const cells = texts.map((text) => {
    if (text === '') return [];
    const cell = readInline(text, pieces);
    for (const warning of cell.warnings) warnings.push(warning);
    return cell.items;
  });
  while (cells.length < width) cells.push([]);
  return { type: 'table_row', body: { cells }, children: [] };
}

/**
 * Makes a table block. Pads short rows with empty cells to the width of the widest row, so that no text is lost. A
 * table with too many columns or cells is not padded, because one wide row could multiply its size.
 * @throws ActionError INVALID_INPUT if `reading.pieces` has counted too many pieces
 */
export function readTable(
  lines: readonly string[],
  flags: { headerRow: boolean; headerColumn: boolean },
  reading: Reading,
): Block {
  const rows = lines.map((line) => {
    const texts = cellTexts(line);
    reading.pieces.add(1 + texts.filter((text) => text === '').length);
    return texts;
  });
  const width = rows.reduce((widest, { length }) => Math.max(widest, length), 1);
  const fits = width <= limits.tableWidth && width * lines.length <= maxCells;
  return {
    type: 'table',
    body: { table_width: width, has_column_header: flags.headerRow, has_row_header: flags.headerColumn },
    children: rows.map((texts) => readRow(texts, fits ? width : 0, reading)),
  };
}
