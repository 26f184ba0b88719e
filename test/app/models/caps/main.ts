/**
 * `npm run test:caps -- --seed N --seeds M`: races on two APIs and three workers; prints one line a seed and a JSON
 * line; ends with 1 if a cap was exceeded, or less than 90 % of one was usable. `--plants`: with each planted bug,
 * `--plant NAME` with one; ends with 1 if one is not noticed. `--time N`: only prints how long reserving and settling a
 * call takes, one after the other.
 */
import { parseArgs } from 'node:util';
import { stopBacking } from '../../../support/backing.ts';
import { plants, type Plant } from './plants.ts';
import { demandHeld, startTrack, type RaceReport } from './races.ts';
import { timeReservations } from './time-reservations.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    organizations: { type: 'string', default: '4' },
    calls: { type: 'string', default: '150' },
    atOnce: { type: 'string', default: '50' },
    kills: { type: 'string', default: '3' },
    plants: { type: 'boolean', default: false },
    plant: { type: 'string' },
    time: { type: 'string' },
  },
});
if (values.time !== undefined) {
  console.log(JSON.stringify(await timeReservations(Number(values.time))));
  await stopBacking();
  process.exit(0);
}
const number = (name: 'seed' | 'seeds' | 'organizations' | 'calls' | 'atOnce' | 'kills') =>
  Number(values[name]);
const first = number('seed');
const seeds = Array.from({ length: number('seeds') }, (_, index) => first + index);
const isPlanted = values.plants || values.plant !== undefined;
const wanted = (Object.keys(plants) as Plant[]).filter(
  (name) => values.plant === undefined || values.plant === name,
);
const planted = isPlanted ? wanted : [undefined];
const totals = {
  runs: 0,
  held: 0,
  billed: 0,
  breaches: 0,
  unnoticed: 0,
  reached: 0,
  leastBilled: 1,
  leastUsed: 1,
};

const size = {
  organizations: number('organizations'),
  calls: number('calls'),
  atOnce: number('atOnce'),
  kills: number('kills'),
};
for (const plant of planted) {
  const track = await startTrack({ workers: 3, apis: 2, ...(plant !== undefined && { plant }) });
  for (const seed of seeds) {
    const report = await track.race({ seed, ...size }, (line) => {
      console.error(line);
    });
    const problem = problemOf(report);
    totals.runs += 1;
    totals.billed += report.billed;
    totals.breaches += report.breaches.length;
    totals.held += problem === undefined ? 1 : 0;
    for (const { billed, used, reached } of report.usable) {
      if (!reached) continue;
      totals.reached += 1;
      totals.leastBilled = Math.min(totals.leastBilled, billed);
      totals.leastUsed = Math.min(totals.leastUsed, used);
    }
    if (plant !== undefined && problem === undefined) totals.unnoticed += 1;
    console.log(
      `seed ${seed}${plant === undefined ? '' : `, ${plant}`}: ${problem ?? 'held'} ${JSON.stringify(report)}`,
    );
  }
  await track.stop();
}
await stopBacking();
console.log(JSON.stringify(totals));
const isGood = isPlanted ? totals.unnoticed === 0 : totals.held === totals.runs;
process.exit(isGood ? 0 : 1);

function problemOf(report: RaceReport): string | undefined {
  try {
    demandHeld(report);
    return undefined;
  } catch (error) {
    return `broken: ${error instanceof Error ? error.message : String(error)}`;
  }
}
