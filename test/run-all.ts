/**
 * `npm test`: the suite without its proofs; `npm run test:proofs`: the tests that take long by their nature (see
 * schedule.ts); with `--all` both; with `--ci` the tests and, by a new seed, a part of the proofs, as CI runs them.
 * Several parts run at a time, because tests mostly wait. The output of a part is printed when it ends. Each test runs
 * once. Last line: `N passed, N failed`. With `--record`, the seconds of each file are stored in durations.json. With
 * other arguments (files, folders, or parts of paths), mocha runs these files alone. The long proofs end with a part on
 * the topology of docker-compose.yml: two APIs, three workers, and Temporal's real server on the product's Postgres,
 * which is built meanwhile. Without Go to build it, that part runs on the dev server.
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureConsole } from '../src/local/console-build.ts';
import { projectRoot } from '../src/local/project-root.ts';
import { ensureTemporalCli } from '../src/local/temporal-binary.ts';
import { ensureWorkflowBundle } from '../src/local/workflow-bundle.ts';
import { recordDurations, scheduledParts, topology, type Kind } from './schedule.ts';
import { compileCache } from './support/compile-cache.ts';
import { preparedFolder } from './support/prepared-postgres.ts';
import { ensureTemporalServer } from './support/temporal-server/build-temporal-server.ts';
import {
  countsOf,
  readResults,
  resultsVariable,
  type FileCounts,
  type TestResults,
} from './support/test-counts.ts';
import { ensureTestServer } from './support/test-server.ts';

const atOnce = 4;
const topologyName = 'topology';
/** The last line of mocha's output for a part. The last line of all output must be the only one of its kind. */
const countLine = /^\d+ passed, \d+ failed$/gm;

interface Ended {
  output: string;
  results: TestResults;
}

const failedFile = (failure: string): FileCounts => ({ passed: 0, ms: 0, cpuMs: 0, failures: [failure] });

/** @param live true: its output is printed at once, and not returned */
async function mocha(
  files: readonly string[],
  { env, live = false }: { env?: NodeJS.ProcessEnv | undefined; live?: boolean },
): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-results-'));
  const resultsFile = join(folder, 'results.json');
  const child = spawn(process.execPath, [join(projectRoot, 'node_modules/mocha/bin/mocha.js'), ...files], {
    cwd: projectRoot,
    env: { ...process.env, ...env, [resultsVariable]: resultsFile },
    stdio: live ? 'inherit' : ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number>((resolve) => {
    child.on('close', (status) => {
      resolve(status ?? 1);
    });
  });
  running.delete(child);
  const results = readResults(resultsFile) ?? { files: {}, ended: false, cpuMs: 0 };
  rmSync(folder, { recursive: true, force: true });
  // A file that cannot be loaded, or a process that was killed.
  if (countsOf(results).failed === 0 && (code !== 0 || !results.ended)) {
    results.files[''] = failedFile(`${files.join(' ')}: mocha ended with ${code}`);
  }
  for (const file of files) results.files[file] ??= failedFile(`${file}: reported no test`);
  return { output, results };
}

const running = new Set<ReturnType<typeof spawn>>();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    for (const child of running) child.kill(signal);
    process.exit(1);
  });
}

interface Part {
  name: string;
  files: string[];
  env?: () => Promise<NodeJS.ProcessEnv>;
}

/** The proofs that this run skips or shortens, compared with a machine that has everything. */
const weaker: string[] = [];

/** Has begun; what is heavy about it takes only what the tests leave of the machine. */
async function topologyShape(): Promise<NodeJS.ProcessEnv> {
  const say = (line: string) => {
    console.log(line);
  };
  try {
    await ensureTemporalServer(say);
    return { STACK: 'many' };
  } catch (error) {
    weaker.push(
      `the topology's tests ran on the dev server: ${error instanceof Error ? error.message : String(error)}`,
    );
    return { STACK: 'several' };
  }
}

function parts(kinds: readonly Kind[], seed?: number): Part[] {
  const { parts: scheduled, undrawn } = scheduledParts(kinds, seed);
  if (undrawn > 0) weaker.push(`${undrawn} files of proofs were not drawn; \`npm run test:all\` runs them`);
  if (!kinds.includes('long')) return scheduled;
  const server = topologyShape();
  const files = globSync(topology, { cwd: projectRoot }).sort();
  return [...scheduled, { name: topologyName, files, env: () => server }];
}

/** Caches that every part would create for itself. Created once, before two parts can create them at a time. */
async function prepare(): Promise<void> {
  const say = (line: string) => {
    console.log(line);
  };
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
  try {
    await Promise.all([
      ensureTemporalCli(say),
      ensureTestServer(say),
      ensureWorkflowBundle(),
      ensureConsole({ log: join(folder, 'console.log'), say }),
      preparedFolder(),
      compilePrograms(),
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The API and the worker end at their settings, all modules loaded: what is compiled of them serves every later start.
 */
async function compilePrograms(): Promise<void> {
  const ended = ['api', 'worker'].map(async (name) => {
    const script = join(projectRoot, `src/main-${name}.ts`);
    const env = { PATH: process.env['PATH'], ...compileCache };
    await once(spawn(process.execPath, [script], { env, stdio: 'ignore' }), 'close');
  });
  await Promise.all(ended);
}

/** Prints mocha's output, and a line with the counts. */
async function run(name: string, files: readonly string[], env?: NodeJS.ProcessEnv): Promise<TestResults> {
  const begun = performance.now();
  const { output, results } = await mocha(files, { env });
  const { passed, failed } = countsOf(results);
  const seconds = Math.round((performance.now() - begun) / 1000);
  console.log(output.replaceAll(countLine, '').trimEnd());
  const cpu = Math.round(results.cpuMs / 1000);
  console.log(`\n== ${name}: ${passed} passed, ${failed} failed, ${seconds} s (${cpu} s of processors)\n`);
  return results;
}

async function runAll(kinds: readonly Kind[], seed?: number): Promise<boolean> {
  const begun = performance.now();
  const waiting = parts(kinds, seed);
  const all: TestResults = { files: {}, ended: true, cpuMs: 0 };
  const lane = async (): Promise<void> => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      const { name, files } = part;
      const env = await part.env?.();
      const results = await run(name, files, env);
      all.cpuMs += results.cpuMs;
      // Files of the topology are in another part too.
      const suffix = name === topologyName ? ` (${name})` : '';
      for (const [file, counts] of Object.entries(results.files))
        all.files[file === '' ? `(${name})` : file + suffix] = counts;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  printSlowest(all, 'ms', 'The slowest files:');
  printSlowest(all, 'cpuMs', 'The files that use processors most:', 40);
  const seconds = Math.round((performance.now() - begun) / 1000);
  console.log(`${seconds} s in all, ${Math.round(all.cpuMs / 1000)} s of processors`);
  for (const one of weaker) console.log(`Weaker than usual: ${one}`);
  if (options.includes('--record')) recordDurations(all.files);
  return tell(all);
}

function printSlowest({ files }: TestResults, by: 'ms' | 'cpuMs', title: string, shown = 10): void {
  console.log(title);
  const slowest = Object.entries(files).sort(([, one], [, other]) => other[by] - one[by]);
  const seconds = (ms: number): string => `${String(Math.round(ms / 1000)).padStart(5)} s`;
  for (const [file, { ms, cpuMs }] of slowest.slice(0, shown))
    console.log(`${seconds(ms)}${seconds(cpuMs)} of processors  ${file}`);
}

/** Prints the last lines. @returns whether nothing failed */
function tell(results: TestResults): boolean {
  for (const { failures } of Object.values(results.files)) {
    for (const failure of failures) console.log(`Failed: ${failure}`);
  }
  const { passed, failed } = countsOf(results);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0;
}

/**
 * @param pattern a file, a folder, or a part of a path below test/
 * @returns the test files that it names
 */
function filesOf(pattern: string): string[] {
  const files = globSync(
    [
      pattern,
      `${pattern}*.test.ts`,
      `${pattern}/**/*.test.ts`,
      `test/**/*${pattern}*.test.ts`,
      `test/**/*${pattern}*/**/*.test.ts`,
    ],
    {
      cwd: projectRoot,
    },
  );
  return [...new Set(files)].filter((file) => file.endsWith('.ts'));
}

const options = process.argv.slice(2).filter((one) => one.startsWith('--'));
const patterns = process.argv.slice(2).filter((one) => !one.startsWith('--'));
const files = [...new Set(patterns.flatMap(filesOf))];
const missing = patterns.filter((pattern) => filesOf(pattern).length === 0);
if (missing.length > 0) {
  console.error(
    `No test file for ${missing.join(', ')}. Give a file, a folder or a part of a path below test/.`,
  );
  process.exitCode = 2;
} else if (files.length > 0) {
  const { results } = await mocha(files, { live: true });
  if (files.length > 1) printSlowest(results, 'ms', 'The slowest files:');
  process.exitCode = tell(results) ? 0 : 1;
} else {
  await prepare();
  const chosen: [option: string, kinds: Kind[]][] = [
    ['--all', ['test', 'proof', 'long']],
    ['--ci', ['test', 'proof']],
    ['--proofs', ['proof', 'long']],
    ['--long', ['long']],
  ];
  const [, kinds] = chosen.find(([option]) => options.includes(option)) ?? ['', ['test'] satisfies Kind[]];
  // See support/sample.ts.
  let seed: number | undefined;
  if (kinds.includes('long')) process.env['SAMPLE'] = 'all';
  else if (process.env['SAMPLE'] === undefined) {
    seed = Number((process.env['SAMPLE_SEED'] ??= String(randomInt(1_000_000))));
    if (kinds.includes('proof')) console.log(`SAMPLE_SEED=${seed} repeats what this run draws.`);
  }
  process.exitCode = (await runAll(kinds, seed)) ? 0 : 1;
}
