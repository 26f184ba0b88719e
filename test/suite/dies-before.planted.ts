/** Planted for ends-early.test.ts: its tests never begin. */
import assert from 'node:assert/strict';

describe('A planted file', () => {
  before(() => {
    throw new Error('planted');
  });
  it('never begins', () => {
    assert.ok(true);
  });
});
