import assert from 'node:assert/strict';
import { median, percentile, rounded } from './numbers.ts';

describe('numbers of a benchmark', () => {
  it('takes the middle value, or the mean of the two in the middle', () => {
    assert.equal(median([9, 1, 5]), 5);
    assert.equal(median([4, 1, 2, 9]), 3);
    assert.ok(Number.isNaN(median([])));
  });

  it('returns the value below which the named part of all lies', () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index);
    assert.equal(percentile(values, 0.5), 51);
    assert.equal(percentile(values, 0.95), 96);
    assert.equal(percentile([7], 0.95), 7);
  });

  it('rounds to so many digits', () => {
    assert.equal(rounded(1.26), 1.3);
    assert.equal(rounded(1.264, 2), 1.26);
  });
});
