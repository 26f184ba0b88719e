/** Callers that ask for much and do not read it: they hold no connection of the database, and others are served. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { useStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

const readers = 40;
const messages = 300;
const atOnce = 20;
/** A page of the largest messages is 3.2 MB, and twice that as text in memory: each reader may have one. */
const maxGrowthMiB = readers * 10;

describe('Slow readers', () => {
  const stack = useStack({ apis: 1, env: { ORGANIZATION_RATE_LIMIT: 'off' } });
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  const residentMiB = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${stack().apiProcess.pid}/status`, 'utf8'))?.[1]) / 1024;

  /** Sends a request, reads the beginning of the answer, then stops reading. @returns what it has read */
  function ask(path: string): { read: () => string; socket: Socket } {
    const { hostname, port } = new URL(stack().apiUrl);
    let read = '';
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    socket.once('data', (chunk: Buffer) => {
      read = chunk.toString();
      socket.pause();
    });
    sockets.push(socket);
    const headers = ['Host: parley', `Authorization: Bearer ${stack().token}`];
    socket.write([`GET /v1${path} HTTP/1.1`, ...headers, '', ''].join('\r\n'));
    return { read: () => read, socket };
  }

  /** A conversation of so many messages of the largest size. */
  async function longConversation(): Promise<string> {
    const { api, db } = stack();
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    const { conversation_id } = await api.ask(agent.id, { message: 'a' });
    // Few at a time, within the time that a statement has.
    for (let left = messages; left > 0; left -= atOnce) {
      await db.pool.query(
        `insert into messages (id, organization_id, conversation_id, run_ordinal, seq, origin, text)
           select gen_random_uuid(), c.organization_id, c.id, c.last_ordinal + n, c.last_seq + n, 'user', repeat('x', 32000)
             from conversations c, generate_series(1, $2) n where c.id = $1`,
        [conversation_id, atOnce],
      );
      await db.pool.query(
        'update conversations set last_ordinal = last_ordinal + $2, last_seq = last_seq + $2 where id = $1',
        [conversation_id, atOnce],
      );
    }
    return conversation_id;
  }

  for (const [what, pathOf] of [
    ['an export', () => '/export'],
    ['pages of messages', (id: string) => `/conversations/${id}/messages?limit=100`],
  ] as const) {
    it(`${readers} of ${what} leave the database's connections and the memory to others, and an export can be read to its end`, async () => {
      const id = await longConversation();
      const other = await stack().stranger();
      const before = residentMiB();
      const slow = Array.from({ length: readers }, () => ask(pathOf(id)));
      await until('all to begin', () => slow.every(({ read }) => read().startsWith('HTTP/1.1 200')));
      await until('no connection to be held', async () => {
        const { rows } = await stack().db.pool.query<{ n: number }>(
          `select count(*)::int as n from pg_stat_activity
             where datname = current_database() and state <> 'idle' and xact_start < clock_timestamp() - interval '2 seconds'`,
        );
        return rows[0]?.n === 0;
      });
      for (let call = 0; call < 20; call += 1)
        assert.equal((await other.api.call('GET', '/agents')).status, 200);
      const grown = residentMiB() - before;
      assert.ok(grown < maxGrowthMiB, `${Math.round(grown)} MiB more`);
      const [first] = slow;
      assert.ok(first);
      let bytes = first.read().length;
      first.socket.on('data', (chunk: Buffer) => (bytes += chunk.length)).resume();
      // An export has no declared length; a page has fewer messages if they are large.
      const wanted = Number(/content-length: (\d+)/i.exec(first.read())?.[1] ?? messages * 32_000);
      await until('the whole answer', () => bytes > wanted);
    });
  }
});
