/** How walks are timed and judged. The walks themselves are `npm run walks`. */
import assert from 'node:assert/strict';
import { brokenMaxima, paceOf, type Walk } from './walk.ts';
import { personSeconds } from './walker.ts';

const walk: Walk = {
  ...{ name: 'a-walk', who: 'somebody', goal: 'a goal', max: { seconds: 20, clicks: 2 } },
  play: () => Promise.resolve(),
};
const none = { clicks: 0, fields: 0, copies: 0, keys: 0, screens: 0 };

describe('A walk', () => {
  it('takes the seconds of each click, field, copy, key and screen, beside those of the script', () => {
    assert.equal(personSeconds({ ...none, clicks: 1 }).toFixed(2), '2.65');
    assert.equal(personSeconds({ ...none, fields: 1 }).toFixed(2), '1.75');
    assert.equal(personSeconds({ ...none, copies: 1 }).toFixed(2), '3.95');
    assert.equal(personSeconds({ ...none, keys: 10, screens: 2 }).toFixed(2), '12.80');
    assert.equal(paceOf({ walk, walker: { seconds: 3, effort: { ...none, screens: 1 } } }), 8);
  });

  it('breaks a maximum if it takes longer, or more clicks', () => {
    const judge = (seconds: number, clicks: number) =>
      brokenMaxima({ walk, walker: { seconds, effort: { ...none, clicks } } });
    assert.deepEqual(judge(14, 2), []);
    assert.deepEqual(judge(30, 3), [
      'a-walk: 38 s instead of at most 20 s',
      'a-walk: 3 clicks instead of at most 2',
    ]);
  });
});
