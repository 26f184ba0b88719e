/**
 * `npm run test:chaos -- --seed N --minutes M`: prints a table and a JSON line; ends with 1 at any breach.
 * `--many`: on two APIs, three workers and Temporal's real server on the same Postgres.
 * `npm run test:chaos -- --plants`: the same with each planted fault; ends with 1 if one is not seen.
 */
import { parseArgs } from 'node:util';
import { faultKinds } from './plan-faults.ts';
import { plants } from './plants.ts';
import { printed } from './report.ts';
import { runChaos } from './run-chaos.ts';
import { runPlanted } from './run-planted.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    minutes: { type: 'string', default: '2' },
    messages: { type: 'string' },
    faults: { type: 'string', default: faultKinds.join(',') },
    many: { type: 'boolean', default: false },
    plants: { type: 'boolean', default: false },
    plant: { type: 'string' },
  },
});
// Ended, not killed: what it has started ends with it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130));

const say = (line: string) => {
  console.error(line);
};
const seed = Number(values.seed);
const minutes = Number(values.minutes);
const wanted = values.faults.split(',').filter((one) => one !== 'none');
const unknown = wanted.filter((one) => !faultKinds.some((kind) => kind === one));
if (!(minutes > 0) || unknown.length > 0) {
  say(`--minutes: a number above 0. --faults: none, or of ${faultKinds.join(', ')}`);
  process.exit(2);
}

if (values.plants || values.plant !== undefined) {
  const chosen = plants.filter(({ name }) => values.plant === undefined || name === values.plant);
  const unseen: string[] = [];
  for (const plant of chosen) {
    const { seen, report } = await runPlanted(plant, seed, say);
    console.log(
      `${seen.length > 0 ? 'seen  ' : 'UNSEEN'}  ${plant.name}: ${seen.length} breaches, ${seen[0] ?? ''}`,
    );
    if (seen.length === 0) {
      console.log(printed(report));
      unseen.push(plant.name);
    }
  }
  console.log(JSON.stringify({ plants: chosen.length, seen: chosen.length - unseen.length, unseen }));
  process.exit(unseen.length === 0 && chosen.length > 0 ? 0 : 1);
}

const report = await runChaos({
  ...{
    seed,
    minutes,
    messages: Number(values.messages ?? Math.round(minutes * 300)),
    many: values.many,
    say,
  },
  faults: faultKinds.filter((kind) => wanted.includes(kind)),
});
console.log(printed(report));
process.exit(report.breaches.length === 0 ? 0 : 1);
