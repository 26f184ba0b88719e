/** Finds where an inline construct of markdown ends: code spans, links, emphasis. */
import type { Annotations } from '../blocks/rich-text.ts';

// Two code units are looked at: a letter beyond the basic plane has as many.
const endsInWord = (text: string, at: number) => /[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, at - 2), at));
const beginsWord = (text: string, at: number) => /^[\p{L}\p{N}]/u.test(text.slice(at, at + 2));
const space = /\s/;

/** How far a closing marker is looked for: keeps a text full of lone markers from taking quadratic time. */
const reach = 5000;

/** A code span: as many backticks at the end as at the start. One space of padding on both sides is dropped. */
export function matchCode(text: string, at: number): { text: string; end: number } | undefined {
  const fence = /^`+/.exec(text.slice(at))?.[0] ?? '';
  let close = text.indexOf(fence, at + fence.length);
  while (close !== -1) {
    const run = /^`+/.exec(text.slice(close))?.[0].length ?? 0;
    if (run === fence.length) {
      const inner = text.slice(at + fence.length, close);
      const padded = inner.length > 2 && inner.startsWith(' ') && inner.endsWith(' ') && inner.trim() !== '';
      return { text: padded ? inner.slice(1, -1) : inner, end: close + run };
    }
    close = text.indexOf(fence, close + run);
  }
  return undefined;
}

function closingBracket(text: string, at: number): number | undefined {
  let depth = 0;
  const last = Math.min(text.length, at + reach);
  for (let i = at; i < last; i += 1) {
    const character = text[i];
    if (character === '\\') i += 1;
    else if (character === '`') i = (matchCode(text, i)?.end ?? i + 1) - 1;
    else if (character === '[') depth += 1;
    else if (character === ']') {
      depth -= 1;
      if (depth === 0) return i;
    }
  }
  return undefined;
}

const target =
  /^\((?:<([^<>\n]*)>|((?:[^\s()]|\((?:[^\s()]|\([^\s()]*\))*\))*))(?:\s+(?:"[^"]*"|'[^']*'))?\)/;

/** `[label](url)` or `[label](<url>)`, with an optional title that is dropped. */
export function matchLink(text: string, at: number): { label: string; url: string; end: number } | undefined {
  const close = closingBracket(text, at);
  if (close === undefined) return undefined;
  const match = target.exec(text.slice(close + 1));
  if (match === null) return undefined;
  const url = match[1] ?? match[2] ?? '';
  return { label: text.slice(at + 1, close), url, end: close + 1 + match[0].length };
}

function runLength(text: string, at: number): number {
  const character = text[at];
  let end = at;
  while (text[end] === character) end += 1;
  return end - at;
}

/** The marker that starts here, or undefined when this run cannot open emphasis. */
function opener(text: string, at: number): string | undefined {
  const character = text.charAt(at);
  const length = runLength(text, at);
  const after = text[at + length];
  if (after === undefined || space.test(after)) return undefined;
  if (character === '_' && endsInWord(text, at)) return undefined;
  if (character === '~') return length === 2 ? '~~' : undefined;
  return length <= 3 ? character.repeat(length) : undefined;
}

function canClose(text: string, at: number, length: number): boolean {
  const before = text[at - 1];
  if (before === undefined || space.test(before)) return false;
  return text[at] !== '_' || !beginsWord(text, at + length);
}

/**
 * The closing run of the emphasis that starts at `at`. Inner runs of another length are taken as pairs; a run of
 * three ends the inner pair and the outer one together.
 */
export function findCloser(text: string, at: number): { marker: string; close: number } | undefined {
  const marker = opener(text, at);
  if (marker === undefined) return undefined;
  const character = marker.charAt(0);
  let innerOpen = false;
  const last = Math.min(text.length, at + reach);
  for (let i = at + marker.length; i < last; i += 1) {
    const here = text[i];
    if (here === '\\') i += 1;
    else if (here === '`') i = (matchCode(text, i)?.end ?? i + 1) - 1;
    else if (here === '[') i = (matchLink(text, i)?.end ?? i + 1) - 1;
    else if (here === character) {
      const length = runLength(text, i);
      const closes = canClose(text, i, length);
      if (length === marker.length && closes) return { marker, close: i };
      if (length === 3 && innerOpen && closes && character !== '~')
        return { marker, close: i + 3 - marker.length };
      if (length !== marker.length && length <= 2) innerOpen = !innerOpen;
      i += length - 1;
    }
  }
  return undefined;
}

export function annotationsOf(marker: string): Annotations {
  if (marker === '~~') return { strikethrough: true };
  if (marker.length === 3) return { bold: true, italic: true };
  return marker.length === 2 ? { bold: true } : { italic: true };
}
