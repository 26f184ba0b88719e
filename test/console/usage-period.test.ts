import assert from 'node:assert/strict';
import { changeText, changeWords } from '../../src/console/components/format.ts';
import { daysOf, daysSince } from '../../src/console/pages/data/usage-period.ts';

describe('The periods of the usage page', () => {
  const at = (day: string) => new Date(`${day}T13:00:00Z`);

  it('are compared with as many days of the month before, or with all of a shorter one', () => {
    assert.deepEqual(daysOf('month', at('2026-11-29')), {
      ...{ from: '2026-11-01', to: '2026-11-29' },
      before: { from: '2026-10-01', to: '2026-10-29' },
    });
    assert.deepEqual(daysOf('month', at('2026-03-31')).before, { from: '2026-02-01', to: '2026-02-28' });
    assert.deepEqual(daysOf('last_month', at('2026-01-05')), {
      ...{ from: '2025-12-01', to: '2025-12-31' },
      before: { from: '2025-11-01', to: '2025-11-30' },
    });
    assert.deepEqual(daysOf('days', at('2026-11-29')), {
      ...{ from: '2026-10-31', to: '2026-11-29' },
      before: { from: '2026-10-01', to: '2026-10-30' },
    });
  });

  it('need no more days than the API returns, on any day of four years', () => {
    const day = at('2027-01-01');
    for (let n = 0; n < 4 * 366; n += 1) {
      for (const period of ['month', 'last_month', 'days'] as const)
        assert.ok(daysSince(daysOf(period, day).before.from, day) <= 92, day.toISOString());
      day.setUTCDate(day.getUTCDate() + 1);
    }
  });

  it('have a change only if there was something before', () => {
    assert.deepEqual([changeText(2, 3), changeText(2, 0), changeText(0, 2)], ['+50%', '−100%', null]);
    const words = { same: 'same', less: (by: string) => `${by} less`, more: (by: string) => `${by} more` };
    const changes = [changeWords(words, 2, 3), changeWords(words, 1000, 996), changeWords(words, 8, 7)];
    assert.deepEqual([...changes, changeWords(words, 0, 2)], ['50% more', 'same', '12% less', null]);
  });
});
