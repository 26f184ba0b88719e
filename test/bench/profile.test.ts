import assert from 'node:assert/strict';
import { profileTable, selfTimes, type CpuProfile } from './profile.ts';

const frame = (functionName: string, url = '', lineNumber = 0) => ({ functionName, url, lineNumber });
const profile: CpuProfile = {
  nodes: [
    { id: 1, callFrame: frame('(idle)') },
    { id: 2, callFrame: frame('parse', 'file:///somewhere/src/api/parse.ts', 9) },
    { id: 3, callFrame: frame('', '/somewhere/node_modules/pg/lib/client.js', 0) },
  ],
  startTime: 1000,
  // Each runs until the next sample: parse 2 ms, idle 10 ms, pg 1 ms, parse 4 ms, and the last has no end.
  samples: [2, 1, 3, 2, 3],
  timeDeltas: [0, 2000, 10_000, 1000, 4000],
};

describe('CPU profiles', () => {
  it('sums the time in each function itself, without idle time, longest first', () => {
    assert.deepEqual(selfTimes([profile], 0, 1e9), [
      { where: 'parse src/api/parse.ts:10', ms: 6 },
      { where: '(anonymous) pg/lib/client.js:1', ms: 1 },
    ]);
  });

  it('counts only samples between the two moments, and every thread', () => {
    assert.deepEqual(selfTimes([profile], 13_000, 1e9), [
      { where: 'parse src/api/parse.ts:10', ms: 4 },
      { where: '(anonymous) pg/lib/client.js:1', ms: 1 },
    ]);
    assert.equal(selfTimes([profile, profile], 0, 1e9)[0]?.ms, 12);
  });

  it('shows them for each turn, with their share', () => {
    const table = profileTable('worker', selfTimes([profile], 0, 1e9), 2);
    assert.match(table, /^worker: 3\.5 ms of JavaScript a turn/);
    assert.match(table, /3\.000\s+85\.7 %\s+parse/);
  });
});
