/** The choice of the next follow-up. */
import assert from 'node:assert/strict';
import { followUpDueAt, silenceAfter } from '../../../src/domain/conversations/follow-up-plan.ts';

const answer = { runId: 'run', followUps: [60, 600], answeredAt: 1000 };

describe('The follow-up plan', () => {
  const cases: [string, Parameters<typeof silenceAfter>[0], ReturnType<typeof silenceAfter>][] = [
    ['the first follows the answer', answer, { of: 'run', attempt: 1, since: 1000, after: [60, 600] }],
    [
      'the second follows the first, and counts from the same answer',
      { ...answer, runId: 'first', followUpOf: 'run', attempt: 1 },
      { of: 'run', attempt: 2, since: 1000, after: [60, 600] },
    ],
    ['none follows the last', { ...answer, runId: 'second', followUpOf: 'run', attempt: 2 }, undefined],
    ['none follows an agent without follow-ups', { ...answer, followUps: undefined }, undefined],
    ['none follows a run that was not answered', { ...answer, answeredAt: undefined }, undefined],
  ];
  for (const [title, last, expected] of cases) {
    it(title, () => {
      assert.deepEqual(silenceAfter(last), expected);
    });
  }

  it('the seconds of a follow-up count from the last answer', () => {
    const plan = { since: 1000, after: [60, 600] };
    assert.deepEqual(
      [1, 2, 3].map((attempt) => followUpDueAt({ ...plan, attempt })),
      [61_000, 601_000, undefined],
    );
  });
});
