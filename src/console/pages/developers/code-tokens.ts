/** Finds the tokens of the quick start's programs for syntax colours. */
import type { Token } from '../../components/json-tokens.ts';
import type { Language } from './snippets.ts';

// As in json-tokens.ts, a string without its closing quote reaches to the end, so that the time stays linear.
const doubleQuoted = String.raw`"(?:\\.|[^"\\])*(?:"|\\?$)`;
const singleQuoted = String.raw`'(?:\\.|[^'\\])*(?:'|\\?$)`;
const template = '`(?:\\\\.|[^`\\\\])*(?:`|\\\\?$)';
const number = String.raw`(?<number>\b\d+(?:\.\d+)?\b)`;
const words = (...all: string[]) => String.raw`(?<word>\b(?:${all.join('|')})\b)`;

const patterns: Readonly<Record<Language, RegExp>> = {
  curl: new RegExp(
    [
      `(?<text>${doubleQuoted}|'[^']*(?:'|$))`,
      String.raw`(?<key>(?<=\s)--?[A-Za-z][\w-]*)`,
      words('curl', 'export'),
    ].join('|'),
    'gs',
  ),
  typescript: new RegExp(
    [
      String.raw`(?<comment>//[^\n]*)`,
      `(?<text>${doubleQuoted}|${singleQuoted}|${template})`,
      number,
      words('const', 'await', 'if', 'throw', 'new', 'true', 'false'),
    ].join('|'),
    'gs',
  ),
  python: new RegExp(
    [
      String.raw`(?<comment>#[^\n]*)`,
      `(?<text>f?(?:${doubleQuoted}|${singleQuoted}))`,
      number,
      words('import', 'with', 'as', 'True', 'False', 'None'),
    ].join('|'),
    'gs',
  ),
};

const kinds = ['comment', 'text', 'number', 'key', 'word'] as const;

/** @returns the comments, strings, numbers, options (`key`) and keywords (`word`) of a program, in their order */
export function codeTokens(code: string, language: Language): Token[] {
  return [...code.matchAll(patterns[language])].flatMap(({ index: start, 0: found, groups = {} }) => {
    const kind = kinds.find((one) => groups[one] !== undefined);
    return kind === undefined ? [] : [{ kind, start, end: start + found.length }];
  });
}
