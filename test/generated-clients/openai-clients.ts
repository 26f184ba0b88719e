/** `npm run test:clients`: OpenAI's SDK for Python, and chat clients that others wrote, against a running API. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../src/local/project-root.ts';
import { startDocsStack, type DocsStack } from '../support/docs-stack.ts';
import { cached, programs } from './generators.ts';
import { run } from './run.ts';

const versions = {
  python: ['openai==3.51.0', 'llm==0.36'],
  npm: ['@langchain/openai@1.6.0', '@langchain/core@1.2.13'],
};

const python = () =>
  cached('openai-python', versions.python.join(' '), async (into) => {
    await run('python3', ['-m', 'venv', into]);
    await run(join(into, 'bin/python'), ['-m', 'pip', 'install', '--quiet', ...versions.python]);
  });

const npm = () =>
  cached('langchain', versions.npm.join(' '), async (into) => {
    writeFileSync(join(into, 'package.json'), '{"private":true}');
    const quiet = ['--no-audit', '--no-fund', '--silent', '--ignore-scripts'];
    await run('npm', ['install', ...quiet, ...versions.npm], { cwd: into });
  });

describe("OpenAI's API, by clients of others", () => {
  let docs: DocsStack;
  let agent: string;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-openai-'));
    docs = await startDocsStack();
    agent = (await docs.stack.api.createAgent()).id;
  });
  after(async () => {
    await docs.stack.stop();
    await Promise.all([docs.emulator.stop(), docs.model.close()]);
    rmSync(folder, { recursive: true, force: true });
  });
  const args = () => [`${docs.stack.apiUrl}/openai`, docs.stack.token, agent];

  it('the Python SDK: answers, streams, responses, repeats and errors', async () => {
    const program = join(programs, 'openai-sdk.py');
    const printed = await run(join(await python(), 'bin/python'), [program, ...args()]);
    assert.deepEqual(JSON.parse(printed), {
      ...{ models: [agent], whole: 'echo: hello', usage: 18, repeated: true },
      ...{ streamed: 'echo: hello', finish: 'stop', response: ['completed', 'echo: hello'] },
      ...{ following: true, asynchronous: 'echo: hello' },
      errors: [
        ['AuthenticationError', 401, 'unauthorized', null],
        ['NotFoundError', 404, 'not_found', 'model'],
        ['BadRequestError', 400, 'validation_failed', 'n'],
      ],
    });
  });

  it('examples/openai_sdk.py', async () => {
    const [base = '', token = ''] = args();
    const env = { PARLEY_URL: base.replace('/openai', ''), PARLEY_TOKEN: token, PARLEY_AGENT: agent };
    const printed = await run(
      join(await python(), 'bin/python'),
      [join(projectRoot, 'examples/openai_sdk.py')],
      { env: { ...env, PYTHONDONTWRITEBYTECODE: '1' } },
    );
    assert.equal(printed, 'echo: Hello!\necho: And again\n');
  });

  it('llm: a prompt, and the next one of its conversation, which llm sends whole', async () => {
    const home = join(folder, 'llm');
    mkdirSync(home);
    const [base = '', token = ''] = args();
    const model = `- model_id: parley\n  model_name: ${agent}\n  api_base: ${base}\n  api_key_name: parley\n`;
    writeFileSync(join(home, 'extra-openai-models.yaml'), model);
    writeFileSync(join(home, 'keys.json'), JSON.stringify({ parley: token }));
    const llm = async (...words: string[]) =>
      await run(join(await python(), 'bin/llm'), words, { env: { LLM_USER_PATH: home } });
    assert.equal(await llm('-m', 'parley', '-s', 'Be kind.', 'hello llm'), 'echo: hello llm\n');
    assert.equal(await llm('-m', 'parley', '--no-stream', '-c', 'and again, llm'), 'echo: and again, llm\n');
    const [call] = docs.model.callsFor('and again, llm');
    assert.deepEqual(
      call?.body.messages.map(({ content }) => content),
      ['hello llm', 'echo: hello llm', '[From the calling program]\nBe kind.', 'and again, llm'],
    );
  });

  it('LangChain: answers, streams and responses with earlier turns, and a clear refusal of tools', async () => {
    const tools = await npm();
    const program = join(tools, 'main.cjs');
    cpSync(join(programs, 'langchain.js.txt'), program);
    const printed = await run(process.execPath, [program, ...args()]);
    assert.deepEqual(JSON.parse(printed), {
      ...{ whole: 'echo: hello', usage: 18, streamed: 'echo: hello', response: 'echo: hello', refused: 400 },
    });
    const [call] = docs.model.callsFor('hello').slice(-1);
    assert.deepEqual(
      call?.body.messages.map(({ role }) => role),
      ['user', 'assistant', 'user', 'user'],
    );
  });
});
