/**
 * Draws comments of the product at random for readers to judge: `npm run comments -- --seed 1 --count 60`.
 * The same seed draws the same comments from the same code.
 */
import { parseArgs } from 'node:util';
import { readComments, sourceFiles } from './read-comments.ts';

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, count: { type: 'string', default: '60' } },
});
const seed = Number(values.seed);
const count = Number(values.count);
if (!Number.isInteger(seed) || !Number.isInteger(count) || count < 1) {
  throw new Error('Give whole numbers: npm run comments -- --seed 1 --count 60');
}

// mulberry32: 32 bits of state are enough to draw a sample.
let state = seed;
const random = (): number => {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};

const comments = sourceFiles().flatMap((file) => readComments(file));
const total = comments.length;
for (let drawn = 1; drawn <= count && comments.length > 0; drawn += 1) {
  const [{ file, line, text }] = comments.splice(Math.floor(random() * comments.length), 1) as [
    (typeof comments)[number],
  ];
  console.log(`${drawn}. ${file}:${line}\n   ${text}\n`);
}
console.log(`${Math.min(count, total)} of ${total} comments, seed ${seed}`);
