import assert from 'node:assert/strict';
import { connectDatabase, type Database } from '../../../src/adapters/postgres/database.ts';
import { Pace } from '../../../src/adapters/postgres/pace.ts';
import { backing } from '../../support/backing.ts';

describe('Pace', () => {
  const rule = { max: 20, windowMs: 60_000, maxWaitMs: 0 };
  let workers: Database[];
  before(async () => {
    const url = await (await backing()).freshDatabase();
    workers = [connectDatabase(url, 6), connectDatabase(url, 6)];
  });
  after(() => Promise.all(workers.map((one) => one.close())));

  const ask = async (times: number, key = 'a gateway') =>
    await Promise.all(
      Array.from({ length: times }, (_, index) => new Pace(workers[index % 2]!, key, rule).take()),
    );
  const taken = (slots: Awaited<ReturnType<typeof ask>>) => slots.filter((one) => 'waited' in one).length;

  it('gives two workers that ask at once no more slots than the window has, and the others the time to wait', async () => {
    const slots = await ask(100);
    assert.equal(taken(slots), rule.max);
    for (const slot of slots)
      if ('retryMs' in slot) assert.ok(slot.retryMs > 30_000 && slot.retryMs <= 60_000, String(slot.retryMs));
  });

  it('gives a slot for each one that is a window old', async () => {
    await workers[0]!.pool.query(
      `update paces set slots[1:3] = array_fill(now() - interval '1 minute', array[3])`,
    );
    assert.equal(taken(await ask(50)), 3);
  });

  it('counts each key separately, and stores only the slots of the last window', async () => {
    assert.equal(taken(await ask(30, 'another')), rule.max);
    const { rows } = await workers[0]!.pool.query<{ slots: number }>(
      'select cardinality(slots) as slots from paces',
    );
    assert.deepEqual(
      rows.map(({ slots }) => slots),
      [rule.max, rule.max],
    );
  });

  it('reserves slots of the next windows for those that wait, in order', async () => {
    const waiting = { max: 2, windowMs: 2000, maxWaitMs: 10_000 };
    const began = performance.now();
    const ended = await Promise.all(
      Array.from({ length: 6 }, async (_, index) => {
        const slot = await new Pace(workers[index % 2]!, 'in order', waiting).take();
        assert.ok('waited' in slot);
        return { ...slot, at: performance.now() - began };
      }),
    );
    assert.equal(ended.filter(({ waited }) => waited).length, 4);
    // Timers of Node may fire a millisecond early.
    const isAfter = (windows: number) =>
      ended.filter(({ at }) => at >= windows * waiting.windowMs - 2).length;
    assert.ok(isAfter(1) >= 4 && isAfter(2) >= 2, ended.map(({ at }) => Math.round(at)).join());
  });

  it('gives none while the key is blocked, even to those that would wait', async () => {
    const pace = new Pace(workers[0]!, 'blocked', { ...rule, maxWaitMs: 10_000 });
    await pace.block(50_000);
    await pace.block(10_000);
    const slot = await pace.take();
    assert.ok('retryMs' in slot && slot.retryMs > 30_000 && slot.retryMs <= 50_000, JSON.stringify(slot));
    await workers[0]!.pool.query(`update paces set blocked_until = now() where key = 'blocked'`);
    assert.deepEqual(await pace.take(), { waited: false });
  });
});
