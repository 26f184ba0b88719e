import assert from 'node:assert/strict';
import { setImmediate as settle } from 'node:timers/promises';
import { Slots } from '../../activities/slots.ts';

/** Work that ends when it is told to. */
function workshop(slots: Slots) {
  const running: { key: string; end: () => void }[] = [];
  const started: string[] = [];
  return {
    started,
    begin: (key: string, organization = key) => {
      void slots.use(organization, key, async () => {
        started.push(key);
        await new Promise<void>((end) => running.push({ key, end }));
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

  it('are given back by work that fails', async () => {
    const slots = new Slots(1);
    await assert.rejects(
      slots.use('one', 'a', () => Promise.reject(new Error('failed'))),
      /failed/,
    );
    assert.equal(await slots.use('one', 'a', () => Promise.resolve('done')), 'done');
  });
});
