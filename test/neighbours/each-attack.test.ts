/** Each attack of which neighbours.test.ts plays a drawn one. */
import assert from 'node:assert/strict';
import { tableOf } from './report.ts';
import { runAttack, startOutside, type Outside } from './run-attack.ts';
import { shortAttacks, shortOptions } from './short-form.ts';

describe('B notices nothing, whatever is drawn, of', () => {
  let outside: Outside;
  before(async () => {
    outside = await startOutside();
  });
  after(async () => {
    await outside.end();
  });

  for (const attack of shortAttacks) {
    it(attack.what, async () => {
      const result = await runAttack(attack, outside, shortOptions);
      assert.deepEqual(result.breaches, [], tableOf([result]));
    });
  }
});
