/** `npm run test:clients`: agents of LangGraph and Mastra, from their registries, answer behind Parley. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/local/project-root.ts';
import { agentElsewhere } from '../support/agent-elsewhere.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { startStack, type Stack } from '../support/stack.ts';
import { until } from '../support/until.ts';
import { cached } from './generators.ts';
import { run } from './run.ts';

const versions = { langgraph: 'langgraph==1.2.24', mastra: '@mastra/core@1.71.0' };
const key = 'key-of-the-agent';

const python = () =>
  cached('langgraph', versions.langgraph, async (into) => {
    await run('python3', ['-m', 'venv', into]);
    await run(join(into, 'bin/python'), ['-m', 'pip', 'install', '--quiet', versions.langgraph]);
  });

const mastra = () =>
  cached('mastra', versions.mastra, async (into) => {
    writeFileSync(join(into, 'package.json'), '{"private":true}');
    const quiet = ['--no-audit', '--no-fund', '--silent', '--ignore-scripts'];
    await run('npm', ['install', ...quiet, versions.mastra], { cwd: into });
  });

describe('Agents of others behind Parley', () => {
  let stack: Stack;
  let model: ModelServer;
  const children: ChildProcess[] = [];
  before(async () => {
    model = await startModelServer();
    // Mastra asks for no stream.
    model.answerWhere(({ messages }) => ({
      kind: 'whole',
      text: `echo: ${String(textOf(messages.findLast(({ role }) => role === 'user')?.content))}`,
    }));
    const settings = { ENCRYPTION_KEY: randomBytes(32).toString('base64'), MODEL_ALLOW: '127.0.0.1' };
    stack = await startStack({ env: settings });
  });
  after(async () => {
    for (const child of children) child.kill('SIGKILL');
    await Promise.all([stack.stop(), model.close()]);
  });

  /** @returns the URL at which the program listens */
  async function start(command: string, args: string[], env: Record<string, string>): Promise<string> {
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(command, args, {
      env: { PATH, HOME, PYTHONDONTWRITEBYTECODE: '1', AGENT_KEY: key, PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    const ended = once(child, 'close').then(() => {
      throw new Error(`${command} has ended: ${output}`);
    });
    const listening = until('the program to listen', () => /listening: (\S+)/.exec(output)?.[1]);
    return await Promise.race([listening, ended]);
  }

  it('a LangGraph graph, which keeps its own state by conversation: examples/langgraph_agent.py', async () => {
    const program = join(projectRoot, 'examples/langgraph_agent.py');
    const url = await start(join(await python(), 'bin/python'), [program], {});
    const { api, agent, sample } = await agentElsewhere(stack, { url, key });
    assert.equal(sample, 'Which order is it?');
    const first = await api.ask(agent.id, { message: 'When does order 12 arrive?' });
    assert.equal(first.response, 'Order 12 arrives tomorrow.');
    const { conversation_id } = first;
    const second = await api.ask(agent.id, { message: 'And is that sure?', conversation_id });
    assert.equal(second.response, 'Order 12 arrives tomorrow.');
    assert.equal((await api.ask(agent.id, { message: 'And is that sure?' })).response, 'Which order is it?');
  });

  it('a Mastra agent, whose model gets the instructions and the conversation: examples/mastra-agent.mjs', async () => {
    const folder = await mastra();
    cpSync(join(projectRoot, 'examples/mastra-agent.mjs'), join(folder, 'mastra-agent.mjs'));
    const url = await start(process.execPath, [join(folder, 'mastra-agent.mjs')], {
      ...{ MODEL_BASE_URL: model.baseUrl, MODEL_API_KEY: 'key-of-the-model', MODEL_NAME: 'tested-1' },
    });
    const { api, agent } = await agentElsewhere(stack, { url, key });
    const { conversation_id, response } = await api.ask(agent.id, { message: 'first of Mastra' });
    assert.equal(response, 'echo: first of Mastra');
    await api.ask(agent.id, { message: 'second of Mastra', conversation_id });
    const [call] = model.callsFor('second of Mastra');
    assert.equal(call?.authorization, 'Bearer key-of-the-model');
    assert.deepEqual(
      call.body.messages.map(({ role, content }) => [role, textOf(content)]),
      [
        ['system', 'Be brief.'],
        ['user', 'first of Mastra'],
        ['assistant', 'echo: first of Mastra'],
        ['user', 'second of Mastra'],
      ],
    );
  });
});

const textOf = (content: unknown) =>
  Array.isArray(content) ? content.map((part: { text?: string }) => part.text ?? '').join('') : content;
