import assert from 'node:assert/strict';
import { count, tableOf, type Case, type Choice } from './count.ts';

const decided = (choice: Choice, accepted: boolean | null = true, amount = 1) => ({
  choice,
  accepted,
  amount,
});
const one = (more: Partial<Case>): Case => {
  return { plan: 'approve', decided: [decided('approve')], executed: [1], end: 'executed', ...more };
};
const none = {
  ...{ twice: 0, withoutDecision: 0, otherArguments: 0, lost: 0, lostAsUnknown: 0, bothAccepted: 0 },
};

describe('The counts of the comparison of approvals', () => {
  const cases: [title: string, given: Case, counted: object][] = [
    ['executed once', one({}), { once: 1 }],
    ['executed twice', one({ executed: [1, 1] }), { once: 0, twice: 1 }],
    ['executed with what the approver was not shown', one({ executed: [2] }), { once: 1, otherArguments: 1 }],
    [
      'shown anew and approved again',
      one({ decided: [decided('approve'), decided('approve', true, 2)], executed: [2] }),
      { once: 1 },
    ],
    [
      'executed though refused',
      one({ decided: [decided('refuse')] }),
      { approved: 0, once: 1, withoutDecision: 1 },
    ],
    ['executed though nobody decided', one({ decided: [] }), { approved: 0, once: 1, withoutDecision: 1 }],
    ['lost', one({ executed: [], end: 'open' }), { once: 0, lost: 1 }],
    [
      'lost after a broken connection',
      one({ decided: [decided('approve', null)], executed: [] }),
      { once: 0, lost: 1 },
    ],
    ['lost and reported', one({ executed: [], end: 'unknown' }), { once: 0, lost: 1, lostAsUnknown: 1 }],
    [
      'refused by the other decider',
      one({ decided: [decided('approve', false), decided('refuse')], executed: [] }),
      { once: 0 },
    ],
    [
      'approved and refused, both accepted',
      one({ decided: [decided('approve'), decided('refuse')] }),
      { once: 1, bothAccepted: 1 },
    ],
  ];
  for (const [title, given, counted] of cases) {
    it(title, () => {
      assert.deepEqual(count([given]), { cases: 1, approved: 1, once: 0, ...none, ...counted });
    });
  }

  it('are one table', () => {
    const table = tableOf([{ engine: 'One', counts: count([one({}), one({ executed: [] })]) }]);
    assert.match(
      table,
      /^\| engine \| cases \| approved \|[^\n]+\n\| --- \| ---: \|[^\n]+\n\| One \| 2 \| 2 \| 1 \| 0 \| 0 \| 0 \| 1 \| 0 \| 0 \|$/,
    );
  });
});
