import assert from 'node:assert/strict';
import { coresFor } from './cores-for.ts';

describe('the estimate of cores', () => {
  it('is the CPU time a second, over the part of a core that may be used', () => {
    assert.equal(coresFor(30, 1000), 50);
    assert.equal(coresFor(30, 10), 0.5);
  });
});
