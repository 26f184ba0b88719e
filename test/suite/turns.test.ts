import assert from 'node:assert/strict';
import { scheduledParts, turns } from '../schedule.ts';

describe('The proofs of CI', () => {
  it('are drawn so that seeds that follow each other run each proof once', () => {
    const filesOf = (seed?: number) => scheduledParts(['proof'], seed).parts.flatMap(({ files }) => files);
    const all = filesOf();
    const draws = Array.from({ length: turns }, (_, turn) => filesOf(7 + turn));
    const standing = all.filter((file) => draws.every((drawn) => drawn.includes(file)));
    assert.ok(standing.includes('test/lint/check.test.ts'));
    assert.deepEqual(
      draws.flat().sort(),
      [...all, ...Array.from({ length: turns - 1 }, () => standing).flat()].sort(),
      'a proof in no draw, or in several',
    );
    const { undrawn } = scheduledParts(['proof'], 7);
    assert.equal(undrawn, all.length - draws[0]!.length);
  });
});
