/**
 * The memory of a call that waits for its answer: it does not hold its body, and holds nothing once its caller has
 * left.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const mebibyte = 1024 * 1024;
const file = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64');

describe('A call that waits for its answer', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
  const heldBytes = join(folder, 'held');
  // Without a worker every call waits.
  const stack = useStack({
    ...{ apis: 1, workers: 0 },
    env: {
      NODE_OPTIONS: `--import=${new URL('../../bench/long-runs/collect-on-signal.ts', import.meta.url).href}`,
      HELD_BYTES: heldBytes,
      // Large bodies count as many calls.
      ...{ RATE_LIMIT: 'off', ORGANIZATION_RATE_LIMIT: 'off' },
    },
  });
  const calls = new AbortController();
  after(() => {
    calls.abort();
    rmSync(folder, { recursive: true });
  });

  /** Bytes of JavaScript values and of buffers that the API holds after a collection. */
  const held = async (): Promise<number> => {
    writeFileSync(heldBytes, '');
    process.kill(stack().apiProcess.pid, 'SIGWINCH');
    const line = await until('a collection', () => /^(\d+)\n/.exec(readFileSync(heldBytes, 'utf8'))?.[1]);
    return Number(line);
  };

  const chat = { message: 'a', sync: true, attachments: [{ content_base64: file(4 * mebibyte) }] };
  const url = `data:image/png;base64,${file(0.7 * mebibyte)}`;
  const completion = {
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'image_url', image_url: { url } },
        ],
      },
    ],
  };
  const response = {
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'a' },
          { type: 'input_image', image_url: url },
        ],
      },
    ],
  };
  const events = { accept: 'text/event-stream' };
  for (const [name, path, body, headers] of [
    ['POST /chat/{id}', '/chat/', chat, {}],
    ['POST /chat/{id}, streamed', '/chat/', chat, events],
    ['POST /openai/chat/completions', '/openai/chat/completions', completion, {}],
    [
      'POST /openai/chat/completions, streamed',
      '/openai/chat/completions',
      { ...completion, stream: true },
      {},
    ],
    ['POST /openai/responses', '/openai/responses', response, {}],
    ['POST /openai/responses, streamed', '/openai/responses', { ...response, stream: true }, {}],
  ] as const)
    for (const key of [undefined, crypto.randomUUID()])
      it(`does not hold its body: ${name}${key === undefined ? '' : ', with an Idempotency-Key'}`, async () => {
        const { api, apiUrl, token, db } = stack();
        const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
        const isChat = path === '/chat/';
        const text = JSON.stringify(isChat ? body : { ...body, model: agent.id });
        let sent = 0;
        let refused = '';
        const wait = async (count: number) => {
          for (const last = sent + count; sent < last;) {
            sent += 1;
            // Leaving ends the wait, so the callers stay.
            void fetch(`${apiUrl}${path}${isChat ? agent.id : ''}`, {
              method: 'POST',
              body: text,
              signal: calls.signal,
              headers: {
                ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
                ...headers,
                ...(key !== undefined && { 'idempotency-key': `${key} ${sent}` }),
              },
            }).then(
              async (answer) => {
                if (!answer.ok) refused = `, but ${answer.status} ${await answer.text()}`;
              },
              () => undefined,
            );
            const accepted = () => `the call to be accepted${refused}`;
            await until(accepted, async () => {
              const begun = db.knex('conversations').where({ agent_id: agent.id }).count();
              return Number((await begun)[0]?.['count']) === sent;
            });
          }
        };
        // The first call loads what later ones need too.
        await wait(2);
        const before = await held();
        await wait(4);
        let bodies = 0;
        await until(
          () => `less than half a body to be held, but ${bodies.toFixed(1)} bodies are`,
          async () => {
            bodies = ((await held()) - before) / text.length;
            return bodies < 0.5;
          },
          60_000,
        );
      });
});

describe('A caller that leaves', () => {
  const stack = useStack({ apis: 1, workers: 0, env: { SYNC_TIMEOUT_SECONDS: '6' } });

  it('ends its wait, and no timeout is stored for its Idempotency-Key', async () => {
    const { api, apiUrl, token, db } = stack();
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    const ask = async (key: string, signal?: AbortSignal) =>
      await fetch(`${apiUrl}/chat/${agent.id}`, {
        method: 'POST',
        body: JSON.stringify({ message: 'a', sync: true }),
        headers: {
          ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
        },
        ...(signal && { signal }),
      });
    const stored = async () =>
      await db
        .knex<{ key: string; status: number | null }>('idempotency_keys')
        .select('key', 'status')
        .orderBy('key');
    const leaving = new AbortController();
    const left = assert.rejects(ask('leaves', leaving.signal));
    await until('the call to be accepted', async () => (await stored()).length === 1);
    leaving.abort();
    await left;
    // Began later, so its time ends later too.
    assert.equal((await ask('stays')).status, 504);
    assert.deepEqual(await stored(), [
      { key: 'leaves', status: null },
      { key: 'stays', status: 504 },
    ]);
  });
});
