/** Table rows as pipe lines. */
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

/** A table with a header row and no header column is what standard markdown can say. */
export function isPipeTable(table: Block): boolean {
  return table.body['has_column_header'] === true && table.body['has_row_header'] !== true;
}
