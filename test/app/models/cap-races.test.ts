/** The short form of `npm run test:caps`. */
import assert from 'node:assert/strict';
import { demandHeld, startTrack } from './caps/races.ts';

describe('Caps on credits under load', () => {
  it('are never exceeded by what the provider bills, and 90 % of them are counted as used, while workers are killed', async () => {
    const track = await startTrack({ workers: 2, apis: 1 });
    const size = { organizations: 2, calls: 60, atOnce: 20, kills: 2 };
    try {
      const report = await track.race({ seed: 1, ...size }, () => undefined);
      demandHeld(report);
      assert.ok(report.refused > 0 && report.kills === 2, JSON.stringify(report));
    } finally {
      await track.stop();
    }
  });
});
