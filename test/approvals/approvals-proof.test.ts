/** The short form of `npm run test:approvals`, with a third of the planted bugs. */
import assert from 'node:assert/strict';
import { isDrawn } from '../support/sample.ts';
import { plants } from './plants.ts';
import { demandProof, runProof } from './proof.ts';

describe('Approvals with two racing deciders each', () => {
  it('execute a call once, as shown, after a decision, while processes are killed between statements and deployed', async () => {
    const options = { seed: 1, approvals: 30, atOnce: 15, kills: 6, apis: 1, workers: 1, deploys: true };
    const report = await runProof(options, () => undefined);
    demandProof(report);
    assert.ok(report.kills > 0 && report.waitedOverDeploy > 0, JSON.stringify(report));
  });

  for (const [plant, { causes }] of Object.entries(plants).filter(([name]) => isDrawn(name, 3)))
    it(`notice that ${plant}`, async () => {
      const small = { approvals: 20, atOnce: 20, kills: 0, apis: 1, workers: 1, deploys: false };
      const { violations } = await runProof({ seed: 1, ...small, plant }, () => undefined);
      assert.ok(violations[causes] > 0, JSON.stringify(violations));
    });
});
