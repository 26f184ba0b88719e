/**
 * `npm run test:approvals -- --seed N --approvals N --kills N`: prints what happens, and a JSON line; ends with 1 if a
 * tool was called without a decision, twice or with other arguments, or an approval did not end. `--plants`: a smaller
 * proof for each planted bug; ends with 1 if one is not noticed.
 */
import { parseArgs } from 'node:util';
import { stopBacking } from '../support/backing.ts';
import { plants } from './plants.ts';
import { demandProof, runProof } from './proof.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    approvals: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '80' },
    atOnce: { type: 'string', default: '60' },
    plants: { type: 'boolean', default: false },
  },
});
const say = (line: string) => {
  console.error(line);
};
const seed = Number(values.seed);
const small = { seed, approvals: 40, atOnce: 10, kills: 0, apis: 1, workers: 1, deploys: false };

if (values.plants) {
  let unnoticed = 0;
  for (const [plant, { causes }] of Object.entries(plants)) {
    const report = await runProof({ ...small, plant }, say);
    const isNoticed = report.violations[causes] > 0;
    unnoticed += isNoticed ? 0 : 1;
    console.log(`${plant}: ${isNoticed ? 'noticed' : 'NOT NOTICED'} ${JSON.stringify(report.violations)}`);
  }
  await stopBacking();
  process.exit(unnoticed === 0 ? 0 : 1);
}
const report = await runProof(
  {
    ...{
      seed,
      approvals: Number(values.approvals),
      atOnce: Number(values.atOnce),
      kills: Number(values.kills),
    },
    ...{ apis: 2, workers: 2, deploys: true },
  },
  say,
);
await stopBacking();
console.log(JSON.stringify(report));
demandProof(report);
process.exit();
