import assert from 'node:assert/strict';
import { keepRunning, type Running } from '../../src/local/keep-running.ts';
import { until } from '../support/until.ts';

/** A process that ends when the test ends it; no real one can be made to fail its start in a given order. */
function script(outcomes: ('runs' | 'fails')[]) {
  const starts: number[] = [];
  const ends: ((how: string) => void)[] = [];
  const start = (): Promise<Running> => {
    const outcome = outcomes[starts.length] ?? 'runs';
    starts.push(Date.now());
    if (outcome === 'fails') return Promise.reject(new Error('no luck'));
    let end: (how: string) => void = () => undefined;
    const exited = new Promise<string>((resolve) => (end = resolve));
    ends.push(end);
    const stop = async () => {
      end('stopped');
      await exited;
    };
    return Promise.resolve({ pid: 1000 + starts.length, exited, stop });
  };
  return { start, starts, ends };
}

const backoff = { firstMs: 20, maxMs: 320, calmMs: 60_000 };

describe('keepRunning', () => {
  it('waits longer before each restart of a process that keeps ending, up to a limit', async () => {
    const { start, starts, ends } = script([]);
    const signal = new AbortController().signal;
    const kept = await keepRunning({
      name: 'It',
      start,
      changed: () => undefined,
      say: () => undefined,
      signal,
      backoff,
    });
    for (let n = 1; n <= 10; n += 1) {
      ends[n - 1]!('exit code 1');
      await until('the next start', () => starts.length > n);
    }
    const gaps = starts.slice(1).map((at, n) => at - starts[n]!);
    // Timers may fire a millisecond early. A stall makes one wait longer, but hardly each of the first three.
    gaps.forEach((gap, n) => {
      assert.ok(gap >= Math.min(20 * 2 ** (n + 1), 320) - 5, String(gaps));
    });
    assert.ok(Math.min(...gaps.slice(0, 3)) < 315, String(gaps));
    // Without a limit, the last one would be 20 s.
    assert.ok(gaps.at(-1)! < 10_000, String(gaps));
    await kept.stop();
  });

  it('tries again when a restart fails, and prints why', async () => {
    const { start, starts, ends } = script(['runs', 'fails', 'fails', 'runs']);
    const lines: string[] = [];
    const pids: number[] = [];
    const kept = await keepRunning({
      ...{ name: 'It', start, signal: new AbortController().signal, backoff },
      changed: ({ pid }) => pids.push(pid),
      say: (line) => lines.push(line),
    });
    ends[0]!('ended by SIGKILL');
    await until('the fourth start', () => pids.length === 2);
    assert.equal(starts.length, 4);
    assert.deepEqual(pids, [1001, 1004]);
    await until('the last line', () => lines.length === 4);
    assert.deepEqual(lines, [
      'It ended (ended by SIGKILL). Starting it again …',
      'It did not start: no luck',
      'It did not start: no luck',
      'It runs again (process 1004).',
    ]);
    await kept.stop();
  });

  it('starts nothing after a stop, also one that falls into the wait before a restart', async () => {
    const { start, starts, ends } = script([]);
    const lines: string[] = [];
    const kept = await keepRunning({
      ...{ name: 'It', start, signal: new AbortController().signal },
      changed: () => undefined,
      say: (line) => lines.push(line),
      backoff: { firstMs: 60_000, maxMs: 60_000, calmMs: 60_000 },
    });
    ends[0]!('exit code 1');
    await until('the wait', () => lines.length === 1);
    await kept.stop();
    assert.equal(starts.length, 1);
  });

  it('throws what the first start throws', async () => {
    const { start } = script(['fails']);
    const signal = new AbortController().signal;
    const kept = keepRunning({ name: 'It', start, changed: () => undefined, say: () => undefined, signal });
    await assert.rejects(kept, /no luck/);
  });
});
