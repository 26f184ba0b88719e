/** Reads the comments of the product's own code: one entry for each block and for each run of `//` or `--` lines. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { projectRoot } from '../../../src/local/project-root.ts';

export interface Comment {
  file: string;
  line: number;
  text: string;
}

/** Source files of the product, sorted; generated files are left out. */
export function sourceFiles(): string[] {
  return globSync('{src,workflows,activities}/**/*.{ts,tsx,sql}', { cwd: projectRoot })
    .filter((file) => !file.startsWith('src/client/dist/') && file !== 'src/client/api.ts')
    .sort();
}

/** Files of the tests and of the examples, sorted. */
export function otherFiles(): string[] {
  return globSync('{test,examples}/**/*.{ts,sql}', { cwd: projectRoot }).sort();
}

/** The comments of one file in order. Lines of one run are joined by a space. */
export function readComments(file: string, code = readFileSync(join(projectRoot, file), 'utf8')): Comment[] {
  if (file.endsWith('.sql')) return readSqlComments(file, code);
  const starts = lineStarts(code);
  const comments: (Comment & { next: number })[] = [];
  for (const { type, value, start, end } of parseSync(file, code).comments) {
    const line = lineOf(starts, start);
    const startsLine = code.slice(starts[line - 1], start).trim() === '';
    const last = comments.at(-1);
    if (type === 'Line' && startsLine && last?.next === line) {
      last.text += ` ${value.trim()}`;
      last.next += 1;
    } else {
      const text = value.replace(/^\s*\*\s?/gm, ' ').replace(/\s+/g, ' ');
      const next = type === 'Line' && startsLine ? lineOf(starts, end) + 1 : -1;
      comments.push({ file, line, text: text.trim(), next });
    }
  }
  return comments.map(({ line, text }) => ({ file, line, text }));
}

/** Offset of the first character of each line. */
const lineStarts = (code: string): number[] => [
  0,
  ...Array.from(code.matchAll(/\n/g), ({ index }) => index + 1),
];

/** @returns the number, from 1, of the line that contains the offset */
function lineOf(starts: readonly number[], offset: number): number {
  const next = starts.findIndex((start) => start > offset);
  return next === -1 ? starts.length : next;
}

function readSqlComments(file: string, code: string): Comment[] {
  const comments: Comment[] = [];
  let isRun = false;
  for (const [index, line] of code.split('\n').entries()) {
    const text = /^\s*--(.*)/.exec(line)?.[1]?.trim();
    if (text !== undefined && isRun) comments.at(-1)!.text += ` ${text}`;
    else if (text !== undefined) comments.push({ file, line: index + 1, text });
    isRun = text !== undefined;
  }
  return comments;
}
