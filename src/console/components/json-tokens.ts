/** Finds the tokens of JSON for syntax colours. */

export interface Token {
  kind: 'key' | 'text' | 'number' | 'word' | 'comment';
  /** Index of its first character. */
  start: number;
  /** Index after its last character. */
  end: number;
}

/**
 * A string without its closing quote reaches to the end. Otherwise, each quote within it would begin another search to
 * the end, and the time would be quadratic.
 */
const token =
  /(?<text>"(?:\\.|[^"\\])*(?:"|\\?$))|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<word>\b(?:true|false|null)\b)/gs;

/** @param json JSON as `indented` writes it. Its end may be missing */
export function jsonTokens(json: string): Token[] {
  return [...json.matchAll(token)].map(({ index: start, 0: found, groups = {} }) => {
    const end = start + found.length;
    if (groups['text'] !== undefined) return { kind: json[end] === ':' ? 'key' : 'text', start, end };
    return { kind: groups['number'] === undefined ? 'word' : 'number', start, end };
  });
}
