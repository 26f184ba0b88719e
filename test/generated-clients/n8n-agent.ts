/** `npm run test:n8n`: the flow examples/n8n-workflow.json, in n8n from its registry (3 GB), answers behind Parley. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { freePort } from '../../src/local/ports.ts';
import { projectRoot } from '../../src/local/project-root.ts';
import { agentElsewhere } from '../support/agent-elsewhere.ts';
import { backing } from '../support/backing.ts';
import { startStack, type Stack } from '../support/stack.ts';
import { until } from '../support/until.ts';
import { cached } from './generators.ts';
import { run } from './run.ts';

const version = 'n8n@2.38.7';
const flow = join(projectRoot, 'examples/n8n-workflow.json');
const installMs = 1_800_000;

const n8n = () =>
  cached('n8n', version, async (into) => {
    writeFileSync(join(into, 'package.json'), '{"private":true}');
    // Without their scripts: SQLite, which n8n does not use here, would be compiled.
    const quiet = ['--no-audit', '--no-fund', '--silent', '--ignore-scripts'];
    await run('npm', ['install', ...quiet, version], { cwd: into, maxMs: installMs });
  });

describe('A flow of n8n behind Parley', function () {
  this.timeout(installMs + 300_000);
  let stack: Stack;
  let child: ChildProcess | undefined;
  const home = mkdtempSync(join(tmpdir(), 'parley-n8n-'));

  before(async () => {
    const settings = { ENCRYPTION_KEY: randomBytes(32).toString('base64'), MODEL_ALLOW: '127.0.0.1' };
    stack = await startStack({ env: settings });
  });
  after(async () => {
    child?.kill('SIGKILL');
    await stack.stop();
    rmSync(home, { recursive: true, force: true });
  });

  /** @returns the address of the webhook with which the flow begins */
  async function start(): Promise<string> {
    const program = join(await n8n(), 'node_modules/n8n/bin/n8n');
    const database = new URL(await (await backing()).freshDatabase());
    const port = await freePort();
    const env = {
      HOME: home,
      // n8n needs the Node that runs this, and starts `node` itself.
      PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
      ...{ N8N_USER_FOLDER: home, N8N_LISTEN_ADDRESS: '127.0.0.1', N8N_PORT: String(port) },
      ...{ N8N_DIAGNOSTICS_ENABLED: 'false', N8N_VERSION_NOTIFICATIONS_ENABLED: 'false' },
      ...{ DB_TYPE: 'postgresdb', DB_POSTGRESDB_HOST: database.hostname, DB_POSTGRESDB_PORT: database.port },
      ...{ DB_POSTGRESDB_USER: database.username, DB_POSTGRESDB_PASSWORD: database.password },
      // Beside Parley's own tables.
      ...{ DB_POSTGRESDB_DATABASE: database.pathname.slice(1), DB_TABLE_PREFIX: 'n8n_' },
    };
    const { id } = JSON.parse(readFileSync(flow, 'utf8')) as { id: string };
    await run(process.execPath, [program, 'import:workflow', `--input=${flow}`], { cwd: home, env });
    await run(process.execPath, [program, 'publish:workflow', `--id=${id}`], { cwd: home, env });
    child = spawn(process.execPath, [program, 'start'], {
      cwd: home,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
    const ended = once(child, 'close').then(() => {
      throw new Error(`n8n has ended: ${output}`);
    });
    const ready = until('n8n to start its flows', () => output.includes('Editor is now accessible'), 180_000);
    await Promise.race([ready, ended]);
    return `http://127.0.0.1:${port}/webhook/parley`;
  }

  it('answers each message: examples/n8n-workflow.json', async () => {
    const { api, agent, sample } = await agentElsewhere(stack, { url: await start(), key: 'unused' });
    assert.match(sample, /^You wrote: ./);
    const first = await api.ask(agent.id, { message: 'Where is order 12?' });
    assert.equal(first.response, 'You wrote: Where is order 12?');
    const { conversation_id } = first;
    const second = await api.ask(agent.id, { message: 'And order 13?', conversation_id });
    assert.equal(second.response, 'You wrote: And order 13?');
  });
});
