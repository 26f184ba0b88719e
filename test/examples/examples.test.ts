/** Every program of examples/ runs against the real stack, and does what its description promises. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../src/local/project-root.ts';
import { useSharedStack } from '../support/stack.ts';
import { runExample, startExample } from './run-example.ts';

describe('The example', () => {
  const stack = useSharedStack();
  const settings = async (script: object[]) => ({
    PARLEY_URL: stack().apiUrl,
    PARLEY_TOKEN: stack().token,
    PARLEY_AGENT: (await stack().api.createAgent({ name: `Ann ${crypto.randomUUID()}`, script })).id,
  });

  for (const file of ['ask.ts', 'ask.py']) {
    it(`${file} prints the answer, or why there is none`, async () => {
      const env = await settings([{ reply: 'Good day.' }]);
      assert.match(await runExample(file, env), /^Ann \S+: Good day\.\n$/);
      await assert.rejects(
        runExample(file, { ...env, PARLEY_TOKEN: 'pk_wrong' }),
        /ended with 1: .*unauthorized/,
      );
    });
  }

  it('stream.ts prints the answer while it is written', async () => {
    const env = await settings([{ reply: 'Once upon a time.', word_ms: 20 }]);
    assert.equal(await runExample('stream.ts', env), 'Once upon a time.\n(scripted/default, 0 credits)\n');
  });

  it('conversation.ts prints both answers, once their callbacks are over', async () => {
    const env = await settings([{ reply: 'Good day.' }]);
    const webhook = '/example-conversation';
    const output = await runExample('conversation.ts', {
      ...env,
      WEBHOOK_URL: stack().receiver.url(webhook),
    });
    assert.equal((await stack().receiver.callbacks(webhook, 2)).length, 2);
    const lines = output
      .trimEnd()
      .split('\n')
      .map((text) => text.replace(/^Ann \S+:/, 'Ann:'));
    assert.deepEqual(lines.toSorted(), [
      'Ada: Hello!',
      'Ada: Where is my order?',
      ...['Ann: Good day. (callback: delivered)', 'Ann: Good day. (callback: delivered)'],
    ]);
  });

  it('mcp-tools.ts lists the document actions', async () => {
    const output = await runExample('mcp-tools.ts', await settings([]));
    assert.equal(output.match(/^DOCS_\w+: /gm)?.length, 45);
  });

  it('openai-sdk.ts prints an answer, and two of one conversation', async () => {
    const env = await settings([{ reply: 'Good day.', word_ms: 20 }]);
    assert.equal(await runExample('openai-sdk.ts', env), 'Good day.\nGood day.\nGood day. true\n');
  });

  it('refunds.ts makes one refund of an order, also when asked at once or after it was killed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-refunds-'));
    const start = async () => {
      const example = startExample('refunds.ts', { PORT: '0', REFUNDS_FILE: join(folder, 'refunds.sqlite') });
      const [, url = ''] = await example.says(/listening: (\S+)/);
      const ask = async (body: unknown) => {
        const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
        return answer.status;
      };
      return { example, ask, all: async () => await (await fetch(url)).json() };
    };
    const first = await start();
    const both = await Promise.all([1, 2].map(() => first.ask({ order: 'A7', amount: 30 })));
    assert.deepEqual(both.toSorted(), [200, 201]);
    await first.example.kill();
    const second = await start();
    try {
      assert.equal(await second.ask({ order: 'A7', amount: 30 }), 200);
      assert.equal(await second.ask({ order: 'A7', amount: 31 }), 409);
      for (const wrong of [{ order: 'B8' }, { order: 'B8', amount: '80' }, { order: 'B8', amount: -1 }, []])
        assert.equal(await second.ask(wrong), 400);
      assert.deepEqual(await second.all(), [{ order: 'A7', amount: 30 }]);
    } finally {
      await second.example.kill();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('names the setting that is missing', async () => {
    for (const file of ['ask.ts', 'receiver.ts', 'ask.py', 'receiver.py']) {
      const example = startExample(file, {});
      assert.notEqual(await example.ended, 0);
      assert.match(example.output(), /^Set \W?(PARLEY_URL|PARLEY_AGENT|RECEIVER_SECRET)\b/);
    }
  });

  it('is named in examples/README.md, as is every other one', () => {
    const folder = join(projectRoot, 'examples');
    const page = readFileSync(join(folder, 'README.md'), 'utf8');
    const files = readdirSync(folder).filter((name) => /\.(ts|py|mjs|json)$/.test(name));
    assert.ok(files.length >= 8);
    assert.deepEqual(
      files.filter((name) => !page.includes(`\`${name}\``)),
      [],
    );
  });
});
