/**
 * `npm run test:neighbours`: each attack of one organization, of a caller without a token or of a contact, beside
 * another organization that must not notice. Prints a table; ends with 1 at any breach. `--planted`: the same with the
 * fix against each attack undone; ends with 1 if B notices nothing.
 */
import { parseArgs } from 'node:util';
import { stopBacking } from '../support/backing.ts';
import { attacks } from './attacks/index.ts';
import { tableOf } from './report.ts';
import { runAttack, startOutside, type Result } from './run-attack.ts';

const { values } = parseArgs({
  options: {
    attack: { type: 'string', multiple: true },
    seconds: { type: 'string', default: '20' },
    seed: { type: 'string', default: '16' },
    floor: { type: 'string', default: '500' },
    planted: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});
// Ended, not killed: what it has started ends with it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130));

const { planted } = values;
const [seconds, seed, floorMs] = [Number(values.seconds), Number(values.seed), Number(values.floor)];
const named = values.attack ?? attacks.map(({ name }) => name);
const unknown = named.filter((one) => !attacks.some(({ name }) => name === one));
if (values.list) {
  for (const { name, what } of attacks) console.log(`${name.padEnd(24)}${what}`);
  process.exit(0);
}
if (unknown.length > 0 || !(seconds > 0 && seconds <= 600) || !Number.isInteger(seed) || !(floorMs >= 0)) {
  console.error('--attack NAME (see --list), --seconds 1 to 600, --seed a whole number, --floor ms');
  process.exit(2);
}

const outside = await startOutside();
const results: Result[] = [];
for (const attack of attacks.filter(({ name }) => named.includes(name))) {
  const result = await runAttack(attack, outside, {
    ...{ seed, floorMs, planted },
    seconds: planted ? (attack.plant.seconds ?? seconds) : seconds,
  });
  results.push(result);
  console.error(tableOf([result]).split('\n').slice(2).join('\n'));
  const noticed = result.breaches.length > 0;
  console.error(
    `${planted ? (noticed ? 'seen  ' : 'UNSEEN') : noticed ? 'BREACH' : 'held  '}  ${attack.name}`,
  );
}
console.log(tableOf(results));
const noticed = results.filter(({ breaches }) => breaches.length > 0).length;
console.log(JSON.stringify({ attacks: results.length, noticed, planted, seconds, seed, floorMs }));
await outside.end();
await stopBacking();
process.exit(noticed === (planted ? results.length : 0) ? 0 : 1);
