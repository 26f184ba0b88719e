/** `npm run test:clients`: agents call the tools of MCP servers that others wrote, from their registries. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { httpToolResult } from '../../src/contract/http-tools/http-tools.ts';
import { mcpOffer, mcpServer, type McpServer } from '../../src/contract/mcp-servers/mcp-servers.ts';
import { freePort } from '../../src/local/ports.ts';
import { projectRoot } from '../../src/local/project-root.ts';
import type { ApiClient } from '../support/api-client.ts';
import { signIn } from '../support/console-person.ts';
import { addServer, begun, comeBack, statusOf } from '../support/mcp-sign-in.ts';
import { startStack, type Stack } from '../support/stack.ts';
import { until } from '../support/until.ts';
import { cached } from './generators.ts';
import { run as runProgram } from './run.ts';

const versions = {
  everything: '@modelcontextprotocol/server-everything@2026.8.31',
  /** Lists its tool that asks for sampling to every client; the newer one hides it from clients without sampling. */
  everythingOf2025: '@modelcontextprotocol/server-everything@2025.8.18',
  excel: 'excel-mcp-server==2.2.2',
  duckdb: 'mcp-server-motherduck==1.1.0',
  time: 'mcp-server-time==2026.10.19',
  proxy: 'mcp-proxy==0.13.0',
};

const npm = async (version: string) => {
  const folder = await cached('mcp-server', version, async (into) => {
    writeFileSync(join(into, 'package.json'), '{"private":true}');
    const quiet = ['--no-audit', '--no-fund', '--silent', '--ignore-scripts'];
    await runProgram('npm', ['install', ...quiet, version], { cwd: into });
  });
  return join(folder, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
};

const python = async (version: string) => {
  const folder = await cached('mcp-server', version, async (into) => {
    await runProgram('python3', ['-m', 'venv', into]);
    await runProgram(join(into, 'bin/python'), ['-m', 'pip', 'install', '--quiet', version]);
  });
  const [name = ''] = version.split('==');
  return join(folder, 'bin', name);
};

describe('MCP servers of others', () => {
  let stack: Stack;
  let folder: string;
  const children: ChildProcess[] = [];
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-mcp-servers-'));
    const settings = {
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      TOOL_ALLOW: '127.0.0.1,localhost',
    };
    stack = await startStack({ env: settings });
  });
  after(async () => {
    for (const child of children) child.kill('SIGKILL');
    await stack.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  interface Program {
    port: number;
    url: string;
    stop: () => Promise<void>;
  }

  /** @returns the program once it answers at its port */
  async function start(
    command: string,
    args: (port: number) => readonly string[],
    { port, env = () => ({}) }: { port?: number; env?: (port: number) => Record<string, string> } = {},
  ): Promise<Program> {
    const listens = port ?? (await freePort());
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(command, args(listens), {
      cwd: folder,
      env: { PATH, HOME, PYTHONDONTWRITEBYTECODE: '1', ...env(listens) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    const closed = once(child, 'close');
    const ended = closed.then(() => {
      throw new Error(`${command} has ended: ${output.slice(-6000)}`);
    });
    const url = `http://127.0.0.1:${listens}/mcp`;
    const answers = async () => (await fetch(url).catch(() => undefined))?.status;
    await Promise.race([until(`${command} to listen`, answers), ended]);
    ended.catch(() => undefined);
    const stop = async () => {
      child.kill('SIGKILL');
      await closed;
    };
    return { port: listens, url, stop };
  }

  const everything = async (version: string, port?: number) => {
    const program = await npm(version);
    return await start(process.execPath, () => [program, 'streamableHttp'], {
      ...(port !== undefined && { port }),
      env: (listens) => ({ PORT: String(listens) }),
    });
  };
  /** `mcp-server-time` speaks over standard input and output only, so mcp-proxy forwards to it. */
  const time = async (zone: string, port?: number) => {
    const [proxy, server] = [await python(versions.proxy), await python(versions.time)];
    return await start(
      proxy,
      (listens) => ['--host', '127.0.0.1', '--port', String(listens), server, '--', '--local-timezone', zone],
      port === undefined ? {} : { port },
    );
  };

  async function read(api: ApiClient, { id }: Pick<McpServer, 'id'>) {
    const answer = await api.call('POST', `/tools/mcp/${id}/read`);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return mcpOffer.strict().parse(answer.body);
  }
  /** Accepts these tools as the server has them now. */
  async function choose(api: ApiClient, server: Pick<McpServer, 'id'>, effects: Record<string, string>) {
    const { tools } = await read(api, server);
    const chosen = tools.filter(({ remote_name }) => effects[remote_name] !== undefined);
    const body = {
      tools: chosen.map(({ remote_name, definition }) => ({
        ...{ remote_name, digest: definition?.digest, effect: effects[remote_name] },
      })),
    };
    const answer = await api.call('PUT', `/tools/mcp/${server.id}/tools`, { body });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return mcpServer.strict().parse(answer.body);
  }
  async function run(api: ApiClient, server: McpServer, remote: string, input: object) {
    const name = server.tools.find(({ remote_name }) => remote_name === remote)?.name ?? '';
    const answer = await api.call('POST', `/tools/mcp/${server.id}/run`, { body: { name, input } });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return httpToolResult.strict().parse(answer.body);
  }
  /** @returns what the model of an agent reads of one call */
  async function asked(api: ApiClient, server: McpServer, remote: string, input: object): Promise<string> {
    const name = server.tools.find(({ remote_name }) => remote_name === remote)?.name ?? '';
    const script = [
      { on: 'tool_result', when: '([\\s\\S]*)', reply: 'read: $1' },
      { when: 'call it', tool: { action: name, input } },
    ];
    const agent = await api.createAgent({ tools: [name], script });
    const { response } = await api.ask(agent.id, { message: 'call it' });
    return response;
  }
  const problemsOf = async (api: ApiClient, server: McpServer) =>
    Object.fromEntries(
      (await read(api, server)).tools.flatMap(({ remote_name, problem }) =>
        problem === null ? [] : [[remote_name, problem]],
      ),
    );
  /** Within a minute of the last comparison it is not repeated. */
  const minuteLater = async () => {
    await stack.db.pool.query("update mcp_servers set listed_at = now() - interval '2 minutes'");
  };

  it('the reference server: text, errors, images, resources, structured output and progress', async () => {
    const { api } = await stack.stranger();
    const { url } = await everything(versions.everything);
    const added = await addServer(api, url, { auth: 'none' });
    // Tools that ask for sampling, elicitation or roots are not even listed: Parley announces none of them.
    assert.deepEqual(Object.keys(await problemsOf(api, added)), ['simulate-research-query']);
    const server = await choose(api, added, {
      ...{ echo: 'read', 'get-sum': 'read', 'get-structured-content': 'read', 'get-tiny-image': 'read' },
      ...{ 'get-resource-reference': 'read', 'get-resource-links': 'read', 'get-annotated-message': 'read' },
      ...{ 'trigger-long-running-operation': 'read', 'gzip-file-as-resource': 'write' },
    });
    assert.equal(server.tools.length, 9);
    const of = (remote: string, input: object) => asked(api, server, remote, input);
    assert.equal(await of('echo', { message: 'olá' }), 'read: Echo: olá');
    assert.equal(await of('get-sum', { a: 2, b: 3 }), 'read: The sum of 2 and 3 is 5.');
    assert.match(await of('get-sum', { a: 'two', b: 3 }), /INVALID_INPUT: /);
    assert.match(await of('get-structured-content', { location: 'Chicago' }), /"temperature":36/);
    const image = await of('get-tiny-image', {});
    assert.match(image, /\[An image \(image\/png, \d+ KiB\), which is not shown\]/);
    assert.match(image, /The image above is the MCP logo\.$/);
    const text = await of('get-resource-reference', { resourceType: 'Text', resourceId: 2 });
    assert.match(text, /Resource 2: This is a plaintext resource/);
    const blob = await of('get-resource-reference', { resourceType: 'Blob', resourceId: 1 });
    assert.match(blob, /\[A file: demo:\/\/resource\/dynamic\/blob\/1\]/);
    assert.match(
      await of('get-resource-links', { count: 2 }),
      /\[A link: Text Resource 2 demo:\/\/resource\//,
    );
    assert.match(await of('get-resource-reference', { resourceId: -1 }), /The tool failed: .*resourceId/);
    const zipped = await of('gzip-file-as-resource', { data: 'data:,hello', outputType: 'resource' });
    assert.match(zipped, /\[A file: demo:\/\/resource\/session\/README\.md\.gz\]/);
    const slow = await of('trigger-long-running-operation', { duration: 2, steps: 4 });
    assert.match(slow, /Long running operation completed\. Duration: 2 seconds, Steps: 4\./);
  });

  it('a call beyond the time limit fails if it reads, and is uncertain if it writes; a restarted server works on', async () => {
    const { api } = await stack.stranger();
    const first = await everything(versions.everything);
    const added = await addServer(api, first.url, { auth: 'none', timeout_seconds: 2 });
    const tool = 'trigger-long-running-operation';
    const server = await choose(api, added, { [tool]: 'write', echo: 'read' });
    const input = { duration: 30, steps: 60 };
    const lost = await run(api, server, tool, input);
    assert.equal(lost.outcome, 'unknown');
    assert.match(await asked(api, server, tool, input), /may have been carried out/);
    await choose(api, server, { [tool]: 'read', echo: 'read' });
    const late = await run(api, server, tool, input);
    assert.equal(late.outcome, 'failed');
    assert.match(late.text, /no answer came in time/);
    await first.stop();
    const down = await run(api, server, 'echo', { message: 'anyone?' });
    assert.equal(down.outcome, 'failed');
    await everything(versions.everything, first.port);
    assert.equal(await asked(api, server, 'echo', { message: 'again' }), 'read: Echo: again');
  });

  it('a server that asks for sampling outside the stream of the call gets no answer, and its call ends in time', async () => {
    const { api } = await stack.stranger();
    const { url } = await everything(versions.everythingOf2025);
    const added = await addServer(api, url, { auth: 'none', timeout_seconds: 2 });
    const server = await choose(api, added, { sampleLLM: 'read', add: 'read' });
    // This server asks on the stream of unsolicited messages, which Parley does not open.
    assert.match(await asked(api, server, 'sampleLLM', { prompt: 'hi' }), /no answer came in time/);
    assert.equal(await asked(api, server, 'add', { a: 2, b: 3 }), 'read: The sum of 2 and 3 is 5.');
  });

  it("the TypeScript SDK's example: sign-in by OAuth 2.1, elicitation refused, notifications, links", async () => {
    const { api, organizationId } = await stack.stranger();
    const person = await signIn({ ...stack, organizationId });
    const program = join(
      projectRoot,
      'node_modules/@modelcontextprotocol/sdk/dist/esm/examples/server/simpleStreamableHttp.js',
    );
    const authPort = await freePort();
    const { port } = await start(process.execPath, () => [program, '--oauth', '--oauth-strict'], {
      env: (listens) => ({ MCP_PORT: String(listens), MCP_AUTH_PORT: String(authPort) }),
    });
    const added = await addServer(api, `http://localhost:${port}/mcp`);
    assert.equal(await statusOf(api, added), 'needs_sign_in');
    // Its page allows everyone at once: it sends the browser back with a code.
    const page = await fetch(await begun(person, added), { redirect: 'manual' });
    assert.equal(page.status, 302, await page.text());
    assert.equal(await comeBack(page.headers.get('location') ?? '', person.cookies), 'signed_in');
    assert.equal(await statusOf(api, added), 'connected');
    const effects = { greet: 'read', 'collect-user-info': 'read', 'start-notification-stream': 'read' };
    const server = await choose(api, added, { ...effects, 'list-files': 'read' });
    assert.equal(await asked(api, server, 'greet', { name: 'Ana' }), 'read: Hello, Ana!');
    const form = await asked(api, server, 'collect-user-info', { infoType: 'contact' });
    assert.match(form, /Error collecting contact information: .*-32601/);
    const noisy = await asked(api, server, 'start-notification-stream', { interval: 5, count: 100 });
    assert.match(noisy, /Started sending periodic notifications/);
    assert.match(await asked(api, server, 'list-files', {}), /\[A link: Example File 1 file:\/\/\/example\//);
  });

  it('excel-mcp-server: every schema is usable, rows are written and read, and tools that are gone are not called', async () => {
    const { api } = await stack.stranger();
    const program = await python(versions.excel);
    const excel = (port?: number, ...more: string[]) =>
      start(
        program,
        (listens) => [
          ...['streamable-http', '--host', '127.0.0.1', '--port', String(listens)],
          ...['--allow-dir', folder, ...more],
        ],
        port === undefined ? {} : { port },
      );
    const first = await excel();
    const added = await addServer(api, first.url, { auth: 'none' });
    assert.deepEqual(await problemsOf(api, added), {});
    const server = await choose(api, added, {
      ...{
        create_workbook: 'write',
        write_range: 'destructive',
        read_range: 'read',
        describe_workbook: 'read',
      },
    });
    const at = { path: 'orders.xlsx', sheet: 'Orders' };
    const made = await asked(api, server, 'create_workbook', { path: at.path, sheets: [at.sheet] });
    assert.match(made, /"path":\s*"orders.xlsx"/);
    const rows = [
      ['order', 'total'],
      [17, 9.5],
    ];
    const written = await run(api, server, 'write_range', { ...at, at: 'A1', rows });
    assert.equal(written.outcome, 'succeeded', written.text);
    assert.match(await asked(api, server, 'read_range', at), /17[^]*9\.5/);
    const missing = await asked(api, server, 'describe_workbook', { path: 'nope.xlsx' });
    assert.match(missing, /The tool failed: .*nope\.xlsx does not exist/);
    await first.stop();
    await excel(first.port, '--read-only');
    await minuteLater();
    assert.match(await asked(api, server, 'read_range', at), /9\.5/);
    const { tools } = (await read(api, server)).server;
    assert.equal(tools.find(({ remote_name }) => remote_name === 'write_range')?.status, 'gone');
    const refused = await run(api, server, 'write_range', { ...at, at: 'A1', rows });
    assert.equal(refused.outcome, 'failed');
  });

  it('mcp-server-motherduck, by FastMCP: queries, their errors, and nullable arguments', async () => {
    const { api } = await stack.stranger();
    const program = await python(versions.duckdb);
    const { url } = await start(program, (port) => [
      ...['--transport', 'http', '--host', '127.0.0.1', '--port', String(port), '--read-write'],
    ]);
    const added = await addServer(api, url, { auth: 'none' });
    assert.deepEqual(await problemsOf(api, added), {});
    const server = await choose(api, added, { execute_query: 'destructive', list_tables: 'read' });
    assert.match(await asked(api, server, 'execute_query', { sql: 'select 40 + 2 as n' }), /42/);
    const wrong = await asked(api, server, 'execute_query', { sql: 'selec' });
    assert.match(wrong, /The tool failed: [^]*Parser Error/);
    assert.match(await asked(api, server, 'list_tables', { database: null }), /"success": true/);
  });

  it('mcp-server-time behind mcp-proxy: a changed schema is accepted again before it is called', async () => {
    const { api } = await stack.stranger();
    const first = await time('Etc/UTC');
    const added = await addServer(api, first.url, { auth: 'none' });
    const tool = 'convert_time';
    const server = await choose(api, added, { [tool]: 'read' });
    const input = { source_timezone: 'Europe/Lisbon', time: '12:00', target_timezone: 'Asia/Tokyo' };
    assert.match(await asked(api, server, tool, input), /Asia\/Tokyo/);
    const moon = await asked(api, server, tool, { ...input, target_timezone: 'Moon' });
    assert.match(moon, /The tool failed: .*Invalid timezone/);
    await first.stop();
    // The time zone is part of the descriptions of the arguments.
    await time('America/Sao_Paulo', first.port);
    await minuteLater();
    const changed = await asked(api, server, tool, input);
    assert.match(changed, /An administrator must accept the change/);
    const accepted = await choose(api, server, { [tool]: 'read' });
    assert.equal(accepted.tools[0]?.status, 'ready');
    assert.match(await asked(api, server, tool, input), /Asia\/Tokyo/);
  });
});
