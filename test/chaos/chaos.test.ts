/** The short form of `npm run test:chaos`: the day chooses its seed and which of the longer faults it has. */
import assert from 'node:assert/strict';
import { faultsOfDay } from './plan-faults.ts';
import { printed } from './report.ts';
import { runChaos } from './run-chaos.ts';

/** `CHAOS_DAY=20780 npm run test:one -- test/chaos/chaos.test.ts` repeats the run of a day. */
const day = Number(process.env['CHAOS_DAY'] ?? Math.floor(Date.now() / 86_400_000));

/**
 * Counts that a run must reach to prove anything. That each kill met something in flight is checked by the checker's
 * I9.
 */
const wanted = {
  received: 21,
  eventsAccepted: 6,
  repliesReceived: 3,
  auditAcknowledged: 21,
};

describe('Under chaos', () => {
  it(`every accepted message is answered once, every callback and every reply on WhatsApp leaves at most once, in order, every change has one audit entry (CHAOS_DAY=${day})`, async () => {
    const faults = faultsOfDay(day);
    const report = await runChaos({ seed: day, minutes: 0.4, messages: 80, faults });
    assert.deepEqual(report.breaches, [], printed(report));
    for (const [figure, least] of Object.entries(wanted))
      assert.ok(Number(report.figures[figure]) >= least, `${figure}:\n${printed(report)}`);
    for (const kind of faults) assert.ok(Number(report.figures[`F ${kind}`]) > 0, `${kind} did not happen`);
  });
});
