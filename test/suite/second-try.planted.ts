/** Planted for ends-early.test.ts: fails at its first try alone. */
import assert from 'node:assert/strict';

let tries = 0;

describe('A planted file', () => {
  it('passes at its second try', () => {
    tries += 1;
    assert.equal(tries, 2);
  });
});
