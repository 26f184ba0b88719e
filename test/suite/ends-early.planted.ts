/** Planted for ends-early.test.ts: ends its process as if all were well. */
import assert from 'node:assert/strict';

describe('A planted file', () => {
  it('passes', () => {
    assert.ok(true);
  });
  it('ends the process', () => {
    process.exit(0);
  });
  it('would fail', () => {
    assert.fail('never reached');
  });
});
