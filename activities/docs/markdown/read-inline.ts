/**
 * Inline markdown → rich text: **bold**, *italic* or _italic_, ~~strikethrough~~, `code`, [text](url), \ escapes,
 * $`equation`$, and the tags of inline-tags.ts. Nothing inside code is read; a marker without its partner
 * stays as it is written.
 */
import type { JsonObject } from '../../../src/contract/docs.ts';
import { isLinkTarget, textItem, type Annotations } from '../blocks/rich-text.ts';
import { annotationsOf, findCloser, matchCode, matchLink } from './inline-delimiters.ts';
import { readAttributes, readMention, spanAnnotations } from './inline-tags.ts';

type Style = { annotations: Annotations; url?: string };

class Runs {
  readonly items: JsonObject[] = [];
  readonly warnings: string[] = [];
  private buffer = '';
  private style: Style = { annotations: {} };

  add(text: string, style: Style): void {
    if (JSON.stringify(sorted(style)) !== JSON.stringify(sorted(this.style))) this.flush();
    this.style = style;
    this.buffer += text;
  }

  push(item: JsonObject, { annotations }: Style): void {
    this.flush();
    this.items.push(Object.keys(annotations).length === 0 ? item : { ...item, annotations });
  }

  flush(): void {
    if (this.buffer !== '') this.items.push(textItem(this.buffer, this.style.annotations, this.style.url));
    this.buffer = '';
  }
}

const sorted = ({ annotations, url }: Style): unknown => [Object.entries(annotations).sort(), url];

const punctuation = /[!-/:-@[-`{-~]/;
const tag =
  /^<(span)((?: [a-z_-]+="[^"]*")+)>|^<(?:mention-([a-z-]+))((?: [a-z_-]+="[^"]*")*) ?\/>|^<(br) ?\/?>/;

function readTag(text: string, at: number, style: Style, runs: Runs): number | undefined {
  const match = tag.exec(text.slice(at));
  if (match === null) return undefined;
  const [whole, span, spanAttributes, mentionType, mentionAttributes] = match;
  if (span !== undefined) {
    const close = closingSpan(text, at + whole.length);
    if (close === undefined) return undefined;
    const added = spanAnnotations(readAttributes(spanAttributes ?? ''));
    readInto(
      text.slice(at + whole.length, close),
      { ...style, annotations: { ...style.annotations, ...added } },
      runs,
    );
    return close + '</span>'.length;
  }
  if (mentionType !== undefined) {
    const item = readMention(mentionType, readAttributes(mentionAttributes ?? ''));
    if (item === undefined) return undefined;
    runs.push(item, style);
  } else {
    runs.add('\n', style);
  }
  return at + whole.length;
}

function closingSpan(text: string, from: number): number | undefined {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '`') at = (matchCode(text, at)?.end ?? at + 1) - 1;
    else if (text.startsWith('<span ', at)) depth += 1;
    else if (text.startsWith('</span>', at)) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return undefined;
}

function readSpecial(text: string, at: number, style: Style, runs: Runs): number | undefined {
  const character = text[at];
  const next = text[at + 1];
  if (character === '\\' && next !== undefined && punctuation.test(next)) {
    runs.add(next, style);
    return at + 2;
  }
  if (character === '&') {
    const entity = /^&#(\d{1,6});/.exec(text.slice(at, at + 10));
    if (entity === null) return undefined;
    runs.add(String.fromCodePoint(Math.min(Number(entity[1]), 0x10ffff)), style);
    return at + entity[0].length;
  }
  if (character === '`') {
    const code = matchCode(text, at);
    if (code === undefined) return undefined;
    runs.add(code.text, { ...style, annotations: { ...style.annotations, code: true } });
    return code.end;
  }
  if (character === '$' && next === '`') {
    const end = text.indexOf('`$', at + 2);
    if (end <= at + 2) return undefined;
    runs.push({ type: 'equation', equation: { expression: text.slice(at + 2, end) } }, style);
    return end + 2;
  }
  if (character === '<') return readTag(text, at, style, runs);
  if (character === '[' && style.url === undefined) return readLink(text, at, style, runs);
  if (character === '*' || character === '_' || character === '~') return readEmphasis(text, at, style, runs);
  return undefined;
}

function readLink(text: string, at: number, style: Style, runs: Runs): number | undefined {
  const link = matchLink(text, at);
  if (link === undefined) return undefined;
  if (isLinkTarget(link.url)) {
    readInto(link.label, { ...style, url: link.url }, runs);
  } else {
    runs.warnings.push(
      `The link target ${link.url.slice(0, 100)} is not an http, https or mailto address; its text was kept without the link.`,
    );
    readInto(link.label, style, runs);
  }
  return link.end;
}

function readEmphasis(text: string, at: number, style: Style, runs: Runs): number | undefined {
  const found = findCloser(text, at);
  if (found === undefined) return undefined;
  const annotations = { ...style.annotations, ...annotationsOf(found.marker) };
  readInto(text.slice(at + found.marker.length, found.close), { ...style, annotations }, runs);
  return found.close + found.marker.length;
}

function readInto(text: string, style: Style, runs: Runs): void {
  let at = 0;
  while (at < text.length) {
    const end = readSpecial(text, at, style, runs);
    if (end !== undefined) {
      at = end;
      continue;
    }
    // A delimiter run that opens nothing is literal as a whole, or its tail would be read as another marker.
    const literal = /^(?:\*+|_+|~+|`+|[\s\S][^\\&`$<[*_~]*)/.exec(text.slice(at))?.[0] ?? text.charAt(at);
    runs.add(literal, style);
    at += literal.length;
  }
}

/** @returns rich text in the request form, neighbours of equal style joined, and what could not be kept */
export function readInline(text: string): { items: JsonObject[]; warnings: string[] } {
  const runs = new Runs();
  readInto(text, { annotations: {} }, runs);
  runs.flush();
  return { items: runs.items, warnings: runs.warnings };
}
