/** Warm conversations while a part fails: each message is answered once, in order, with one callback. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerGraceMs } from '../../src/process-life.ts';
import { until } from '../support/until.ts';
import { useStack } from '../support/stack.ts';
import { echo, warmTalk, type WarmTalk } from '../support/warm-talk.ts';

const { OUTAGE_SECONDS = '20', WARM_CONVERSATIONS = '60' } = process.env;
/** Longer than Temporal waits for an activity's heartbeat. `OUTAGE_SECONDS=60` plays a longer one. */
const outageMs = Number(OUTAGE_SECONDS) * 1000;
/**
 * `WARM_CONVERSATIONS=1000` plays with as many as one worker keeps warm; their worker then needs more time than stop()
 * has.
 */
const lingering = Number(WARM_CONVERSATIONS);

describe('Warm conversations of two workers', () => {
  const stack = useStack({ workers: 2, apis: 1, env: { WARM_TURNS: '10' } });
  const talks = async (name: string, count: number, turns = 3) =>
    await Promise.all(Array.from({ length: count }, (_, n) => warmTalk(stack(), `${name}-${n}`, turns)));
  const workerOf = async (talk: WarmTalk) => {
    const rows = await stack()
      .db.knex<{ id: string; served_by: string | null }>('conversations')
      .where({ id: talk.id })
      .select('served_by');
    return rows[0]?.served_by?.split('/')[0];
  };
  const all = async (warm: WarmTalk[], step: (talk: WarmTalk) => Promise<void>) => {
    await Promise.all(warm.map(step));
  };

  it('are kept by both', async () => {
    const warm = await talks('both', 20);
    const workers = await Promise.all(warm.map(workerOf));
    assert.equal(new Set(workers).size, 2);
    assert.ok(!workers.includes(undefined));
  });

  for (const seconds of [5, 20]) {
    it(`are answered while one worker is stopped for ${seconds} s, and after it`, async () => {
      const warm = await talks(`stopped-${seconds}`, 10);
      const { pid } = stack().workers[0] ?? assert.fail();
      process.kill(pid, 'SIGSTOP');
      const stopped = sleep(seconds * 1000).then(() => process.kill(pid, 'SIGCONT'));
      await all(warm, (talk) => talk.say(4, 60_000));
      await stopped;
      await all(warm, (talk) => talk.say(5, 60_000));
      await all(warm, (talk) => talk.assertAnswered(5));
    });
  }

  it('are answered after one worker was killed', async () => {
    const warm = await talks('killed', 10);
    const worker = stack().workers[1] ?? assert.fail();
    await worker.kill();
    await all(warm, (talk) => talk.say(4, 60_000));
    await worker.start();
    await all(warm, (talk) => talk.say(5, 60_000));
    await all(warm, (talk) => talk.assertAnswered(5));
  });

  it('are answered while each LISTEN is ended again and again', async () => {
    const warm = await talks('deaf', 10, 2);
    const { db } = stack();
    const talked = new AbortController();
    const cuts = (async () => {
      let count = 0;
      while (!talked.signal.aborted) {
        const { rows } = await db.pool.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %' and datname = current_database()",
        );
        count += rows.length;
        await sleep(100);
      }
      return count;
    })();
    try {
      for (const turn of [3, 4, 5, 6]) await all(warm, (talk) => talk.say(turn));
    } finally {
      talked.abort();
    }
    assert.ok((await cuts) > 0);
    await all(warm, (talk) => talk.assertAnswered(6));
  });

  it(`50 are answered while Temporal is unreachable for ${OUTAGE_SECONDS} s, and others afterwards`, async () => {
    const warm = await talks('outage', 50);
    const { temporalLine } = stack();
    const began = performance.now();
    await temporalLine.cut();
    let cold: WarmTalk;
    try {
      for (const turn of [4, 5, 6, 7]) await all(warm, (talk) => talk.say(turn));
      const [other] = warm;
      assert.ok(other);
      cold = await warmTalk(stack(), 'outage-cold', 0);
      await cold.send(1);
      await sleep(Math.max(0, outageMs - (performance.now() - began)));
    } finally {
      await temporalLine.restore();
    }
    await stack().receiver.waitFor(cold.path, 1, 60_000);
    await all(warm, (talk) => talk.say(8, 60_000));
    await all(warm, (talk) => talk.assertAnswered(8));
    await cold.assertAnswered(1);
  });
});

describe('Warm conversations of one worker', () => {
  const stack = useStack({
    workers: 1,
    apis: 1,
    env: { WARM_TURNS: '10', WARM_SECONDS: '120', ORGANIZATION_RATE_LIMIT: 'off' },
  });
  const served = async () => {
    const { rows } = await stack().db.pool.query<{ count: number }>(
      'select count(*)::int as count from conversations where served_by is not null',
    );
    return rows[0]?.count ?? 0;
  };
  const many = async (name: string, count: number) => {
    const { api } = stack();
    const agent = await api.createAgent(echo);
    const contacts = Array.from({ length: count }, (_, n) => `${name}-${n}`);
    const say = async (turn: number) => {
      const ids: string[] = [];
      // No more at once than one organization may have in progress.
      for (let from = 0; from < count; from += 150) {
        const some = contacts.slice(from, from + 150).map(async (id) => {
          const sent = await api.send(agent.id, { message: `message ${turn}`, contact: { id } });
          return sent.conversation_id;
        });
        ids.push(...(await Promise.all(some)));
      }
      await until(`${count} conversations to be answered ${turn} times`, async () => {
        const { rows } = await stack().db.pool.query<{ count: number }>(
          "select count(*)::int as count from runs where conversation_id = any($1) and state = 'answered'",
          [ids],
        );
        return rows[0]?.count === turn * count;
      });
      return ids;
    };
    return say;
  };

  it(`of which ${lingering} wait end at SIGTERM within the grace, and the worker with exit code 0`, async () => {
    const say = await many('lingering', lingering);
    await say(1);
    const ids = await say(2);
    const warm = await served();
    assert.ok(warm >= lingering * 0.8, `${warm} are warm`);
    const began = performance.now();
    assert.equal(await stack().worker.stop(), 'exit code 0');
    const ms = Math.round(performance.now() - began);
    assert.ok(ms < workerGraceMs, `${ms} ms`);
    process.stdout.write(`      ${warm} warm conversations ended in ${ms} ms\n`);
    assert.equal(await served(), 0);
    await stack().worker.start();
    assert.deepEqual(await say(3), ids);
  });

  it('of one organization do not delay another’s single message', async () => {
    const one = await stack().stranger();
    const say = await many('burst', 150);
    await say(1);
    await say(2);
    const single = await warmTalk(stack(), 'single', 2, echo, one.api);
    const [ids] = await Promise.all([say(3), single.say(3)]);
    await single.assertAnswered(3);
    const { rows } = await stack().db.pool.query<{ between: number }>(
      `select count(*)::int as between from runs other join runs mine
         on other.claimed_at > mine.opened_at and other.claimed_at < mine.claimed_at
       where mine.conversation_id = $1 and mine.ordinal = 3 and other.conversation_id = any($2)`,
      [single.id, ids],
    );
    const between = rows[0]?.between ?? 150;
    assert.ok(between <= 80, `${between} of 150 began between its acceptance and its run`);
  });
});
