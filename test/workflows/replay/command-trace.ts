/** Turns the observable output of workflow code into lines to compare and to read. */
import type { Shown } from './trace-sinks.ts';

/** @returns a line for each command in full, and for each change of what an operator sees */
export function commandTrace(shown: readonly Shown[]): string[] {
  const lines: string[] = [];
  const last = new Map<string, string>();
  for (const one of shown) {
    if ('command' in one) {
      lines.push(JSON.stringify(readable(one.command)));
      continue;
    }
    const [what, line] =
      'query' in one
        ? [one.query, JSON.stringify({ [one.query]: one.answer })]
        : ['details', JSON.stringify({ details: one.details })];
    if (last.get(what) === line) continue;
    last.set(what, line);
    lines.push(line);
  }
  return lines;
}

/** For reading: payloads decoded, 64-bit numbers as numbers, empty fields left out. */
export function readable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readable);
  if (ArrayBuffer.isView(value))
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString();
  if (typeof value !== 'object' || value === null) return value;
  if ('data' in value && 'metadata' in value && ArrayBuffer.isView(value.data)) {
    const text = String(readable(value.data));
    return text === '' ? null : JSON.parse(text);
  }
  if ('toNumber' in value) return (value as { toNumber: () => number }).toNumber();
  const fields = Object.entries(value).flatMap(([name, field]) => {
    const shown = readable(field);
    // Path of the code on this machine.
    if (name === 'stackTrace') return [];
    // The replayer's own queue, numbered: what the code left to its default.
    if (name === 'taskQueue' && String(shown).startsWith('fake_replay_queue')) return [];
    return shown === null || shown === undefined || (Array.isArray(shown) && shown.length === 0)
      ? []
      : [[name, shown] as const];
  });
  return Object.fromEntries(fields);
}
