import assert from 'node:assert/strict';
import { setImmediate as settle } from 'node:timers/promises';
import { NoSlot } from '../../src/limits/limiter.ts';
import { Slots } from '../../src/limits/limiter.ts';

/** Work that ends when the test ends it. */
function workshop(slots: Slots) {
  const running: { key: string; end: () => void }[] = [];
  const started: string[] = [];
  return {
    started,
    begin: (key: string, organization = key) => {
      const work = async () => {
        started.push(key);
        await new Promise<void>((end) => running.push({ key, end }));
      };
      // More than may wait are refused.
      slots.use(organization, key, work).catch((error: unknown) => {
        assert.ok(error instanceof NoSlot);
      });
    },
    endOne: async (key: string) => {
      const index = running.findIndex((work) => work.key === key);
      assert.ok(index >= 0, `${key} is not running`);
      running.splice(index, 1)[0]?.end();
      await settle();
    },
    count: (key: string) => running.filter((work) => work.key === key).length,
  };
}

describe('slots for model calls', () => {
  it('leave room for other agents however many calls of one agent wait', async () => {
    const work = workshop(new Slots(100));
    for (let call = 0; call < 500; call++) work.begin('busy');
    await settle();
    assert.equal(work.count('busy'), 80);
    work.begin('other');
    await settle();
    assert.equal(work.count('other'), 1);
    for (let call = 0; call < 500; call++) work.begin('second');
    await settle();
    work.begin('third');
    await settle();
    assert.equal(work.count('third'), 1);
  });

  it('leave room for other organizations however many agents of one call', async () => {
    const work = workshop(new Slots(100));
    for (let call = 0; call < 500; call++) work.begin(`agent ${call % 50}`, 'busy');
    await settle();
    assert.equal(work.started.length, 90);
    work.begin('agent of another', 'another');
    await settle();
    assert.deepEqual(work.started.slice(90), ['agent of another']);
  });

  it('leave room for other agents of the same organization', async () => {
    const work = workshop(new Slots(100));
    for (let call = 0; call < 500; call++) work.begin('busy', 'one');
    work.begin('other', 'one');
    await settle();
    assert.deepEqual([work.count('busy'), work.count('other')], [80, 1]);
  });

  it("never run more at once than there are, and all in the end, each agent's in order", async () => {
    const slots = new Slots(10);
    let running = 0;
    let most = 0;
    const order: Record<string, number[]> = { a: [], b: [], c: [] };
    await Promise.all(
      Array.from({ length: 300 }, async (_, number) => {
        const key = 'abc'.charAt(number % 3);
        await slots.use('one', key, async () => {
          running += 1;
          most = Math.max(most, running);
          order[key]?.push(number);
          await settle();
          running -= 1;
        });
      }),
    );
    assert.ok(most <= 10);
    for (const numbers of Object.values(order)) {
      assert.equal(numbers.length, 100);
      assert.deepEqual(
        numbers,
        [...numbers].sort((a, b) => a - b),
      );
    }
  });

  it('go round the agents that wait', async () => {
    const work = workshop(new Slots(1));
    for (const key of ['a', 'a', 'a', 'b', 'c']) work.begin(key);
    await settle();
    for (const key of ['a', 'a', 'b', 'c', 'a']) await work.endOne(key);
    assert.deepEqual(work.started, ['a', 'a', 'b', 'c', 'a']);
  });

  it('let so many calls of an organization wait, and refuse the others, so that they hold nothing', async () => {
    const slots = new Slots(10, { maxWaiting: 20, maxWaitMs: 60_000 });
    const ends: (() => void)[] = [];
    const refused: unknown[] = [];
    let begun = 0;
    const call = (organization: string, agent: string) =>
      slots
        .use(organization, agent, async () => {
          begun += 1;
          await new Promise<void>((end) => ends.push(end));
        })
        .catch((error: unknown) => refused.push(error));
    const all = Array.from({ length: 100 }, () => call('busy', 'a'));
    await settle();
    assert.deepEqual([begun, refused.length], [8, 100 - 8 - 20]);
    assert.ok(refused.every((error) => error instanceof NoSlot));
    const other = call('another', 'b');
    await settle();
    assert.equal(begun, 9);
    for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
      end();
      await settle();
    }
    await Promise.all([...all, other]);
    assert.equal(begun, 8 + 20 + 1);
  });

  it('are waited for no longer than the limit, and no longer than the caller waits', async () => {
    const slots = new Slots(1, { maxWaiting: 5, maxWaitMs: 30 });
    let end = (): void => undefined;
    const held = slots.use('one', 'a', () => new Promise<void>((resolve) => (end = resolve)));
    await assert.rejects(
      slots.use('one', 'a', () => Promise.resolve()),
      NoSlot,
    );
    const stop = new AbortController();
    const waiting = slots.use('one', 'a', () => Promise.resolve(), stop.signal);
    stop.abort(new Error('cancelled'));
    await assert.rejects(waiting, /cancelled/);
    // Those that left have left nothing behind: the next one is admitted.
    const next = slots.use('two', 'b', () => Promise.resolve('done'));
    end();
    await held;
    assert.equal(await next, 'done');
  });

  it('are given back by work that fails', async () => {
    const slots = new Slots(1);
    await assert.rejects(
      slots.use('one', 'a', () => Promise.reject(new Error('failed'))),
      /failed/,
    );
    assert.equal(await slots.use('one', 'a', () => Promise.resolve('done')), 'done');
  });
});
