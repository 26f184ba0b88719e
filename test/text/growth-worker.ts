/** Measures functions in a thread of its own: one that does not come to an end can be ended with it. */
import { parentPort, workerData } from 'node:worker_threads';
import { faultAtMaxSize, growthOf, type Growth } from './growth.ts';
import { sampleSeed, takesAll } from '../support/sample.ts';
import { hostileTexts } from './hostile-texts.ts';
import { plantedFunctions, textFunctions } from './text-functions.ts';

/**
 * `SAMPLE=all` (`npm run test:text`) feeds every text to every function; otherwise the seed draws an eighth of them.
 */
const oneOf = takesAll ? 1 : 8;

/** How many calls have begun; behind it, which text and which size. Read by the thread that waits. */
const progress = new Int32Array(workerData as SharedArrayBuffer);

function faultsOf(name: string): string[] {
  const feeds = plantedFunctions[name] ?? textFunctions[name];
  if (feeds === undefined || typeof feeds === 'string') throw new Error(`${name} takes no text`);
  return feeds.flatMap((feed, index) => {
    const faults: string[] = [];
    let slowest: { at: number; growth: Growth } | undefined;
    const stepOf = (at: number) => (size: number) => {
      Atomics.store(progress, 1, at);
      Atomics.store(progress, 2, size);
      Atomics.add(progress, 0, 1);
    };
    const share = name in plantedFunctions ? 1 : oneOf;
    for (const [at, { name: text, make }] of hostileTexts.entries()) {
      if ((at + sampleSeed) % share !== 0) continue;
      const growth = growthOf(feed, make, stepOf(at));
      if (growth.fault !== undefined) faults.push(`feed ${index}, ${text}: ${growth.fault}`);
      if (growth.fault !== undefined) break;
      if (slowest === undefined || perCharacter(growth) > perCharacter(slowest.growth))
        slowest = { at, growth };
    }
    if (faults.length > 0 || slowest === undefined) return faults;
    const { name: text, make } = hostileTexts[slowest.at]!;
    const fault = faultAtMaxSize(feed, make, slowest.growth, stepOf(slowest.at));
    return fault === undefined ? [] : [`feed ${index}, ${text}: ${fault}`];
  });
}

const perCharacter = ({ ms, size }: Growth): number => ms / size;

parentPort!.on('message', (name: string) => {
  parentPort!.postMessage(faultsOf(name));
});
