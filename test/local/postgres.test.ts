import assert from 'node:assert/strict';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../src/local/ports.ts';
import { startPostgres } from '../../src/local/postgres.ts';
import { isAlive } from '../../src/local/processes.ts';
import { endCopies, freshFolder } from '../support/local-copy.ts';

async function ask(url: string, query: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(query)).rows;
  } finally {
    await client.end();
  }
}

describe('Postgres of the local mode', () => {
  afterEach(endCopies);

  it('runs in a folder that only its owner may enter, and is durable and private', async () => {
    const folder = freshFolder();
    assert.equal(statSync(folder).mode & 0o077, 0, 'the test needs a folder like this');
    const postgres = await startPostgres({ dataDir: join(folder, 'pg') });
    const settings = await ask(
      postgres.url,
      `select name, setting from pg_settings where name in ('fsync', 'listen_addresses', 'max_connections', 'synchronous_commit') order by name`,
    );
    assert.deepEqual(settings, [
      { name: 'fsync', setting: 'on' },
      { name: 'listen_addresses', setting: '127.0.0.1' },
      { name: 'max_connections', setting: '100' },
      { name: 'synchronous_commit', setting: 'on' },
    ]);
    await assert.rejects(ask(postgres.url.replace(/:[^:@/]+@/, ':wrong@'), 'select 1'), /password/);
    await postgres.stop();
    assert.equal(isAlive(postgres.pid), false);
    assert.equal(await postgres.exited, 'exit code 0');
  });

  it('keeps what was committed before a kill -9, and orders and compares Unicode text', async () => {
    const dataDir = join(freshFolder(), 'pg');
    const first = await startPostgres({ dataDir });
    await ask(first.url, `create table words (word text); insert into words values ('ÄRGER')`);
    process.kill(first.pid, 'SIGKILL');
    assert.equal(await first.exited, 'ended by SIGKILL');
    const second = await startPostgres({ dataDir, port: first.port });
    assert.deepEqual(await ask(second.url, 'select lower(word) as word from words'), [{ word: 'ärger' }]);
    assert.equal(second.url, first.url);
    await second.stop();
  });

  it('creates its data again if the first start was interrupted', async () => {
    const dataDir = join(freshFolder(), 'pg');
    mkdirSync(join(dataDir, 'cluster.new'), { recursive: true });
    writeFileSync(join(dataDir, 'cluster.new', 'PG_VERSION'), '18');
    const postgres = await startPostgres({ dataDir });
    assert.deepEqual(await ask(postgres.url, 'select 1 as one'), [{ one: 1 }]);
    await postgres.stop();
  });

  it('names the reason if it cannot start', async () => {
    const dataDir = join(freshFolder(), 'pg');
    const port = await freePort();
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    await assert.rejects(
      startPostgres({ dataDir, port }),
      /did not start.*could not bind.*Address already in use/s,
    );
    server.close();
  });
});
