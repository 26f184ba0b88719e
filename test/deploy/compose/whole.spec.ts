/** docker-compose.yml as `docker compose up --build --wait` starts it: what can be seen from outside and inside. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../../src/local/ports.ts';
import { until } from '../../support/until.ts';
import { ComposeProject } from './compose-project.ts';

const run = promisify(execFile);
const up = ['up', '--detach', '--wait', '--wait-timeout', '300'];

describe('docker-compose.yml, started', function () {
  this.timeout(1_200_000);
  let project: ComposeProject;
  let folder: string;
  let port: number;
  let uiPort: number;
  let built: string;

  before(async () => {
    [port, uiPort] = [await freePort(), await freePort()];
    folder = mkdtempSync(join(tmpdir(), 'parley-compose-'));
    project = new ComposeProject(`parley-test-${process.pid}`, {
      ...{ PORT: String(port), TEMPORAL_UI_PORT: String(uiPort), CALLBACK_ALLOW: 'receiver:8080' },
    });
    // The file as docs/deploy.md shows it, readable by this user only.
    const key = join(folder, 'anthropic.key');
    writeFileSync(key, 'a key of a model', { mode: 0o400 });
    chmodSync(key, 0o400);
    const override = join(folder, 'override.yml');
    writeFileSync(
      override,
      JSON.stringify({
        services: {
          secrets: { volumes: [`${key}:/given/anthropic:ro`] },
          api: { environment: { ANTHROPIC_API_KEY_FILE: '/secrets/given/anthropic' } },
          worker: { environment: { ANTHROPIC_API_KEY_FILE: '/secrets/given/anthropic' } },
        },
      }),
    );
    project.with(override);
    built = await project.must(...up, '--build');
  });
  after(async () => {
    await run('docker', ['rm', '--force', `${project.name}-receiver`]).catch(() => undefined);
    await project.remove();
    rmSync(folder, { recursive: true });
  });

  const inside = async (service: string, ...command: string[]) =>
    await project.compose('exec', '-T', service, ...command);
  const ask = async (path: string, token: string, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    assert.ok(response.ok, `${path}: ${response.status}`);
    return (await response.json()) as Record<string, string>;
  };

  it('builds its image once', () => {
    assert.equal([...built.matchAll(/exporting to image$/gm)].length, 1, built.slice(0, 4000));
  });

  it('takes a message, answers it and posts its callback', async () => {
    const receiver = `require('http').createServer((q, s) => { q.pipe(process.stdout, { end: false }); q.on('end', () => { console.log(); s.end(); }); }).listen(8080)`;
    await run('docker', [
      ...['run', '--detach', '--name', `${project.name}-receiver`, '--network', `${project.name}_outside`],
      // Images that Compose has built carry its labels.
      ...['--label', 'com.docker.compose.project='],
      ...['--network-alias', 'receiver', 'parley:0.1.0', 'node', '-e', receiver],
    ]);
    const made = await inside('api', 'node', 'src/cli/main.ts', 'org', 'create', 'Of the test');
    const { token } = JSON.parse(made.output) as { token: string };
    const agent = await ask('/agents', token, {
      name: 'Echo',
      model: 'scripted/default',
      instructions: 'Answer.',
      script: [{ reply: 'hello' }],
    });
    await ask(`/chat/${agent['id']}`, token, {
      message: 'Hello!',
      webhook_url: 'http://receiver:8080/callback',
    });
    await until('the callback', async () => {
      const { stdout } = await run('docker', ['logs', `${project.name}-receiver`]);
      return stdout.includes('"message.completed"') && stdout.includes('hello');
    });
  });

  it('links to the port that it publishes', async () => {
    const document = await (await fetch(`http://127.0.0.1:${port}/v1/openapi.json`)).text();
    assert.ok(document.includes(`http://localhost:${port}/v1`));
  });

  it("answers as Temporal's UI to the names of this machine alone", async () => {
    const statusOf = async (host: string) =>
      await new Promise<number | undefined>((resolve, reject) => {
        const asked = request({ hostname: '127.0.0.1', port: uiPort, headers: { host } });
        asked.on('response', (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        asked.on('error', reject).end();
      });
    assert.equal(await statusOf(`localhost:${uiPort}`), 200);
    assert.equal(await statusOf('evil.example'), 421);
  });

  it('shows API and worker a key that only its owner may read, and not the password of the administrator', async () => {
    for (const service of ['api', 'worker']) {
      assert.equal((await inside(service, 'cat', '/secrets/given/anthropic')).output, 'a key of a model');
      const { output } = await inside(service, 'find', '/secrets', '/administrator');
      assert.doesNotMatch(output, /password/);
    }
    const password = await project.must(
      'run',
      '--rm',
      '--no-deps',
      'setup',
      'cat',
      '/administrator/password',
    );
    const signIn = await fetch(`http://127.0.0.1:${port}/console/api/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: `http://localhost:${port}` },
      body: JSON.stringify({ email: 'admin@parley.local', password: /[\w-]{43}/.exec(password)?.[0] }),
    });
    assert.ok(signIn.ok, await signIn.text());
  });

  it('holds every container within its memory and its log', async () => {
    const containers = await project.containers();
    assert.ok(containers.length >= 12);
    for (const { Name, HostConfig } of containers) {
      assert.ok(HostConfig.Memory > 0, Name);
      assert.deepEqual(
        HostConfig.LogConfig,
        { Type: 'local', Config: { 'max-file': '5', 'max-size': '10m' } },
        Name,
      );
    }
  });

  it('started again it changes no secret', async () => {
    const secrets = async () => (await inside('api', 'sh', '-c', 'cat /secrets/*y /secrets/*l')).output;
    const before = await secrets();
    await project.must(...up);
    assert.equal(await secrets(), before);
    assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200);
  });

  it('without its encryption key it does not start, and with the key from a copy it does', async () => {
    const key = (await inside('api', 'cat', '/secrets/encryption-key')).output;
    assert.match(key, /^[\w+/]{43}=$/);
    await project.must('down', '--timeout', '30');
    await run('docker', ['volume', 'rm', `${project.name}_parley-secrets`]);
    const { code } = await project.compose(...up);
    assert.notEqual(code, 0);
    assert.match(await project.must('logs', 'secrets'), /The encryption key .* is lost/);
    const restore = `printf %s '${key}' > /made/parley/encryption-key`;
    await project.must('run', '--rm', '--no-deps', '--entrypoint', 'bash', 'secrets', '-c', restore);
    await project.must(...up);
    assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200);
  });

  it('with another key, and credentials under the lost one, API and worker log the reason and do not run', async () => {
    const sql = `insert into organizations (id, name) values (gen_random_uuid(), 'x');
      insert into tool_connections (id, organization_id, auth, status, access_token)
        select gen_random_uuid(), id, 'API_KEY', 'connected', 'v1:00000000:a:b:c' from organizations limit 1`;
    const psql =
      'PGPASSWORD="$(cat /secrets/parley-password)" psql -h "$HOSTNAME" -U parley -d parley -c "$0"';
    await project.must('exec', '-T', 'postgres', 'bash', '-c', psql, sql);
    await project.must('restart', 'worker');
    await until('the sentence', async () =>
      (await project.must('logs', '--tail', '50', 'worker')).includes(
        'encrypted with the ENCRYPTION_KEY of id 00000000',
      ),
    );
    const forget = ['node', 'src/cli/main.ts', 'secrets', 'forget-lost'];
    const told = await project.must(
      ...[
        'run',
        '--rm',
        '-T',
        '--no-deps',
        '-e',
        'ENCRYPTION_KEY_FILE=/secrets/encryption-key',
        'migrate',
        ...forget,
      ],
    );
    assert.match(told, /"tool_connections":1/);
    await project.must(...up);
  });
});
