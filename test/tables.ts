/**
 * `npm run test:tables`: the sizes of the code and of its tests, and the seconds of the tests by folder, as README.md
 * has them.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../src/local/project-root.ts';

const sources = '**/*.{ts,tsx,sql,cjs,js}';

function linesOf(...patterns: string[]): number {
  const files = globSync(patterns, { cwd: projectRoot });
  const lines = files.map((file) => readFileSync(join(projectRoot, file), 'utf8').split('\n').length - 1);
  return lines.reduce((sum, one) => sum + one, 0);
}

function print(columns: string[], rows: (string | number)[][]): void {
  const shown = [columns, columns.map((_, n) => (n === 0 ? '---' : '---:')), ...rows];
  for (const row of shown) console.log(`| ${row.map((cell) => cell.toLocaleString('en')).join(' | ')} |`);
  console.log();
}

const all = linesOf(`test/${sources}`);
const cases = linesOf('test/**/*.test.ts');
const bench = linesOf(`test/bench/${sources}`) - linesOf('test/bench/**/*.test.ts');
const product = linesOf(...['src', 'workflows', 'activities'].map((folder) => `${folder}/${sources}`));
print(
  ['code', 'lines'],
  [
    ['product (`src`, `workflows`, `activities`)', product],
    ['test files (`*.test.ts`)', cases],
    ['what tests use: stacks, emulators, checkers', all - cases - bench],
    ['benchmarks', bench],
  ],
);

const durations = JSON.parse(readFileSync(join(projectRoot, 'test/durations.json'), 'utf8')) as Record<
  string,
  number
>;
const byFolder = Map.groupBy(
  globSync('test/**/*.test.ts', { cwd: projectRoot }).sort(),
  (file) => file.split('/')[1] ?? '',
);
const folders = [...byFolder]
  .filter(([folder]) => !folder.endsWith('.ts'))
  .map(([folder, files]) => {
    const slowest = files.toSorted((one, other) => (durations[other] ?? 0) - (durations[one] ?? 0))[0] ?? '';
    const seconds = files.reduce((sum, file) => sum + (durations[file] ?? 0), 0);
    return [`\`${folder}\``, files.length, linesOf(...files), seconds, `\`${slowest.slice(5, -8)}\``];
  })
  .sort((one, other) => Number(other[3]) - Number(one[3]));
print(['folder', 'test files', 'lines', 'seconds', 'slowest file'], folders);
