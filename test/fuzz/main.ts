/**
 * Fuzzes the API from its own OpenAPI document with Schemathesis:
 * `npm run fuzz -- [--examples 30] [--seed 1] [--only REGEX]`, where REGEX is of paths.
 * What it makes up are URLs too, and none of them may be dialled: all runs in a network namespace with the loopback
 * device alone, where the system has them; and in any case loopback-only.ts is in the API and the worker.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureSchemathesis } from './schemathesis.ts';

const { values } = parseArgs({
  options: {
    examples: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});
try {
  const program = ensureSchemathesis();
  const stack = [process.execPath, join(import.meta.dirname, 'fuzz-stack.ts')];
  const [command = '', ...args] = [
    ...namespace(),
    ...stack,
    ...[program, values.examples, values.seed, values.only ?? ''],
  ];
  process.exitCode = spawnSync(command, args, { stdio: 'inherit' }).status ?? 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/**
 * Returns the command that runs another command in a network namespace with loopback only; empty if the system cannot
 * make one.
 */
function namespace(): string[] {
  const asRoot = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
  const inside = ['unshare', '--net', ...asRoot, 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
  return spawnSync('unshare', [...inside.slice(1), 'true'], { stdio: 'ignore' }).status === 0 ? inside : [];
}
