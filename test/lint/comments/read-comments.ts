/** Reads the comments of the product's own code: one entry for each block and for each run of `//` or `--` lines. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import tseslint from 'typescript-eslint';
import { projectRoot } from '../../../src/local/project-root.ts';

export interface Comment {
  file: string;
  line: number;
  text: string;
}

interface ParsedComment {
  type: 'Line' | 'Block';
  value: string;
  loc: { start: { line: number; column: number }; end: { line: number } };
}

// typescript-eslint declares its parser loosely, without options and without the tree's type.
const parser = tseslint.parser as unknown as {
  parseForESLint(code: string, options: object): { ast: { comments: ParsedComment[] } };
};

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
  const { ast } = parser.parseForESLint(code, {
    comment: true,
    loc: true,
    ecmaFeatures: { jsx: file.endsWith('x') },
  });
  const lines = code.split('\n');
  const comments: (Comment & { next: number })[] = [];
  for (const { type, value, loc } of ast.comments) {
    const startsLine = lines[loc.start.line - 1]!.slice(0, loc.start.column).trim() === '';
    const last = comments.at(-1);
    if (type === 'Line' && startsLine && last?.next === loc.start.line) {
      last.text += ` ${value.trim()}`;
      last.next += 1;
    } else {
      const text = value.replace(/^\s*\*\s?/gm, ' ').replace(/\s+/g, ' ');
      const next = type === 'Line' && startsLine ? loc.end.line + 1 : -1;
      comments.push({ file, line: loc.start.line, text: text.trim(), next });
    }
  }
  return comments.map(({ line, text }) => ({ file, line, text }));
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
