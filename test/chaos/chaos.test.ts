/** The short form of `npm run test:chaos`, with a fixed seed. */
import assert from 'node:assert/strict';
import type { FaultKind } from './plan-faults.ts';
import { printed } from './report.ts';
import { runChaos } from './run-chaos.ts';

/** Those that are over at once; the full run has all of them. */
const faults: FaultKind[] = [
  ...(['workerKill', 'apiKill', 'temporalKill', 'postgresKill', 'backendKill', 'connectionReset'] as const),
  ...(['workflowReset', 'workflowTerminate', 'activityReset'] as const),
];

describe('Under chaos', function () {
  this.timeout(600_000);

  it('every accepted message is answered once, every callback and every reply on WhatsApp leaves at most once, in order', async () => {
    const report = await runChaos({ seed: 20, minutes: 0.4, messages: 80, faults });
    assert.deepEqual(report.breaches, [], printed(report));
    assert.ok(Number(report.figures['received']) > 20, printed(report));
    assert.ok(Number(report.figures['eventsAccepted']) > 5, printed(report));
    assert.ok(Number(report.figures['repliesReceived']) > 2, printed(report));
  });
});
