/** The receivers of examples/: each callback is processed once, whoever repeats it and whatever dies. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { openApiDocument } from '../../src/api/openapi/openapi.ts';
import { projectRoot } from '../../src/local/project-root.ts';
import { useSharedStack } from '../support/stack.ts';
import { until } from '../support/until.ts';
import { runExample, startExample, type Example } from './run-example.ts';

const secret = 'a-secret-of-this-test';

describe('A receiver of callbacks', () => {
  const stack = useSharedStack();
  let folder: string;
  /** Bodies as they really arrive. */
  let completed: string, failed: string;
  let agent: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-receivers-'));
    const { api, receiver } = stack();
    const script = [{ when: 'fail', fail: { message: 'no', retryable: false } }, { reply: 'Grüße, 你好' }];
    agent = (await api.createAgent({ script })).id;
    const webhook_url = receiver.url('/examples');
    await api.send(agent, { message: 'Hello', webhook_url, metadata: { order: 17 } });
    [completed = ''] = (await receiver.waitFor('/examples', 1)).map(({ body }) => body);
    await api.send(agent, { message: 'fail', webhook_url });
    [, failed = ''] = (await receiver.waitFor('/examples', 2)).map(({ body }) => body);
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const rowsOf = (file: string) => {
    const db = new DatabaseSync(file, { timeout: 10_000 });
    const rows = db.prepare('select text, failed from answers order by failed').all();
    db.close();
    return rows.map((row) => ({ ...row }));
  };
  const start = async (program: string, file: string): Promise<{ example: Example; url: string }> => {
    const env = { RECEIVER_FILE: file, RECEIVER_SECRET: secret, PORT: '0' };
    const example = startExample(program, env);
    const [, port] = await example.says(/listening: http:\/\/127\.0\.0\.1:(\d+)\/callbacks\//);
    return { example, url: `http://127.0.0.1:${port}/callbacks/${secret}` };
  };
  const post = async (url: string, body: string | Uint8Array<ArrayBuffer>): Promise<number> =>
    (await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })).status;

  for (const program of ['receiver.ts', 'receiver.py']) {
    describe(program, () => {
      it('processes each callback once: repeated, at once, and after it was killed', async () => {
        const file = join(folder, `${program}.sqlite`);
        const first = await start(program, file);
        const both = [completed, failed, completed, failed, completed, failed];
        assert.deepEqual(
          await Promise.all(both.map((body) => post(first.url, body))),
          both.map(() => 200),
        );
        await first.example.kill();
        assert.equal(first.example.output().match(/^processed: /gm)?.length, 2);
        const second = await start(program, file);
        try {
          assert.equal(await post(second.url, completed), 200);
          assert.equal(await post(second.url, failed), 200);
          await second.example.says(/(known already: .*\n){2}/);
          assert.doesNotMatch(second.example.output(), /processed/);
        } finally {
          await second.example.kill();
        }
        const { error } = JSON.parse(failed) as { error: string };
        assert.deepEqual(rowsOf(file), [
          { text: 'Grüße, 你好', failed: 0 },
          { text: error, failed: 1 },
        ]);
      });

      it('refuses requests without the secret, and those that are no callback', async () => {
        const file = join(folder, `${program}-closed.sqlite`);
        const { example, url } = await start(program, file);
        try {
          for (const wrong of [`${url}x`, url.replace(secret, ''), url.replace(/callbacks.*/, '')])
            assert.equal(await post(wrong, completed), 404);
          for (const body of ['', '{', '[]', '{"event":"message.completed"}'])
            assert.equal(await post(url, body), 400);
          assert.equal(await post(url, new Uint8Array([0xff, 0xfe])), 400);
          assert.doesNotMatch(example.output(), new RegExp(secret));
        } finally {
          await example.kill();
        }
        assert.deepEqual(rowsOf(file), []);
      });
    });
  }

  it('with WEBHOOK_SECRET, receiver.ts takes only what its endpoint signed', async () => {
    const { api, receiver } = stack();
    const url = receiver.url('/signed-example');
    const { body } = await api.call('POST', '/webhook-endpoints', { body: { url } });
    const { secret: signing } = body as { secret: string };
    await api.send(agent, { message: 'Hello', webhook_url: url });
    const [request] = await receiver.waitFor('/signed-example', 1);
    const file = join(folder, 'signed.sqlite');
    const env = { RECEIVER_FILE: file, RECEIVER_SECRET: secret, PORT: '0', WEBHOOK_SECRET: signing };
    const example = startExample('receiver.ts', env);
    try {
      const [, port] = await example.says(/listening: http:\/\/127\.0\.0\.1:(\d+)\/callbacks\//);
      const to = `http://127.0.0.1:${port}/callbacks/${secret}`;
      assert.equal(await post(to, request?.body ?? ''), 400);
      const signatures = request?.rawHeaders.filter(([name]) => name.startsWith('webhook-')) ?? [];
      const signed = { method: 'POST', body: request?.body ?? '', headers: signatures };
      assert.equal((await fetch(to, signed)).status, 200);
      assert.equal(rowsOf(file).length, 1);
    } finally {
      await example.kill();
    }
  });

  it('gets an answer whose callback did not arrive from reconcile.ts, once', async () => {
    const { api, apiUrl, token, receiver } = stack();
    receiver.behave('/lost', { status: 500 });
    await api.send(agent, { message: 'lost', webhook_url: receiver.url('/lost') });
    await receiver.waitFor('/lost', 1);
    const file = join(folder, 'reconciled.sqlite');
    const env = { PARLEY_URL: apiUrl, PARLEY_TOKEN: token, RECEIVER_FILE: file };
    // The delivery is recorded as failed a moment after its answer.
    await until('the lost answer to be processed', async () =>
      (await runExample('reconcile.ts', env)).startsWith('processed: '),
    );
    assert.match(await runExample('reconcile.ts', env), /^known already: .*\n$/);
    assert.deepEqual(rowsOf(file), [{ text: 'Grüße, 你好', failed: 0 }]);
  });

  it('has in Python the types of the document', async () => {
    const print = `import json, typing, parley_callbacks as p
print(json.dumps({t.__name__: {n: [n in t.__required_keys__, str(a)] for n, a in typing.get_type_hints(t).items()}
                  for t in (p.MessageCompleted, p.MessageError)}))`;
    const env = { ...process.env, PYTHONPATH: 'examples', PYTHONDONTWRITEBYTECODE: '1' };
    const { stdout } = await promisify(execFile)('python3', ['-c', print], { cwd: projectRoot, env });
    type Field = { type?: string; const?: unknown; enum?: unknown[]; $ref?: string };
    type Schema = { type?: string; properties: Record<string, Field>; required: string[] };
    const { schemas } = openApiDocument('')['components'] as { schemas: Record<string, Schema> };
    const kinds: Record<string, string> = {
      string: "<class 'str'>",
      number: "<class 'float'>",
      integer: "<class 'int'>",
      object: 'dict[str, typing.Any]',
      // The document has no constant booleans, which generators refuse: each of these is always true.
      boolean: 'typing.Literal[True]',
    };
    const literal = (values: unknown[]) =>
      `typing.Literal[${values.map((value) => (value === true ? 'True' : `'${String(value)}'`)).join(', ')}]`;
    const typeOf = (field: Field): string | undefined => {
      const { $ref, ...one } = field;
      if ($ref !== undefined) return typeOf(schemas[$ref.replace(/^.*\//, '')] ?? {});
      const values = one.enum ?? ('const' in one ? [one.const] : []);
      return values.length > 0 ? literal(values) : kinds[one.type ?? ''];
    };
    for (const [name, fields] of Object.entries(JSON.parse(stdout) as Record<string, object>)) {
      const schema = schemas[name];
      assert.ok(schema, name);
      const expected = Object.entries(schema.properties).map(([field, one]) => [
        field,
        [schema.required.includes(field), typeOf(one)],
      ]);
      assert.deepEqual(fields, Object.fromEntries(expected), name);
    }
  });
});
