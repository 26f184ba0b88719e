/**
 * `npm run test:compose`: docker-compose.yml, really started. Needs a container engine with Compose, and ends with an
 * error if there is none; `--own-engine` makes one (own-engine.sh), and `--stop` ends it. Last line: `N passed, N
 * failed`.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cacheFolder } from '../../../src/local/cache-folder.ts';
import { projectRoot } from '../../../src/local/project-root.ts';
import { composePath, readCompose } from '../compose-file.ts';

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

/**
 * Writes docker-compose.yml and the Dockerfile without digests into the engine's folder: no stand-in of an image can
 * have the image's digest.
 */
function withoutDigests(): string {
  const copies = { compose: join(folder, 'docker-compose.yml'), recipe: join(folder, 'Dockerfile') };
  const recipe = join(projectRoot, 'src/deploy/Dockerfile');
  const stripped = (path: string) => readFileSync(path, 'utf8').replaceAll(/@sha256:[0-9a-f]{64}/g, '');
  writeFileSync(copies.recipe, stripped(recipe));
  copyFileSync(`${recipe}.dockerignore`, `${copies.recipe}.dockerignore`);
  writeFileSync(copies.compose, stripped(composePath).replace('src/deploy/Dockerfile', copies.recipe));
  return copies.compose;
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
  env['COMPOSE_WITHOUT_DIGESTS'] = withoutDigests();
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
const images = Object.values(readCompose().services).map(({ image }) =>
  values['own-engine'] ? image.replace(/@.*/, '') : image,
);
for (const image of new Set(images)) {
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
