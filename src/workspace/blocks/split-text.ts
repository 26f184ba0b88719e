/** Splits text into pieces that a field can hold, never inside a surrogate pair or a grapheme. */
import { limits } from './block-limits.ts';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The last cut at or before `limit` that reads best: after a line, a sentence, a word, or any character. */
function cutAt(text: string, limit: number): number {
  const window = text.slice(0, limit);
  const earliest = Math.floor(limit / 2);
  const line = window.lastIndexOf('\n') + 1;
  if (line > earliest) return line;
  let sentence = 0;
  for (const match of window.matchAll(/[.!?…。！？]["'”’)\]]?\s/gu)) sentence = match.index + match[0].length;
  if (sentence > earliest) return sentence;
  const space = window.lastIndexOf(' ') + 1;
  if (space > earliest) return space;
  return characterBoundary(text, limit);
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function characterBoundary(text: string, limit: number): number {
  // A grapheme is short, so only the text around the cut is segmented, from a position between surrogate pairs.
  const from = Math.max(0, limit - 200);
  const start = isLowSurrogate(text.charCodeAt(from)) ? from + 1 : from;
  let boundary = start;
  for (const { index } of graphemes.segment(text.slice(start, limit + 200))) {
    if (start + index > limit) break;
    boundary = start + index;
  }
  if (boundary > start) return boundary;
  return isLowSurrogate(text.charCodeAt(limit)) ? limit - 1 : limit;
}

/**
 * @param limit UTF-16 code units per piece, at least 2
 * @returns pieces whose concatenation is the text; one empty piece for the empty text
 */
export function splitText(text: string, limit: number = limits.textContent): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > limit) {
    const cut = cutAt(rest, limit);
    pieces.push(rest.slice(0, cut));
    rest = rest.slice(cut);
  }
  return [...pieces, rest];
}
