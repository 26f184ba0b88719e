/** Reads Markdown line by line, with methods for indented lines, code fences and tags that span several lines. */
import { trimEndOf } from '../text.ts';

export type Line = { readonly indent: string; readonly text: string; readonly raw: string };

/** Removes trailing spaces, tabs and carriage returns. */
export const withoutTail = (text: string): string => trimEndOf(text, ' \t\r');

function toLine(raw: string): Line {
  const indent = /^[ \t]*/.exec(raw)?.[0] ?? '';
  return { indent, text: withoutTail(raw.slice(indent.length)), raw };
}

const columns = (indent: string): number => indent.replaceAll('\t', '    ').length;

function withoutIndent(raw: string, indent: string): string {
  if (raw.startsWith(indent)) return raw.slice(indent.length);
  const own = /^[ \t]*/.exec(raw)?.[0] ?? '';
  return raw.slice(Math.min(own.length, indent.length));
}

export class Lines {
  private readonly lines: readonly Line[];
  private at = 0;

  constructor(lines: readonly Line[]) {
    this.lines = lines;
  }

  /** Splits a text into lines. */
  static of(text: string): Lines {
    return new Lines(text.split('\n').map(toLine));
  }

  /** Number of lines taken so far. */
  get passed(): number {
    return this.at;
  }

  /** Returns the next line without taking it; undefined at the end. */
  peek(): Line | undefined {
    return this.lines[this.at];
  }

  /** Takes the next line; undefined at the end. */
  next(): Line | undefined {
    const line = this.lines[this.at];
    this.at += 1;
    return line;
  }

  /** Takes lines until one does not fit. @returns their texts */
  takeWhile(fits: (line: Line) => boolean): string[] {
    const texts: string[] = [];
    for (let line = this.peek(); line !== undefined && fits(line); line = this.peek()) {
      texts.push(line.text);
      this.at += 1;
    }
    return texts;
  }

  /**
   * Takes the next lines that are indented at least two columns more than `line`, and the blank lines between them. A
   * tab counts as four columns.
   * @param minimum '\t' requires a tab in the indentation of each line that is not blank
   * @returns the lines; undefined if there are none
   */
  takeIndented(line: Line, minimum: '\t' | ' '): Lines | undefined {
    const base = columns(line.indent);
    let end = this.at;
    for (let i = this.at; i < this.lines.length; i += 1) {
      const next = this.lines[i];
      if (next === undefined) break;
      if (next.text === '') continue;
      const deeper = columns(next.indent) - base;
      if (deeper < 2 || (minimum === '\t' && !next.indent.includes('\t'))) break;
      end = i + 1;
    }
    if (end === this.at) return undefined;
    const inner = this.lines.slice(this.at, end);
    this.at = end;
    return new Lines(inner);
  }

  /**
   * Takes the lines up to the closing fence, and the fence. Without a closing fence, takes all remaining lines.
   * @param line the line of the opening fence
   * @returns the lines between the fences, each without the indentation of the opening fence
   */
  takeFence(line: Line, fence: string): string[] {
    const inner: string[] = [];
    const crlf = line.raw.endsWith('\r');
    for (let next = this.next(); next !== undefined; next = this.next()) {
      const closes =
        fence === '$$' ? next.text === '$$' : next.text.startsWith(fence) && new Set(next.text).size === 1;
      if (closes) return inner;
      const raw = crlf ? next.raw.replace(/\r$/, '') : next.raw;
      inner.push(withoutIndent(raw, line.indent));
    }
    return inner;
  }

  /**
   * Takes the lines up to the closing tag at the same level, and this tag. If there is none, takes all remaining lines.
   * @param rest the text after the opening tag on the same line
   * @returns the lines between the tags
   */
  takeContainer(tag: string, rest: string): Lines {
    const open = new RegExp(`^<${tag}(?: [^>]*[^/>])?>`);
    const close = `</${tag}>`;
    const inner: Line[] = [];
    if (rest.trim() !== '') {
      if (rest.endsWith(close)) return new Lines([toLine(rest.slice(0, -close.length))]);
      inner.push(toLine(rest));
    }
    let depth = 1;
    let fence: string | undefined;
    for (let next = this.next(); next !== undefined; next = this.next()) {
      const marker = next.text === '$$' ? '$$' : /^(`{3,}|~{3,})/.exec(next.text)?.[1];
      if (fence !== undefined) {
        if (marker !== undefined && next.text.startsWith(fence) && new Set(next.text).size === 1)
          fence = undefined;
      } else if (marker !== undefined) {
        fence = marker;
      } else if (open.test(next.text) && !next.text.endsWith(close)) {
        depth += 1;
      } else if (next.text === close) {
        depth -= 1;
        if (depth === 0) break;
      }
      inner.push(next);
    }
    return new Lines(inner);
  }

  /**
   * Skips blank lines, and takes the next line if it is `<summary>…</summary>`.
   * @returns the text of the summary; undefined if the line is not a summary
   */
  takeSummary(): string | undefined {
    while (this.peek()?.text === '') this.at += 1;
    const match = /^<summary>(.*)<\/summary>$/s.exec(this.peek()?.text ?? '');
    if (match === null) return undefined;
    this.at += 1;
    return match[1] ?? '';
  }
}
