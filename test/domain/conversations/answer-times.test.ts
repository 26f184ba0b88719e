import assert from 'node:assert/strict';
import { timesOf, type TimedRun } from '../../../src/domain/conversations/answer-times.ts';

const step = { modelMs: null, failures: [], calls: [] };
const base: TimedRun = {
  ...{ openedAt: 1000, closesAt: 3000, claimedAt: 3500, finishedAt: 10_000 },
  ...{ steps: [], deliveries: [] },
};
const of = (run: Partial<TimedRun>, now = 20_000) =>
  Object.fromEntries(timesOf({ ...base, ...run }, now).map(({ part, ms }) => [part, ms]));

describe('timesOf', () => {
  it('divides a run into waiting, queue, failed calls with their pauses, model, tools, the rest and delivery', () => {
    const steps = [
      {
        ...{ at: 7000, modelMs: 1000, failures: [{ at: 4500, ms: 500 }] },
        calls: [
          { startedAt: 7100, finishedAt: 8100 },
          { startedAt: 7600, finishedAt: 8600 },
        ],
      },
      { ...step, at: 9900, modelMs: 1000 },
    ];
    assert.deepEqual(of({ steps, deliveries: [{ from: 10_000, to: 10_250 }] }), {
      ...{ grouping: 2000, queue: 500, retries: 2000, model: 2000, tools: 1500, other: 1000, delivery: 250 },
    });
  });

  it('counts each moment once, so that the parts sum up to the whole', () => {
    const steps = [{ ...step, at: 9000, modelMs: 5000, calls: [{ startedAt: 5000, finishedAt: 20_000 }] }];
    const parts = of({ steps, deliveries: [{ from: 6000, to: 12_000 }] });
    assert.deepEqual(parts, { grouping: 2000, queue: 500, other: 500, model: 1000, tools: 15_000 });
    assert.equal(
      Object.values(parts).reduce((sum, ms) => sum + ms, 0),
      19_000,
    );
  });

  it('counts steps without recorded durations from the end of what was before them', () => {
    const steps = [
      { ...step, at: 5000, calls: [{ startedAt: 5000, finishedAt: 6000 }] },
      { ...step, at: 9000 },
    ];
    assert.deepEqual(of({ steps }), { grouping: 2000, queue: 500, model: 4500, tools: 1000, other: 1000 });
  });

  it('counts what is in progress until now', () => {
    assert.deepEqual(of({ claimedAt: null, finishedAt: null }, 4000), { grouping: 2000, queue: 1000 });
    assert.deepEqual(of({ finishedAt: null }, 4000), { grouping: 2000, queue: 500, other: 500 });
    const calls = [{ startedAt: 5100, finishedAt: null }];
    assert.deepEqual(of({ finishedAt: null, steps: [{ ...step, at: 5000, modelMs: 1500, calls }] }, 6100), {
      ...{ grouping: 2000, queue: 500, model: 1500, other: 100, tools: 1000 },
    });
  });

  it('shows a message that a group answered early without a negative time', () => {
    assert.deepEqual(of({ closesAt: 9000, claimedAt: 2000, finishedAt: 2000 }), { grouping: 1000 });
  });
});
