import assert from 'node:assert/strict';
import { BytePace } from '../../src/limits/limiter.ts';

describe('bytes a second of one organization', () => {
  it('bytes wait until those before them are paid for; another organization does not', async () => {
    const pace = new BytePace(1000);
    const from = performance.now();
    const order: string[] = [];
    const pass = async (organization: string, bytes: number, name: string) => {
      await pace.pass(organization, bytes);
      order.push(name);
    };
    await Promise.all([
      pass('one', 200, 'the first'),
      pass('one', 100, 'the second'),
      pass('one', 1, 'the third'),
      pass('another', 1, 'of another organization'),
    ]);
    assert.deepEqual(order, ['the first', 'of another organization', 'the second', 'the third']);
    // 200 and 100 bytes at 1,000 a second; timers may fire a millisecond early.
    assert.ok(performance.now() - from >= 298);
  });

  it('an organization that was idle for long has saved nothing up', async () => {
    const pace = new BytePace(1e6);
    await pace.pass('one', 1);
    const from = performance.now();
    await pace.pass('one', 100_000);
    await pace.pass('one', 1);
    assert.ok(performance.now() - from >= 98);
  });

  it('organizations that are idle are removed, those that still wait are not', async () => {
    const pace = new BytePace(1000);
    const from = performance.now();
    await pace.pass('waits', 200);
    for (let number = 0; number < 300; number += 1) await pace.pass(`idle ${number}`, 0);
    await pace.pass('waits', 1);
    assert.ok(performance.now() - from >= 198);
  });
});
