import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import pg from 'pg';
import { isAlive } from '../../src/local/processes.ts';
import { freePort } from '../../src/local/ports.ts';
import { connects, listens } from '../../src/local/reach.ts';
import {
  allGone,
  endCopies,
  freshFolder,
  idOf,
  idsOf,
  killPart,
  preparedFolder,
  startCopy,
} from '../support/local-copy.ts';
import { until } from '../support/until.ts';

describe('the local mode, on real Postgres and real Temporal', () => {
  afterEach(endCopies);

  it('lists in running.json, readable by its owner alone, the processes and their addresses', async () => {
    const folder = freshFolder();
    const copy = startCopy(folder);
    const running = await copy.ready();
    assert.equal(statSync(join(folder, 'running.json')).mode & 0o777, 0o600);
    assert.equal(running.base_url, `${running.origin}/v1`);
    assert.equal(running.processes.supervisor, copy.child.pid);
    assert.ok(idsOf(running).every(isAlive));
    assert.equal(idsOf(running).length, 5);
    assert.equal((await connects(running.database_url)).outcome, 'connected');
    assert.equal(await listens(running.temporal.address), undefined);
    const ui = await fetch(running.temporal.ui_url!);
    assert.match(await ui.text(), /<html/i);
    for (const told of [
      running.console.url,
      running.console.password,
      running.base_url,
      running.temporal.ui_url!,
    ]) {
      assert.ok(copy.output().includes(told), told);
    }
  });

  it('prints each callback that the echo receiver gets, and allows exactly that address', async () => {
    const copy = startCopy(await preparedFolder(), { CALLBACK_ALLOW: '10.0.0.0/8' });
    const running = await copy.ready();
    const url = /"webhook_url":"([^"]+)"/.exec(copy.output())![1]!;
    const response = await fetch(url, {
      method: 'POST',
      body: '{"type":"message.completed","text":"\\u001b[31m"}',
    });
    assert.equal(response.status, 200);
    assert.match(
      copy.output(),
      /callback received: POST \/callback\n\{\n {2}"type": "message.completed",\n {2}"text": "\\u001b\[31m"/,
    );
    const env = (await (await fetch(`${running.origin}/env`)).json()) as NodeJS.ProcessEnv;
    assert.equal(env['CALLBACK_ALLOW'], `10.0.0.0/8,${new URL(url).host}`);
  });

  for (const [title, env] of [
    ['ECHO=off', { ECHO: 'off' }],
    ['production', { NODE_ENV: 'production', ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64') }],
  ] as const) {
    it(`has no echo receiver with ${title}`, async () => {
      const copy = startCopy(await preparedFolder(), env);
      const running = await copy.ready();
      assert.doesNotMatch(copy.output(), /webhook_url|callback/i);
      const child = (await (await fetch(`${running.origin}/env`)).json()) as NodeJS.ProcessEnv;
      assert.equal(child['CALLBACK_ALLOW'], '');
    });
  }

  for (const name of ['api', 'worker', 'temporal', 'postgres'] as const) {
    it(`starts ${name} again after kill -9, on the same addresses, and writes its new id`, async () => {
      const copy = startCopy(await preparedFolder());
      const before = await copy.ready();
      await idOf(copy, name, await killPart(copy, name));
      const after = copy.running();
      assert.ok(after);
      assert.deepEqual({ ...after, processes: null }, { ...before, processes: null });
      assert.ok(isAlive(after.processes[name]!));
      assert.deepEqual(await copy.ready(), after);
      assert.equal((await connects(after.database_url)).outcome, 'connected');
      assert.equal(await listens(after.temporal.address), undefined);
    });
  }

  it('starts again after kill -9 of the supervisor: ends what was left, and finds its data and addresses', async () => {
    const folder = await preparedFolder();
    const first = startCopy(folder);
    const before = await first.ready();
    const client = new pg.Client(before.database_url);
    client.on('error', () => undefined);
    await client.connect();
    await client.query('create table kept (n int); insert into kept values (7)');
    process.kill(before.processes.supervisor, 'SIGKILL');
    await first.exited;
    assert.ok(isAlive(before.processes.postgres!), 'the test needs an orphan');

    const second = startCopy(folder);
    const after = await second.ready();
    assert.match(second.output(), /Ended what an earlier start had left behind: .*postgres/);
    await allGone(idsOf(before));
    assert.equal(after.token, before.token);
    assert.equal(after.console.password, before.console.password);
    assert.equal(after.database_url, before.database_url);
    const again = new pg.Client(after.database_url);
    await again.connect();
    assert.deepEqual((await again.query('select n from kept')).rows, [{ n: 7 }]);
    await again.end();
    await client.end().catch(() => undefined);
  });

  for (const [title, signals] of [
    ['SIGTERM', ['SIGTERM']],
    ['SIGINT twice', ['SIGINT', 'SIGINT']],
  ] as const) {
    it(`ends with exit code 0 and no process left on ${title}`, async () => {
      const copy = startCopy(await preparedFolder());
      const running = await copy.ready();
      const began = Date.now();
      for (const signal of signals) copy.child.kill(signal);
      assert.deepEqual(await copy.exited, { code: 0, signal: null });
      assert.ok(Date.now() - began < 15_000);
      await allGone(idsOf(running));
    });
  }

  it('ends with exit code 0 and no process left when it is stopped while it starts', async () => {
    const folder = await preparedFolder();
    const copy = startCopy(folder);
    await until('the beginning', () => copy.output().includes('Starting Temporal'));
    copy.child.kill('SIGTERM');
    assert.deepEqual(await copy.exited, { code: 0, signal: null }, copy.output());
    await startCopy(folder).ready();
  });

  it('refuses a second start on the same DATA_DIR in a sentence, and leaves the first alone', async () => {
    const folder = await preparedFolder();
    const first = startCopy(folder);
    const running = await first.ready();
    const second = startCopy(folder);
    assert.equal((await second.exited).code, 1);
    assert.match(
      second.output(),
      new RegExp(`already running on DATA_DIR .*process ${running.processes.supervisor}`),
    );
    assert.deepEqual(await first.ready(), running);
  });

  it('runs two copies side by side', async () => {
    const [one, two] = [startCopy(await preparedFolder()), startCopy(await preparedFolder())];
    const [a, b] = await Promise.all([one.ready(), two.ready()]);
    assert.notEqual(a.origin, b.origin);
    assert.notEqual(a.temporal.address, b.temporal.address);
    assert.notEqual(a.database_url, b.database_url);
    assert.equal(new Set([...idsOf(a), ...idsOf(b)]).size, 10);
  });

  it('chooses new addresses if others have taken the old ones in between', async () => {
    const folder = await preparedFolder();
    const first = startCopy(folder);
    const before = await first.ready();
    first.child.kill('SIGTERM');
    await first.exited;
    const squatter = createServer();
    const port = Number(before.temporal.address.split(':')[1]);
    await new Promise<void>((resolve) => squatter.listen(port, '127.0.0.1', resolve));
    const after = await startCopy(folder).ready();
    assert.notEqual(after.temporal.address, before.temporal.address);
    assert.equal(after.database_url, before.database_url);
    squatter.close();
  });

  it('uses the Postgres of DATABASE_URL and the Temporal of TEMPORAL_ADDRESS, and starts none', async () => {
    const own = await startCopy(await preparedFolder()).ready();
    const copy = startCopy(await preparedFolder(), {
      DATABASE_URL: own.database_url,
      TEMPORAL_ADDRESS: own.temporal.address,
    });
    const running = await copy.ready();
    assert.equal(running.database_url, own.database_url);
    assert.equal(running.temporal.address, own.temporal.address);
    assert.equal(running.processes.postgres, null);
    assert.equal(running.processes.temporal, null);
  });

  describe('prints in one sentence what is missing', () => {
    async function refusal(dataDir: string, env: NodeJS.ProcessEnv): Promise<string> {
      const copy = startCopy(dataDir, env);
      assert.equal((await copy.exited).code, 1, copy.output());
      assert.doesNotMatch(copy.output(), /^ +at /m);
      return copy.output();
    }

    it('a taken port', async () => {
      const server = createServer();
      const port = await freePort();
      await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
      const text = await refusal(await preparedFolder(), { PORT: String(port) });
      assert.match(text, new RegExp(`Port ${port} of 127.0.0.1 is taken .* set PORT`));
      server.close();
    });

    it('a DATA_DIR that cannot be a folder', async () => {
      const file = join(freshFolder(), 'file');
      writeFileSync(file, '');
      assert.match(await refusal(join(file, 'data'), {}), /DATA_DIR .* cannot be written/);
    });

    it('a TEMPORAL_CLI that is no program', async () => {
      assert.match(
        await refusal(await preparedFolder(), { TEMPORAL_CLI: '/nowhere' }),
        /TEMPORAL_CLI is \/nowhere/,
      );
    });

    it('a Temporal or a Postgres of the settings that is not there', async () => {
      const port = await freePort();
      const temporal = await refusal(await preparedFolder(), { TEMPORAL_ADDRESS: `127.0.0.1:${port}` });
      assert.match(temporal, /Nothing answers at 127.0.0.1:\d+, the Temporal of your settings/);
    });

    it('an encryption key in production', async () => {
      assert.match(
        await refusal(await preparedFolder(), { NODE_ENV: 'production' }),
        /ENCRYPTION_KEY is required/,
      );
    });

    it('a setting that does not fit', async () => {
      assert.match(
        await refusal(await preparedFolder(), { PORT: 'many' }),
        /PORT: must be a port: a whole number from 0 to 65535/,
      );
    });
  });
});
