/** `npm run test:compose`: docker-compose.yml, really started. Needs a container engine with Compose, and says so where there is
 *  none; `--own-engine` makes one (own-engine.sh), and `--stop` ends it. Last line: `N passed, N failed`. */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cacheFolder } from '../../../src/local/cache-folder.ts';
import { projectRoot } from '../../../src/local/project-root.ts';
import { readCompose } from '../compose-file.ts';

const { values } = parseArgs({
  options: {
    'own-engine': { type: 'boolean', default: false },
    stop: { type: 'boolean', default: false },
    /** How often Postgres is killed in its first start. */
    kills: { type: 'string', default: '12' },
    grep: { type: 'string', short: 'g' },
  },
});
const namespace = '/run/netns/parley-containers';
const folder = join(cacheFolder(), 'containers');
const env: NodeJS.ProcessEnv = { ...process.env, KILLS: values.kills };

function run(command: string, args: string[]): number {
  return spawnSync(command, args, { cwd: projectRoot, env, stdio: 'inherit' }).status ?? 1;
}

function giveUp(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

function ownEngine(what: 'start' | 'stop'): void {
  const code = run('bash', [join(import.meta.dirname, 'own-engine.sh'), what, folder]);
  if (code !== 0) giveUp(`The container engine did not ${what} (exit code ${code}).`);
}

if (values.stop) {
  ownEngine('stop');
  process.exit(0);
}
if (values['own-engine']) {
  console.log(`Starting a container engine of our own, below ${folder} …`);
  ownEngine('start');
  env['DOCKER_HOST'] = `unix://${join(folder, 'docker.sock')}`;
  env['DOCKER_CONFIG'] = join(folder, 'config');
} else {
  const asked = spawnSync('docker', ['compose', 'version'], { env });
  const answers = asked.status === 0 && spawnSync('docker', ['info'], { env }).status === 0;
  if (!answers) {
    giveUp(
      'No container engine with Compose answers (`docker info`, `docker compose version`): nothing was tested. Start one, or ' +
        'run npm run test:compose -- --own-engine as root on Debian.',
    );
  }
}
for (const image of new Set(Object.values(readCompose().services).map((service) => service.image))) {
  if (image.startsWith('parley:') || spawnSync('docker', ['image', 'inspect', image], { env }).status === 0)
    continue;
  if (run('docker', ['pull', image]) !== 0) {
    giveUp(
      `The image ${image} is not here and cannot be pulled: nothing was tested. Bring it here, or run ` +
        'npm run test:compose -- --own-engine as root on Debian.',
    );
  }
}
const mocha = [
  join(projectRoot, 'node_modules/mocha/bin/mocha.js'),
  ...globSync('test/deploy/compose/*.spec.ts', { cwd: projectRoot }).sort(),
  ...(values.grep === undefined ? [] : ['--grep', values.grep]),
];
// Ports that containers publish are in the engine's namespace.
process.exit(
  values['own-engine']
    ? run('nsenter', [`--net=${namespace}`, process.execPath, ...mocha])
    : run(process.execPath, mocha),
);
