/** Asks a thread for the faults of a function, and ends it when a single call takes too long. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { hostileTexts } from './hostile-texts.ts';

/**
 * One call may take no longer, whatever else the machine does. The slowest takes half a second of a processor; on a
 * machine with a load of 16 that was 11 s.
 */
const maxCallMs = 60_000;
const lookMs = 100;

export class GrowthThread {
  private worker: Worker | undefined;
  private readonly progress = new Int32Array(new SharedArrayBuffer(12));

  /** @param maxMs of a single call; a planted function may be given up soon, since that is what is expected of it */
  async faultsOf(name: string, maxMs = maxCallMs): Promise<string[]> {
    const worker = (this.worker ??= new Worker(new URL('./growth-worker.ts', import.meta.url), {
      workerData: this.progress.buffer,
      // Few collections: they are no growth.
      resourceLimits: { maxYoungGenerationSizeMb: 256 },
    }));
    const over = new AbortController();
    const answered = once(worker, 'message', { signal: over.signal }).then(([faults]) => faults as string[]);
    worker.postMessage(name);
    let look: NodeJS.Timeout | undefined;
    const stuck = new Promise<string[]>((resolve) => {
      let seen = { calls: -1, at: Date.now() };
      look = setInterval(() => {
        const calls = Atomics.load(this.progress, 0);
        if (calls !== seen.calls) seen = { calls, at: Date.now() };
        else if (Date.now() - seen.at > maxMs) resolve([this.whatRuns(maxMs)]);
      }, lookMs);
    });
    try {
      return await Promise.race([answered, stuck]);
    } finally {
      clearInterval(look);
      over.abort();
      await answered.catch(() => undefined);
      if (this.isStuck) await this.end();
    }
  }

  async end(): Promise<void> {
    this.isStuck = false;
    await this.worker?.terminate();
    this.worker = undefined;
  }

  private isStuck = false;

  private whatRuns(maxMs: number): string {
    this.isStuck = true;
    const text = hostileTexts[Atomics.load(this.progress, 1)]?.name ?? '';
    return `${text}: ${Atomics.load(this.progress, 2)} characters take more than ${maxMs} ms`;
  }
}
