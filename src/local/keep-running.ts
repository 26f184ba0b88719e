/** Restarts a process whenever it exits, with exponential backoff. */
import { setTimeout as delay } from 'node:timers/promises';
import { aborted } from './unless-aborted.ts';

export type Running = Readonly<{
  pid: number;
  /** Resolves when the process has ended, with its exit code or signal as text, for example `exit code 1`. */
  exited: Promise<string>;
  /** Sends the stop signal, and SIGKILL if the process does not end in time. Resolves when the process has ended. */
  stop: () => Promise<void>;
}>;

export type Kept = Readonly<{
  /** Ends the process and does not restart it. Resolves when the process has ended. */
  stop: () => Promise<void>;
}>;

/**
 * After a run longer than `calmMs`, the wait before the restart is `firstMs`. Each shorter run, and each failed start,
 * doubles the wait, up to `maxMs`.
 */
type Backoff = { firstMs: number; maxMs: number; calmMs: number };

/**
 * Starts the process, and restarts it whenever it exits, until `stop` is called or the signal is aborted.
 * @param options.start starts the process and resolves once it is ready; must reject when its signal is aborted
 * @param options.changed called with the first process and with each later one
 * @param options.signal ends the restarts, and aborts a start in progress; only `stop` also ends the running process
 * @throws the error of the first start
 */
export async function keepRunning<T extends Running>(options: {
  name: string;
  start: (signal: AbortSignal) => Promise<T>;
  changed: (running: T) => void;
  say: (line: string) => void;
  signal: AbortSignal;
  backoff?: Backoff;
}): Promise<Kept> {
  const { name, start, changed, say, backoff = { firstMs: 50, maxMs: 5000, calmMs: 10_000 } } = options;
  const ending = new AbortController();
  const signal = AbortSignal.any([options.signal, ending.signal]);
  const stopped = aborted(signal);
  const over = () => signal.aborted;

  const first = await start(signal);
  changed(first);

  /** Starts the next process after `waitMs`, and retries failed starts. @returns undefined after `stop` or an abort */
  const restart = async (waitMs: number): Promise<T | undefined> => {
    await Promise.race([delay(waitMs), stopped]);
    if (over()) return undefined;
    try {
      const next = await start(signal);
      changed(next);
      say(`${name} runs again (process ${next.pid}).`);
      return next;
    } catch (error) {
      if (over()) return undefined;
      say(`${name} did not start: ${error instanceof Error ? error.message : String(error)}`);
      return restart(Math.min(Math.max(waitMs, backoff.firstMs) * 2, backoff.maxMs));
    }
  };

  let current: T | undefined = first;
  const watch = async () => {
    let waitMs = backoff.firstMs;
    while (current !== undefined) {
      const since = Date.now();
      const how = await Promise.race([current.exited, stopped]);
      if (how === undefined) return;
      waitMs = Date.now() - since > backoff.calmMs ? backoff.firstMs : Math.min(waitMs * 2, backoff.maxMs);
      say(`${name} ended (${how}). Starting it again …`);
      current = await restart(waitMs);
    }
  };
  const watching = watch();

  return {
    stop: async () => {
      ending.abort();
      await watching;
      await current?.stop();
    },
  };
}
