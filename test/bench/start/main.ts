/** How long `npm ci` and `npm start` take in a fresh clone: `npm run bench:start`. The last line is JSON. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../../src/local/ports.ts';
import { projectRoot } from '../../../src/local/project-root.ts';

const patienceMs = 300_000;
const folder = mkdtempSync(join(tmpdir(), 'parley-start-'));
const clone = join(folder, 'parley');
/** The environment of a person's own shell: without the settings and the Node of the npm that runs this. */
const ours = (name: string, value = '') => (name === 'PATH' ? withoutOwnPrograms(value) : value);
const env: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries({ ...process.env, PORT: String(await freePort()) })
    .filter(([name]) => !name.startsWith('npm_'))
    .map(([name, value]) => [name, ours(name, value)]),
);
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

function withoutOwnPrograms(path: string): string {
  return path
    .split(delimiter)
    .filter((part) => !part.includes('node_modules'))
    .join(delimiter);
}

/** @returns seconds */
async function timed(what: string, work: () => void | Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  console.log(`${what}: ${seconds} s`);
  return seconds;
}

async function isReady(): Promise<boolean> {
  const file = join(clone, '.data', 'running.json');
  if (!existsSync(file)) return false;
  const { origin } = JSON.parse(readFileSync(file, 'utf8')) as { origin: string };
  const response = await fetch(`${origin}/readyz`).catch(() => undefined);
  return response?.status === 200;
}

async function start(what: string): Promise<number> {
  const child = spawn(npm, ['start', '--silent'], { cwd: clone, env, stdio: 'ignore', detached: true });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const seconds = await timed(what, async () => {
    const end = performance.now() + patienceMs;
    while (!(await isReady())) {
      if (child.exitCode !== null || performance.now() > end)
        throw new Error(`${what}: it did not get ready`);
      await delay(20);
    }
  });
  child.kill('SIGTERM');
  await ended;
  return seconds;
}

try {
  execFileSync('git', ['clone', '--quiet', projectRoot, clone]);
  const ci = await timed('npm ci', () => {
    execFileSync(npm, ['ci', '--silent', '--no-audit', '--no-fund'], { cwd: clone, env, stdio: 'inherit' });
  });
  const first = await start('npm start, the first time');
  const second = await start('npm start, the second time');
  console.log(JSON.stringify({ npm_ci_s: ci, first_start_s: first, second_start_s: second }));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
