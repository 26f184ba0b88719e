/** Writes table rows as pipe lines. */
import type { Block } from '../blocks/block.ts';
import { writeInline } from './write-inline.ts';

function cellsOf(row: Block): readonly unknown[] {
  const cells = row.body['cells'];
  return Array.isArray(cells) ? cells : [];
}

export function writeRow(row: Block): string {
  const cells = cellsOf(row).map((cell) =>
    writeInline(Array.isArray(cell) ? cell : []).replaceAll('|', '\\|'),
  );
  return `| ${cells.join(' | ')} |`;
}

/** Standard markdown can only express a table with a header row and without a header column. */
export function isPipeTable(table: Block): boolean {
  return table.body['has_column_header'] === true && table.body['has_row_header'] !== true;
}
