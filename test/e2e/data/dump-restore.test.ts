/** A dump of a used database, restored on another server as docs/operators.md describes, resumes where it stopped. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { connectDatabase, type Database } from '../../../src/adapters/postgres/database.ts';
import { createToken } from '../../../src/adapters/postgres/accounts/tokens.ts';
import { migrate } from '../../../src/adapters/postgres/migrate.ts';
import { makeLogins } from '../../../src/local/database-logins.ts';
import { startPostgres, type Postgres } from '../../../src/local/postgres.ts';
import { backing } from '../../support/backing.ts';
import { startModelServer, type ModelServer } from '../../support/model-server.ts';
import { modelSettings } from '../../support/model-stack.ts';
import { ensurePostgresTools } from '../../support/postgres-tools.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const run = promisify(execFile);

describe('A dump that is restored on another server', () => {
  let model: ModelServer;
  const stack = useStack(async () => {
    model = await startModelServer();
    return { env: { ...modelSettings, MODEL_BASE_URL: model.baseUrl, MODEL_TIMEOUT_SECONDS: '100' } };
  });
  let folder: string;
  let other: Postgres;
  let restored: Database | undefined;
  let tools: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-restored-'));
    [tools, other] = await Promise.all([ensurePostgresTools(), startPostgres({ dataDir: folder })]);
  });
  after(async () => {
    await restored?.close();
    await other.stop();
    await model.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('answers what was accepted before it once, and attempts no callback twice', async () => {
    const { api, receiver, apiProcess, worker, db, databaseUrl, env, organizationId } = stack();
    const reply = { when: '(?s)^(.*)$', reply: 'You wrote: $1' };
    const scripted = { model: 'scripted/default', script: [reply] };
    const plain = await api.createAgent(scripted);
    const grouping = await api.createAgent({ ...scripted, grouping_window_seconds: 60 });
    const slow = await api.createAgent();
    // Its run is in progress until its worker is killed.
    model.answer('running', { kind: 'hang' }, { kind: 'stream', text: 'You wrote: running' });
    const words = ['answered', 'grouped', 'running', 'posting', 'keyed'] as const;
    const path = Object.fromEntries(words.map((word) => [word, `/${word}-${crypto.randomUUID()}`])) as Record<
      (typeof words)[number],
      string
    >;
    const send = async (agentId: string, word: (typeof words)[number], more: object = {}, key?: string) =>
      await api.send(
        agentId,
        { message: word, webhook_url: receiver.url(path[word]), ...more },
        key === undefined ? undefined : { 'idempotency-key': key },
      );

    // A used database: a file, a token that is revoked, a conversation with an end, and one of each kind in progress.
    const attachments = [{ content_base64: Buffer.from('a file').toString('base64'), filename: 'a.txt' }];
    const answered = await send(plain.id, 'answered', { attachments });
    await api.settled(answered.conversation_id);
    await receiver.waitFor(path.answered, 1);
    const second = await createToken(db, { organizationId, name: 'second' });
    receiver.behave(path.posting, { hang: true });
    const posting = await send(plain.id, 'posting');
    await receiver.waitFor(path.posting, 1);
    const running = await send(slow.id, 'running');
    const grouped = await send(grouping.id, 'grouped');
    const keyed = await send(grouping.id, 'keyed', {}, 'a-key');
    await until('the run to begin', async () => {
      const { conversation_id } = running;
      const runs = await db.knex('runs').where({ conversation_id, state: 'running' });
      return runs.length > 0 && model.callsFor('running').length > 0;
    });

    const dump = join(folder, 'parley.dump');
    await run(join(tools, 'pg_dump'), ['--format=custom', `--file=${dump}`, databaseUrl]);
    await Promise.all([apiProcess.kill(), worker.kill()]);
    const sentBefore = words.map((word) => receiver.requestsTo(path[word]).length);
    assert.deepEqual(
      sentBefore,
      [1, 0, 0, 1, 0],
      'the dump was made, and the processes ended, before more was posted',
    );

    const admin = new pg.Client(other.url);
    await admin.connect();
    for (const role of ['parley_api', 'parley_api_across', 'parley_accounts', 'parley_worker'])
      await admin.query(`create role ${role} nologin`);
    await admin.end();
    const restore = await run(join(tools, 'pg_restore'), ['--no-owner', `--dbname=${other.url}`, dump]);
    assert.equal(restore.stderr, '');
    // A deploy migrates first.
    await migrate(other.url);
    await makeLogins(other.url, new URL(other.url).password);
    const after = connectDatabase(other.url, 2);
    restored = after;
    const counts = async (of: Database) => {
      const tables = [
        'organizations',
        'api_tokens',
        'agents',
        'conversations',
        'messages',
        'runs',
        'attachments',
      ];
      return await Promise.all(
        tables.map(async (table) => Number((await of.knex(table).count())[0]?.['count'])),
      );
    };
    assert.deepEqual(await counts(after), await counts(db));
    // The windows of the groups end while nothing runs.
    await after.pool.query(
      `update runs set closes_at = closes_at - interval '1 minute' where state = 'collecting'`,
    );
    const settings = {
      ...env,
      ...{ DATABASE_URL: other.url, TEMPORAL_NAMESPACE: await (await backing()).freshNamespace() },
    };
    await Promise.all([apiProcess.start(settings), worker.start(settings)]);

    for (const [word, { conversation_id }] of Object.entries({
      running,
      grouped,
      keyed,
      posting,
      answered,
    })) {
      const messages = await api.settled(conversation_id, 1, 120_000);
      assert.deepEqual(
        messages.map(({ text }) => text),
        [word, `You wrote: ${word}`],
      );
    }
    for (const word of ['running', 'grouped', 'keyed'] as const)
      await receiver.waitFor(path[word], 1, 60_000);
    const again = await send(grouping.id, 'keyed', {}, 'a-key');
    assert.deepEqual([again.conversation_id, again.group_id], [keyed.conversation_id, keyed.group_id]);
    await until('the callback that was attempted to have its end', async () => {
      const [delivery] = await api.deliveries({ conversation_id: posting.conversation_id });
      return delivery?.status === 'unknown';
    });
    const next = await api.ask(plain.id, { message: 'next', conversation_id: answered.conversation_id });
    assert.equal(next.response, 'You wrote: next');
    assert.deepEqual(
      words.map((word) => receiver.requestsTo(path[word]).length),
      [1, 1, 1, 1, 1],
    );
    assert.equal((await api.call('GET', '/agents', { token: second.token })).status, 200);
    const [message] = await api.messages(answered.conversation_id);
    const [file] = message?.attachments ?? [];
    const { rows } = await after.pool.query<{ content: Buffer }>(
      'select content from attachments where id = $1',
      [file?.id],
    );
    assert.equal(rows[0]?.content.toString(), 'a file');
  });
});
