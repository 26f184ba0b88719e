import assert from 'node:assert/strict';
import { setImmediate as settle } from 'node:timers/promises';
import fc from 'fast-check';
import { Limiter, NoSlot } from '../../src/limits/limiter.ts';

describe('a limiter of bytes', () => {
  it('are half of the budget for one organization; the other half stays for others', async () => {
    const budget = new Limiter({ max: 100, maxPerOwner: 50, maxWaitMs: 1000 });
    const giveBack = await budget.hold('one', 50);
    let begun = false;
    const second = budget.hold('one', 1).then((back) => {
      begun = true;
      return back;
    });
    const other = await budget.hold('another', 50);
    await settle();
    assert.equal(begun, false);
    giveBack();
    (await second)();
    other();
  });

  it('are waited for in order: a large file is not passed over by small ones', async () => {
    const budget = new Limiter({ max: 100, maxPerOwner: 50, maxWaitMs: 1000 });
    const backs = [await budget.hold('a', 40), await budget.hold('b', 40)];
    const order: string[] = [];
    const wait = async (organization: string, bytes: number) => {
      const back = await budget.hold(organization, bytes);
      order.push(organization);
      return back;
    };
    const waiting = [wait('large', 50), wait('small', 10)];
    await settle();
    assert.deepEqual(order, []);
    backs.forEach((back) => {
      back();
    });
    (await Promise.all(waiting)).forEach((back) => {
      back();
    });
    assert.deepEqual(order, ['large', 'small']);
  });

  it('that do not come free in time are refused, and delay nobody afterwards', async () => {
    const budget = new Limiter({ max: 100, maxPerOwner: 50, maxWaitMs: 20 });
    const back = await budget.hold('one', 50);
    await assert.rejects(budget.hold('one', 50), NoSlot);
    back();
    (await budget.hold('one', 50))();
    await assert.rejects(budget.hold('one', 51), RangeError);
  });

  it('refuses more than may wait, and takes nothing without waiting while others wait for the same', async () => {
    const limiter = new Limiter({ max: 3, maxPerOwner: 2, maxWaiting: 1 });
    const releases = [await limiter.hold('one', 2), await limiter.hold('another', 1)];
    const waiting = limiter.hold('another', 1);
    await assert.rejects(limiter.hold('another', 1), NoSlot);
    assert.equal(limiter.tryHold('third'), undefined);
    releases.forEach((release) => {
      release();
    });
    (await waiting)();
    const third = limiter.tryHold('third', 2);
    assert.ok(third);
    assert.equal(limiter.tryHold('third'), undefined);
    third();
    assert.equal(await limiter.use('third', () => Promise.resolve('done')), 'done');
  });

  it('are never more than the budget, nor an organization’s more than half, and all come in the end', async () => {
    const calls = fc.array(
      fc.record({ organization: fc.constantFrom('a', 'b', 'c'), bytes: fc.integer({ min: 1, max: 50 }) }),
      { maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(calls, async (wanted) => {
        const budget = new Limiter({ max: 100, maxPerOwner: 50 });
        const held = new Map<string, number>();
        const sum = () => [...held.values()].reduce((total, bytes) => total + bytes, 0);
        await Promise.all(
          wanted.map(async ({ organization, bytes }) => {
            const back = await budget.hold(organization, bytes);
            held.set(organization, (held.get(organization) ?? 0) + bytes);
            assert.ok(sum() <= 100 && (held.get(organization) ?? 0) <= 50);
            await settle();
            held.set(organization, (held.get(organization) ?? 0) - bytes);
            back();
          }),
        );
        assert.equal(sum(), 0);
      }),
      { numRuns: 200, seed: 16 },
    );
  });
});
