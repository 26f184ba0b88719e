/** `npm run corpus:emulator -- DIR`: replays recorded exchanges and compares statuses, shapes and values. */
import { recordings } from './recording.ts';
import { replay } from './replay.ts';
import { differences } from './shapes.ts';

const folder = process.argv[2];
if (folder === undefined) {
  process.stderr.write('usage: npm run corpus:emulator -- DIR   (a folder of recorded exchanges)\n');
  process.exit(2);
}
const all = recordings(folder);
const { outcome, sides } = await replay(all);
const total = all.reduce((sum, each) => sum + each.exchanges.length, 0);
const lines = [
  `${all.length} files, ${total} exchanges`,
  `${outcome.sent} sent (${outcome.standIns} stand-ins made for objects the recordings do not create)`,
];
for (const [reason, count] of Object.entries(outcome.skipped)) lines.push(`${count} not sent: ${reason}`);
lines.push(`${outcome.statusEqual} of ${outcome.sent} with the recorded status`);
for (const surprise of outcome.surprises) lines.push(`  ${surprise}`);
const { compared, differences: unequal } = outcome.values;
lines.push(`${compared} values of answered writes compared, ${unequal.size} places differ`);
for (const [place, { count, example }] of unequal) lines.push(`  ${count} × ${place}: ${example}`);
let wrong = outcome.surprises.length + unequal.size;
for (const [version, side] of sides) {
  const { kinds, equal, found, unseen } = differences(side.recorded, side.emulated);
  wrong += found.length;
  lines.push(`${version}: ${equal} of ${kinds} kinds of object have the recorded keys and types`);
  if (unseen.length > 0) lines.push(`  recorded only, not compared (${unseen.length}): ${unseen.join(', ')}`);
  for (const { kind, what } of found) lines.push(`  ${kind}: ${what}`);
}
process.stdout.write(`${lines.join('\n')}\n`);
process.exitCode = wrong === 0 ? 0 : 1;
