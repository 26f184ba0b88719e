/** `npm run test:clients`: MCP's conformance suite and the Python SDK against a running API. */
import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signIn } from '../support/console-person.ts';
import { connect, startDocsStack, type DocsStack } from '../support/docs-stack.ts';
import { cached, programs } from './generators.ts';
import { run } from './run.ts';

const versions = { suite: '@modelcontextprotocol/conformance@0.1.16', python: ['mcp==2.3.0'] };

const demo = 'calls a demonstration tool of the suite, which only a server that was made for it has';
const none = (what: string) => `${what} are none of the capabilities that the server announces`;
/** Each scenario of the suite for servers: its expected result here, or why it does not apply. */
const scenarios: Record<string, 'applies' | (string & {})> = {
  'server-initialize': 'applies',
  ping: 'applies',
  'tools-list': 'applies',
  'dns-rebinding-protection': 'applies',
  'logging-set-level': none('log messages'),
  'completion-complete': none('completions'),
  'tools-call-simple-text': demo,
  'tools-call-image': demo,
  'tools-call-audio': demo,
  'tools-call-embedded-resource': demo,
  'tools-call-mixed-content': demo,
  'tools-call-with-logging': demo,
  'tools-call-error': demo,
  'tools-call-with-progress': demo,
  'tools-call-sampling': demo,
  'tools-call-elicitation': demo,
  'json-schema-2020-12': demo,
  'elicitation-sep1034-defaults': demo,
  'elicitation-sep1330-enums': demo,
  'server-sse-polling': demo,
  'server-sse-multiple-streams': 'needs sessions, and the server keeps none',
  'resources-list': none('resources'),
  'resources-read-text': none('resources'),
  'resources-read-binary': none('resources'),
  'resources-templates-read': none('resources'),
  'resources-subscribe': none('resources'),
  'resources-unsubscribe': none('resources'),
  'prompts-list': none('prompts'),
  'prompts-get-simple': none('prompts'),
  'prompts-get-with-args': none('prompts'),
  'prompts-get-embedded-resource': none('prompts'),
  'prompts-get-with-image': none('prompts'),
};

const suite = async () => {
  const folder = await cached('mcp-suite', versions.suite, async (into) => {
    writeFileSync(join(into, 'package.json'), '{"private":true}');
    const quiet = ['--no-audit', '--no-fund', '--silent', '--ignore-scripts'];
    await run('npm', ['install', ...quiet, versions.suite], { cwd: into });
  });
  return join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
};

const python = async () => {
  const folder = await cached('mcp-python', versions.python.join(' '), async (into) => {
    await run('python3', ['-m', 'venv', into]);
    await run(join(into, 'bin/python'), ['-m', 'pip', 'install', '--quiet', ...versions.python]);
  });
  return join(folder, 'bin/python');
};

describe('MCP', () => {
  let docs: DocsStack | undefined;
  let token = '';
  let addsToken = true;
  /** The suite knows no tokens: this adds one to each request, and changes nothing else. */
  const door = createServer((asked, answer) => {
    const { hostname, port } = new URL(docs?.stack.apiUrl ?? '');
    const headers = { ...asked.headers, ...(addsToken && { authorization: `Bearer ${token}` }) };
    const { url: path, method } = asked;
    const passed = request({ hostname, port, path, method, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers);
      given.pipe(answer);
    });
    passed.on('error', () => {
      answer.destroy();
    });
    asked.pipe(passed);
  });
  let doorUrl = '';
  before(async () => {
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
    doorUrl = `http://127.0.0.1:${(door.address() as AddressInfo).port}`;
    docs = await startDocsStack({ PUBLIC_URL: doorUrl });
    token = docs.stack.token;
    await connect(docs.stack.api, docs.emulator.tokens.main);
  });
  after(async () => {
    door.closeAllConnections();
    door.close();
    await docs?.stack.stop();
    await Promise.all([docs?.emulator.stop(), docs?.model.close()]);
  });

  it('every scenario of the conformance suite is run, or named above with the reason why not', async () => {
    const listed = await run(process.execPath, [await suite(), 'list']);
    const [, ofServers = ''] = /Server scenarios[^\n]*\n([^]*?)\n\n/.exec(listed) ?? [];
    const names = [...ofServers.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name);
    assert.deepEqual(names.toSorted(), Object.keys(scenarios).sort());
  });

  for (const [name, applies] of Object.entries(scenarios)) {
    if (applies !== 'applies') continue;
    it(`conformance: ${name} succeeds without a warning`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'parley-conformance-'));
      const args = ['server', '--url', `${doorUrl}/v1/mcp`, '--scenario', name, '-o', folder];
      await run(process.execPath, [await suite(), ...args]);
      const [file] = globSync('**/checks.json', { cwd: folder });
      assert.ok(file);
      const checks = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { id: string; status: string }[];
      rmSync(folder, { recursive: true, force: true });
      assert.ok(checks.length > 0);
      const others = checks.filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO');
      assert.deepEqual(others, []);
    });
  }

  it('the Python SDK: 2026-07-28 and 2025-11-25 with an API token, and OAuth with nothing but the address', async () => {
    assert.ok(docs);
    const { stack } = docs;
    const member = await signIn(stack);
    addsToken = false;
    const printed = await run(await python(), [
      ...[join(programs, 'mcp-sdk.py'), `${doorUrl}/v1/mcp`],
      ...[token, member.cookies, stack.organizationId],
    ]);
    assert.deepEqual(JSON.parse(printed), [
      ['2026-07-28', 45, false],
      ['2025-11-25', 45, false],
      ['2026-07-28', 45, false],
    ]);
  });
});
