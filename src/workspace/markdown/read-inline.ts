/**
 * Converts inline Markdown to rich text: **bold**, *italic* or _italic_, ~~strikethrough~~, `code`, [text](url),
 * backslash escapes, &#…; references, $`equation`$, and the tags <span>, <mention-…> and <br>. Does not parse the
 * content of code. A marker without a counterpart stays in the text.
 */
import type { JsonObject } from '../../contract/workspace/actions.ts';
import { Pieces } from '../blocks/pieces.ts';
import { annotationNames, isLinkTarget, textItem, type Annotations } from '../blocks/rich-text.ts';
import { annotationsOf, Delimiters } from './inline-delimiters.ts';
import { readAttributes, readMention, spanAnnotations } from './inline-tags.ts';

type Style = { annotations: Annotations; url?: string };

/**
 * Maximum depth of nested styles. Markers that are nested deeper stay in the text. Each level reads its text again, so
 * the time grows with the depth. Chosen.
 */
const maxDepth = 16;

class Runs {
  readonly items: JsonObject[] = [];
  readonly warnings: string[] = [];
  private buffer = '';
  private style: Style = { annotations: {} };
  /** The part whose text from `from` to `to` is literal and not in the buffer yet; undefined if there is none. */
  private part: Part | undefined;
  private from = 0;
  private to = 0;
  private readonly pieces: Pieces;

  constructor(pieces: Pieces) {
    this.pieces = pieces;
  }

  /**
   * Adds the part's text from `from` to `to` as literal text. Joins adjacent ranges, so that no string is created for
   * each single character.
   */
  addLiteral(part: Part, from: number, to: number): void {
    if (this.part !== part || this.to !== from) {
      this.addPending();
      this.part = part;
      this.from = from;
    }
    this.to = to;
  }

  add(text: string, style: Style): void {
    this.addPending();
    this.append(text, style);
  }

  push(item: JsonObject, { annotations }: Style): void {
    this.flush();
    this.pieces.add(1);
    this.items.push(Object.keys(annotations).length === 0 ? item : { ...item, annotations });
  }

  flush(): void {
    this.addPending();
    this.endItem();
  }

  private addPending(): void {
    const { part, from, to } = this;
    this.part = undefined;
    if (part !== undefined) this.append(part.text.slice(from, to), part.style);
  }

  private append(text: string, style: Style): void {
    if (!isSameStyle(style, this.style)) this.endItem();
    this.style = style;
    this.buffer += text;
  }

  private endItem(): void {
    if (this.buffer === '') return;
    this.pieces.add(1);
    this.items.push(textItem(this.buffer, this.style.annotations, this.style.url));
    this.buffer = '';
  }
}

function isSameStyle(one: Style, other: Style): boolean {
  if (one.url !== other.url) return false;
  const { annotations: a } = one;
  const { annotations: b } = other;
  return a === b || (a.color === b.color && annotationNames.every((name) => a[name] === b[name]));
}

const punctuation = /[!-/:-@[-`{-~]/;
const tag =
  /<(span)((?: [a-z_-]+="[^"]*")+)>|<(?:mention-([a-z-]+))((?: [a-z_-]+="[^"]*")*) ?\/>|<(br) ?\/?>/y;

/** The whole text, or a section of it within a style, such as the text between two `**`. */
type Part = { text: string; style: Style; depth: number; ends: Delimiters; codeStyle?: Style };

function readTag({ text, style, depth, ends }: Part, at: number, runs: Runs): number | undefined {
  tag.lastIndex = at;
  const match = tag.exec(text);
  if (match === null) return undefined;
  const [whole, span, spanAttributes, mentionType, mentionAttributes] = match;
  if (span !== undefined) {
    const close = ends.span(at + whole.length);
    if (close === undefined) return undefined;
    const added = spanAnnotations(readAttributes(spanAttributes ?? ''));
    readInto(
      text.slice(at + whole.length, close),
      { ...style, annotations: { ...style.annotations, ...added } },
      depth + 1,
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

function readSpecial(part: Part, at: number, runs: Runs): number | undefined {
  const { text, style, ends } = part;
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
    const code = ends.code(at);
    if (code === undefined) return undefined;
    part.codeStyle ??= { ...style, annotations: { ...style.annotations, code: true } };
    runs.add(code.text, part.codeStyle);
    return code.end;
  }
  if (character === '$' && next === '`') {
    const end = ends.equation(at + 2);
    if (end === undefined || end === at + 2) return undefined;
    runs.push({ type: 'equation', equation: { expression: text.slice(at + 2, end) } }, style);
    return end + 2;
  }
  if (character === '<') return readTag(part, at, runs);
  if (character === '[' && style.url === undefined) return readLink(part, at, runs);
  if (character === '*' || character === '_' || character === '~') return readEmphasis(part, at, runs);
  return undefined;
}

function readLink({ style, depth, ends }: Part, at: number, runs: Runs): number | undefined {
  const link = ends.link(at);
  if (link === undefined) return undefined;
  if (isLinkTarget(link.url)) {
    readInto(link.label, { ...style, url: link.url }, depth + 1, runs);
  } else {
    runs.warnings.push(
      `The link target ${link.url.slice(0, 100)} is not an http, https or mailto address; its text was kept without the link.`,
    );
    readInto(link.label, style, depth + 1, runs);
  }
  return link.end;
}

function readEmphasis({ text, style, depth, ends }: Part, at: number, runs: Runs): number | undefined {
  const found = ends.emphasis(at);
  if (found === undefined) return undefined;
  const annotations = { ...style.annotations, ...annotationsOf(found.marker) };
  readInto(text.slice(at + found.marker.length, found.close), { ...style, annotations }, depth + 1, runs);
  return found.close + found.marker.length;
}

/**
 * Matches literal text. A run of markers that opens nothing is matched as a whole, so that none of its later characters
 * is read as a marker.
 */
const literal = /\*+|_+|~+|`+|[\s\S][^\\&`$<[*_~]*/y;

function readInto(text: string, style: Style, depth: number, runs: Runs): void {
  if (depth > maxDepth) {
    runs.add(text, style);
    return;
  }
  const part: Part = { text, style, depth, ends: new Delimiters(text) };
  let at = 0;
  while (at < text.length) {
    const end = readSpecial(part, at, runs);
    if (end !== undefined) {
      at = end;
      continue;
    }
    literal.lastIndex = at;
    const after = literal.test(text) ? literal.lastIndex : at + 1;
    runs.addLiteral(part, at, after);
    at = after;
  }
}

/**
 * Converts inline Markdown to rich text in the form of a request.
 * @param pieces counts the items; a new counter by default
 * @returns the items, of which adjacent ones with the same style are joined, and a warning for each link that was left
 * out
 * @throws ActionError INVALID_INPUT if the text makes too many items (see `maxPieces`)
 */
export function readInline(
  text: string,
  pieces: Pieces = new Pieces(),
): { items: JsonObject[]; warnings: string[] } {
  const runs = new Runs(pieces);
  readInto(text, { annotations: {} }, 0, runs);
  runs.flush();
  return { items: runs.items, warnings: runs.warnings };
}
