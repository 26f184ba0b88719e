/**
 * Splits a long reply into messages that WhatsApp accepts. Cuts at a blank line, a line break, the end of a sentence
 * or a space, in this order of preference. If none of these leaves a part that is full enough, cuts inside a word. If
 * a code block is cut, it is closed in one part and opened again in the next.
 */

const fence = '```';
/** Number of characters that an added code fence with its line break takes. */
const fenceRoom = fence.length + 1;
/** Minimum share of the room that a part must fill, for each kind of cut. Without it, parts could be tiny. Chosen. */
const minFill = { line: 0.5, sentence: 0.5, space: 0.25 };

/**
 * Splits a reply.
 * @param limit maximum UTF-16 code units of one part, at least 64
 * @returns the parts in order, none of them blank; an empty list for a blank text. The joined parts equal the text,
 * except for white space and code fences at the cuts.
 * @throws RangeError if `limit` is below 64
 */
export function splitReply(text: string, limit = 4096): string[] {
  if (limit < 64) throw new RangeError('A part needs room for at least 64 units');
  const parts: string[] = [];
  let rest = text.trim() === '' ? '' : text;
  let insideCode = false;
  while (rest.length + (insideCode ? fenceRoom : 0) > limit) {
    const opening = insideCode ? `${fence}\n` : '';
    const { end, next } = withoutOpeningFence(rest, cut(rest, limit - 2 * fenceRoom), insideCode);
    const part = rest.slice(0, end);
    const endsInside: boolean = insideCode !== hasOddFences(part);
    if (part.trim() !== '') parts.push(`${opening}${part}${endsInside ? `\n${fence}` : ''}`);
    rest = rest.slice(next);
    // If the rest begins with the closing fence, the fence is dropped, because this part already closes the code block.
    const closesAtOnce: boolean = endsInside && rest.trimStart().startsWith(fence);
    if (closesAtOnce) rest = rest.trimStart().slice(fence.length).trimStart();
    insideCode = endsInside && !closesAtOnce;
  }
  if (rest.trim() !== '') parts.push(insideCode ? `${fence}\n${rest}` : rest);
  return parts;
}

type Cut = { readonly end: number; readonly next: number };

function hasOddFences(text: string): boolean {
  return text.split(fence).length % 2 === 0;
}

/**
 * If the part would end with the opening fence of a code block, moves the cut before this fence, unless the part would
 * then be blank.
 */
function withoutOpeningFence(text: string, found: Cut, insideCode: boolean): Cut {
  const part = text.slice(0, found.end);
  if (insideCode === hasOddFences(part) || !part.endsWith(fence)) return found;
  const start = found.end - fence.length;
  return part.slice(0, start).trim() === '' ? found : { end: trimmedEnd(text, start), next: start };
}

/**
 * Returns where this part ends and where the next one starts. The text between the two is only white space. `next` is
 * at least 1.
 */
function cut(text: string, room: number): Cut {
  const window = text.slice(0, room + 1);
  for (const pattern of [/\n[ \t]*\r?\n/g, /\n/g]) {
    const at = lastMatch(window, pattern, room * minFill.line, room);
    // The next line keeps its indentation, which is significant in code.
    if (at !== null) return { end: trimmedEnd(text, at), next: afterBlankLines(text, at) };
  }
  const sentenceEnd = /(?<=[.!?…。！？]["'”’)\]]{0,3})\s/gu;
  const space =
    lastMatch(window, sentenceEnd, room * minFill.sentence, room) ??
    lastMatch(window, /\s/g, room * minFill.space, room);
  if (space !== null && !joinsPrevious(text, space + 1)) {
    return { end: trimmedEnd(text, space), next: afterSpaces(text, space) };
  }
  const at = beforeBackticks(text, lastGraphemeEnd(text, room));
  return { end: at, next: at };
}

function lastMatch(window: string, pattern: RegExp, min: number, max: number): number | null {
  let found: number | null = null;
  for (const match of window.matchAll(pattern)) {
    if (match.index >= min && match.index <= max) found = match.index;
  }
  return found;
}

function trimmedEnd(text: string, at: number): number {
  return text.slice(0, at).trimEnd().length;
}

function afterBlankLines(text: string, at: number): number {
  const blank = /^(?:[ \t]*\r?\n)+/.exec(text.slice(at));
  return at + (blank?.[0].length ?? 0);
}

function afterSpaces(text: string, at: number): number {
  const tail = text.slice(at);
  return at + tail.length - tail.trimStart().length;
}

/** True if the character at `at` combines with the one before, as an accent does. */
function joinsPrevious(text: string, at: number): boolean {
  return /^[\p{M}\u200d\ufe0f]/u.test(text.slice(at, at + 2));
}

function lastGraphemeEnd(text: string, max: number): number {
  // Segments only 64 UTF-16 code units past `max`. This is enough to find out whether the grapheme at `max` continues.
  const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(
    text.slice(0, max + 64),
  );
  let end = 0;
  for (const { index } of segments) {
    if (index > max) break;
    end = index;
  }
  if (end > 0) return end;
  // A grapheme longer than a whole part is cut between its code points.
  const code = text.charCodeAt(max - 1);
  return code >= 0xd800 && code <= 0xdbff ? max - 1 : max;
}

function beforeBackticks(text: string, at: number): number {
  let start = at;
  while (start > 0 && text[start] === '`' && text[start - 1] === '`') start -= 1;
  return start > 0 && at - start < fence.length ? start : at;
}
