/** Measures functions in a thread of its own: one that does not come to an end can be ended with it. */
import { parentPort, workerData } from 'node:worker_threads';
import { growthOf, maxSize } from './growth.ts';
import { hostileTexts } from './hostile-texts.ts';
import { plantedFunctions, textFunctions } from './text-functions.ts';

/** How many calls have begun; behind it, which text and which size. Read by the thread that waits. */
const progress = new Int32Array(workerData as SharedArrayBuffer);

function faultsOf(name: string): string[] {
  const feeds = plantedFunctions[name] ?? textFunctions[name];
  if (feeds === undefined || typeof feeds === 'string') throw new Error(`${name} takes no text`);
  return feeds.flatMap((feed, index) => {
    const faults: string[] = [];
    let slowest = 0;
    let slowestPerCharacter = 0;
    const grow = (at: number, upTo?: number) => {
      const { name: text, make } = hostileTexts[at]!;
      const { fault, ms, size } = growthOf(feed, make, {
        ...(upTo === undefined ? {} : { upTo }),
        step: (next) => {
          Atomics.store(progress, 1, at);
          Atomics.store(progress, 2, next);
          Atomics.add(progress, 0, 1);
        },
      });
      if (fault !== undefined) faults.push(`feed ${index}, ${text}: ${fault}`);
      else if (ms / size > slowestPerCharacter) [slowest, slowestPerCharacter] = [at, ms / size];
    };
    for (const at of hostileTexts.keys()) grow(at);
    if (faults.length === 0) grow(slowest, maxSize);
    return faults;
  });
}

parentPort!.on('message', (name: string) => {
  parentPort!.postMessage(faultsOf(name));
});
