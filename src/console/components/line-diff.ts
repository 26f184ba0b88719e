/** Compares two texts line by line. */

export interface DiffLine {
  kind: 'same' | 'removed' | 'added';
  text: string;
}
/** A line, or a gap: `lines` is the number of unchanged lines that are left out. */
export type DiffPart = DiffLine | { kind: 'gap'; lines: number };

/** Maximum number of pairs of lines to compare. A pair takes 4 bytes of memory, so the maximum takes 4 MB. Chosen. */
const maxPairs = 1_000_000;

/**
 * Returns the lines of both texts in order. In each changed part, the removed lines come before the added ones. If the
 * part between the common start and the common end has more than `maxPairs` pairs of lines, it counts as one change:
 * all its old lines are removed, and all its new lines are added.
 */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  const shorter = Math.min(old.length, now.length) - start;
  while (end < shorter && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  return [
    ...as('same', now.slice(0, start)),
    ...middle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...as('same', now.slice(now.length - end)),
  ];
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'));
const as = (kind: DiffLine['kind'], lines: readonly string[]): DiffLine[] =>
  lines.map((text) => ({ kind, text }));

function middle(old: readonly string[], now: readonly string[]): DiffLine[] {
  if (old.length * now.length > maxPairs) return [...as('removed', old), ...as('added', now)];
  // common[i * width + j]: length of the longest common subsequence of `old` from i and `now` from j.
  const width = now.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      common[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [removed, added] = [old[i], now[j]];
    if (removed !== undefined && removed === added) {
      lines.push({ kind: 'same', text: removed });
      i += 1;
      j += 1;
    } else if (removed !== undefined && (added === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: 'removed', text: removed });
      i += 1;
    } else if (added !== undefined) {
      lines.push({ kind: 'added', text: added });
      j += 1;
    }
  }
  return lines;
}

/**
 * Replaces consecutive unchanged lines with a gap if all of them are more than `context` lines away from every change.
 * A single such line stays.
 */
export function shortened(lines: readonly DiffLine[], context = 3): DiffPart[] {
  const isNear = new Uint8Array(lines.length);
  lines.forEach(({ kind }, index) => {
    if (kind !== 'same') isNear.fill(1, Math.max(0, index - context), index + context + 1);
  });
  const parts: DiffPart[] = [];
  for (let index = 0; index < lines.length;) {
    let far = 0;
    while (index + far < lines.length && isNear[index + far] === 0) far += 1;
    if (far > 1) parts.push({ kind: 'gap', lines: far });
    else parts.push(...lines.slice(index, index + Math.max(far, 1)));
    index += Math.max(far, 1);
  }
  return parts;
}
