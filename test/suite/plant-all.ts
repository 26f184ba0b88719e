/**
 * `npm run test:plants`: plants each fault of plants.ts in a copy of the source, where its test must fail. With names
 * of tests or parts of them (`npm run test:plants -- isolation`), the faults of those alone. Prints a line for each
 * fault; the last one is `N seen, N missed`.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { plantedCopy } from '../chaos/plants.ts';
import { readResults, resultsVariable } from '../support/test-counts.ts';
import { suiteFaults, type SuiteFault } from './plants.ts';

/** What tests read beside the product's source. */
const beside = [
  ...['test', 'docs', 'examples', 'README.md', 'LICENSE', 'tsconfig.json', 'docker-compose.yml'],
  'package-lock.json',
];

/** @returns what its test says, if it fails as it must; undefined if it passes, or another test fails */
function seen({ edits, test, title }: SuiteFault): string | undefined {
  const { root, remove } = plantedCopy({ edits }, beside);
  const results = join(tmpdir(), `parley-plant-${process.pid}.json`);
  try {
    const pattern = title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
    spawnSync(process.execPath, ['node_modules/mocha/bin/mocha.js', test, '--grep', pattern], {
      cwd: root,
      timeout: 600_000,
      env: { ...process.env, [resultsVariable]: results, SAMPLE: 'all', NODE_COMPILE_CACHE: undefined },
    });
    const failures = Object.values(readResults(results)?.files ?? {}).flatMap((file) => file.failures);
    const found = failures.find((failure) => failure.includes(title));
    if (found === undefined)
      for (const failure of failures) console.log(`other failure: ${failure.slice(0, 300)}`);
    return found;
  } finally {
    remove();
    rmSync(results, { force: true });
  }
}

const wanted = process.argv.slice(2);
const chosen = suiteFaults.filter(
  ({ test }) => wanted.length === 0 || wanted.some((name) => test.includes(name)),
);
let missed = 0;
for (const fault of chosen) {
  const begun = performance.now();
  const failure = seen(fault);
  if (failure === undefined) missed += 1;
  const seconds = Math.round((performance.now() - begun) / 1000);
  console.log(
    `${failure === undefined ? 'MISSED' : 'seen  '} ${String(seconds).padStart(4)} s  ${fault.fault}`,
  );
  console.log(`               ${fault.test}: ${failure?.slice(0, 160) ?? 'passes'}`);
}
console.log(`${chosen.length - missed} seen, ${missed} missed`);
process.exitCode = missed === 0 ? 0 : 1;
