/**
 * Fuzzes the API from its own OpenAPI document with Schemathesis: `npm run fuzz -- [--examples 30] [--seed 1]`.
 * What it makes up are URLs too, so all runs in a network namespace with the loopback device alone (Linux, Python 3.9+).
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cacheFolder } from '../../src/local/cache-folder.ts';

const version = '4.32.5';

const { values } = parseArgs({
  options: {
    examples: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});
const folder = join(cacheFolder(), `schemathesis-${version}`);
const program = join(folder, 'bin', 'schemathesis');
if (!existsSync(program)) {
  console.log(`Fetching Schemathesis ${version} …`);
  run('python3', ['-m', 'venv', folder]);
  run(join(folder, 'bin', 'pip'), ['install', '--quiet', `schemathesis==${version}`]);
}
const asRoot = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
const inside = [
  ...['--net', ...asRoot, 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', process.execPath],
  ...[join(import.meta.dirname, 'fuzz-stack.ts'), program, values.examples, values.seed, values.only ?? ''],
];
run('unshare', inside);

function run(command: string, args: string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (error) throw new Error(`${command} cannot be run: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}
