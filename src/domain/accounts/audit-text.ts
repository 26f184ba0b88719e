/** Writes the audit log for other programs: as CSV (RFC 4180) or as JSON lines. */
import type { AuditLine } from '../../contract/accounts/audit.ts';

export type AuditFormat = 'csv' | 'jsonl';

const columns = [
  'id',
  'at',
  'actor',
  'actor_id',
  'action',
  'target',
  'address',
  'position',
  'hash',
] as const satisfies readonly (keyof AuditLine)[];

/**
 * Yields the exported text, one entry at a time. CSV begins with a row of column names. JSON lines end with
 * `{"type":"end","lines":…}`, by which a reader recognizes that the text is complete.
 */
export async function* auditText(
  entries: AsyncIterable<AuditLine>,
  format: AuditFormat,
): AsyncGenerator<string> {
  if (format === 'csv') yield `${columns.join(',')}\r\n`;
  let lines = 0;
  for await (const entry of entries) {
    lines += 1;
    yield format === 'csv' ? csvRow(entry) : `${JSON.stringify({ type: 'audit_event', ...entry })}\n`;
  }
  if (format === 'jsonl') yield `${JSON.stringify({ type: 'end', lines })}\n`;
}

function csvRow(entry: AuditLine): string {
  return `${columns.map((column) => cell(entry[column])).join(',')}\r\n`;
}

/**
 * Matches a cell that spreadsheets would execute as a formula. The log contains names that users choose, so `cell`
 * writes an apostrophe before such a cell's text. See https://owasp.org/www-community/attacks/CSV_Injection
 */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

function cell(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  return `"${formula.test(text) ? "'" : ''}${text.replaceAll('"', '""')}"`;
}
