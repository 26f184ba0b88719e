/** No text that a stranger, a tenant or a model can send takes more than linear time. A sample is an eighth of the texts, up to
 *  256,000 characters; `npm run test:text` feeds all of them up to 1,024,000. */
import assert from 'node:assert/strict';
import { drawnBy } from '../support/sample.ts';
import { GrowthThread } from './growth-thread.ts';
import { plantedFunctions, textFunctions } from './text-functions.ts';

/** More than any of them takes at the sizes that show its growth, less than it takes at those that end it. */
const plantedCallMs = 4000;

describe(`Linear time over hostile texts (${drawnBy})`, () => {
  const thread = new GrowthThread();

  after(() => thread.end());

  for (const [name, feeds] of Object.entries(textFunctions)) {
    if (typeof feeds === 'string') continue;
    it(`${name} takes linear time`, async () => {
      assert.deepEqual(await thread.faultsOf(name), []);
    });
  }

  for (const name of Object.keys(plantedFunctions)) {
    it(`catches a planted function: ${name}`, async () => {
      assert.notDeepEqual(await thread.faultsOf(name, plantedCallMs), []);
    });
  }
});
