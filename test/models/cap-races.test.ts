/** The short form of `npm run test:caps`. */
import assert from 'node:assert/strict';
import { demandHeld, runRaces } from './caps/races.ts';

describe('Caps on credits under load', function () {
  this.timeout(300_000);

  it('are never exceeded by what the provider bills, and 90 % of them are counted as used, while workers are killed', async () => {
    const options = { seed: 1, organizations: 2, calls: 60, atOnce: 20, kills: 2, workers: 2, apis: 1 };
    const report = await runRaces(options, () => undefined);
    demandHeld(report);
    assert.ok(report.refused > 0 && report.kills === 2, JSON.stringify(report));
  });
});
