/** Finds the ends of the inline constructs of Markdown: code spans, links, emphasis, `<span>` tags and equations. */
import type { Annotations } from '../blocks/rich-text.ts';

// These functions test two UTF-16 code units, because a letter outside the Basic Multilingual Plane takes two.
const endsInWord = (text: string, at: number) => /[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, at - 2), at));
const beginsWord = (text: string, at: number) => /^[\p{L}\p{N}]/u.test(text.slice(at, at + 2));
const space = /\s/;

/** Maximum length of a link's label and of emphasis, in UTF-16 code units. Longer ones stay plain text. Chosen. */
const reach = 5000;

const target =
  /\((?:<([^<>\n]*)>|((?:[^\s()]|\((?:[^\s()]|\([^\s()]*\))*\))*))(?:\s+(?:"[^"]*"|'[^']*'))?\)/y;

type Link = { label: string; url: string; end: number };
/** The position of an end for each position in the text; `none` if there is no end. */
type Ends = Int32Array;
const none = -1;

/**
 * Finds the ends of the inline constructs of one text. Fills each table of ends on first use, in one pass from the end
 * of the text to its start. A search forward from each marker would take quadratic time if many markers have no end.
 */
export class Delimiters {
  private readonly text: string;
  private readonly emphasisEnds = new Map<string, readonly [Ends, Ends]>();
  private readonly links = new Map<number, Link | undefined>();
  private codeEnds: Ends | undefined;
  private bracketEnds: Ends | undefined;
  private spanEnds: Ends | undefined;
  private equationEnd: number | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /**
   * Reads the code span that starts at `at`. If its text begins and ends with a space and is not blank, drops these two
   * spaces.
   * @returns the text, and the position after the span; undefined if no run of as many backticks closes it
   */
  code(at: number): { text: string; end: number } | undefined {
    const end = this.codeEnd(at);
    if (end === none) return undefined;
    const fence = this.runLength(at);
    const inner = this.text.slice(at + fence, end - fence);
    const padded = inner.length > 2 && inner.startsWith(' ') && inner.endsWith(' ') && inner.trim() !== '';
    return { text: padded ? inner.slice(1, -1) : inner, end };
  }

  /**
   * Reads the link `[label](url)` or `[label](<url>)` that starts at `at`. Ignores a title.
   * @returns the link, and the position after it; undefined if no link starts there, or if the label is too long
   */
  link(at: number): Link | undefined {
    this.bracketEnds ??= this.fillPairEnds('[', ']');
    const close = this.bracketEnds[at + 1] ?? none;
    if (close === none || close >= at + reach) return undefined;
    if (!this.links.has(at)) this.links.set(at, this.readLink(at, close));
    return this.links.get(at);
  }

  /**
   * Finds the closing run of the emphasis that starts at `at`. Skips inner runs of another length in pairs. A run of
   * three closes an inner and the outer emphasis together.
   * @returns the marker, and the position of the closing run; undefined if no emphasis starts there, or if it is too
   * long
   */
  emphasis(at: number): { marker: string; close: number } | undefined {
    const marker = this.opener(at);
    if (marker === undefined) return undefined;
    const close = this.emphasisEndsOf(marker)[at + marker.length] ?? none;
    return close === none || close >= at + reach ? undefined : { marker, close };
  }

  /**
   * Finds the end of a `<span …>` tag with content.
   * @param from the position after the opening tag
   * @returns the position of the matching `</span>`; undefined if there is none
   */
  span(from: number): number | undefined {
    this.spanEnds ??= this.fillPairEnds('<span ', '</span>');
    const close = this.spanEnds[from] ?? none;
    return close === none ? undefined : close;
  }

  /**
   * Finds the end of an equation.
   * @param from where the search starts; must not be before that of the previous call
   * @returns the position of the next `` `$ ``; undefined if there is none
   */
  equation(from: number): number | undefined {
    if (this.equationEnd === undefined || (this.equationEnd !== none && this.equationEnd < from))
      this.equationEnd = this.text.indexOf('`$', from);
    return this.equationEnd === none ? undefined : this.equationEnd;
  }

  private readLink(at: number, close: number): Link | undefined {
    target.lastIndex = close + 1;
    const match = target.exec(this.text);
    if (match === null) return undefined;
    return {
      label: this.text.slice(at + 1, close),
      url: match[1] ?? match[2] ?? '',
      end: close + 1 + match[0].length,
    };
  }

  private runLength(at: number): number {
    const character = this.text[at];
    let end = at;
    while (this.text[end] === character) end += 1;
    return end - at;
  }

  /** @returns the run of `*`, `_` or `~` at `at`; undefined if this run cannot open emphasis */
  private opener(at: number): string | undefined {
    const character = this.text.charAt(at);
    const length = this.runLength(at);
    const after = this.text[at + length];
    if (after === undefined || space.test(after)) return undefined;
    if (character === '_' && endsInWord(this.text, at)) return undefined;
    if (character === '~') return length === 2 ? '~~' : undefined;
    return length <= 3 ? character.repeat(length) : undefined;
  }

  private canClose(at: number, length: number): boolean {
    const before = this.text[at - 1];
    if (before === undefined || space.test(before)) return false;
    return this.text[at] !== '_' || !beginsWord(this.text, at + length);
  }

  private codeEnd(at: number): number {
    this.codeEnds ??= this.fillCodeEnds();
    return this.codeEnds[at] ?? none;
  }

  /** @returns the position after the escape, code span or single character that starts at `at` */
  private behind(at: number): number {
    const character = this.text[at];
    if (character === '\\') return at + 2;
    const end = character === '`' ? this.codeEnd(at) : none;
    return end === none ? at + 1 : end;
  }

  private emptyEnds(): Ends {
    // Two entries longer than the text: if the text ends with a backslash, `behind` returns the length plus one.
    return new Int32Array(this.text.length + 2).fill(none);
  }

  private fillCodeEnds(): Ends {
    const ends = this.emptyEnds();
    /** The start of the nearest complete run of backticks to the right, by the length of the run. */
    const nearest = new Map<number, number>();
    let length = 0;
    for (let at = this.text.length - 1; at >= 0; at -= 1) {
      length = this.text[at] === '`' ? length + 1 : 0;
      if (length === 0) continue;
      const close = nearest.get(length);
      if (close !== undefined) ends[at] = close + length;
      if (this.text[at - 1] !== '`') nearest.set(length, at);
    }
    return ends;
  }

  /** Returns, for each position between two matching tokens, the position of the closing token. Pairs may be nested. */
  private fillPairEnds(opening: string, closing: string): Ends {
    const ends = this.emptyEnds();
    for (let at = this.text.length - 1; at >= 0; at -= 1) {
      if (this.text.startsWith(closing, at)) ends[at] = at;
      else if (this.text.startsWith(opening, at)) {
        const inner = ends[at + 1] ?? none;
        ends[at] = inner === none ? none : (ends[inner + 1] ?? none);
      } else ends[at] = ends[this.behind(at)] ?? none;
    }
    return ends;
  }

  private emphasisEndsOf(marker: string): Ends {
    const found = this.emphasisEnds.get(marker) ?? this.fillEmphasisEnds(marker);
    this.emphasisEnds.set(marker, found);
    return found[0];
  }

  /**
   * Returns two tables with the position where emphasis closes, for each position within it. The first table is for
   * positions outside an inner pair of runs of another length, the second for positions inside such a pair.
   */
  private fillEmphasisEnds(marker: string): readonly [Ends, Ends] {
    const character = marker.charAt(0);
    const outside = this.emptyEnds();
    const inside = this.emptyEnds();
    let length = 0;
    for (let at = this.text.length - 1; at >= 0; at -= 1) {
      const here = this.text[at];
      length = here === character ? length + 1 : 0;
      if (length === 0) {
        const next = (here === '[' ? this.link(at)?.end : undefined) ?? this.behind(at);
        outside[at] = outside[next] ?? none;
        inside[at] = inside[next] ?? none;
        continue;
      }
      const closes = this.canClose(at, length);
      const next = at + length;
      const turns = length !== marker.length && length <= 2;
      const closesHere = length === marker.length && closes;
      const closesBoth = length === 3 && closes && character !== '~';
      outside[at] = closesHere ? at : ((turns ? inside : outside)[next] ?? none);
      inside[at] = closesHere
        ? at
        : closesBoth
          ? next - marker.length
          : ((turns ? outside : inside)[next] ?? none);
    }
    return [outside, inside];
  }
}

export function annotationsOf(marker: string): Annotations {
  if (marker === '~~') return { strikethrough: true };
  if (marker.length === 3) return { bold: true, italic: true };
  return marker.length === 2 ? { bold: true } : { italic: true };
}
