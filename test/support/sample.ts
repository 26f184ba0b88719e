/**
 * Draws a share of what is tried many thousand times, such as each operation with each identifier. `npm run test:ci`
 * draws by a new seed and prints it; `SAMPLE_SEED=7` repeats the draw of a run, and `SAMPLE=all` takes everything.
 */
import { createHash } from 'node:crypto';

export const takesAll = process.env['SAMPLE'] === 'all';

/** The day, for a run that is given no seed. */
export const sampleSeed = Number(process.env['SAMPLE_SEED'] ?? Math.floor(Date.now() / 86_400_000));
if (!Number.isSafeInteger(sampleSeed) || sampleSeed < 0)
  throw new Error('SAMPLE_SEED must be a whole number of at least 0');

/** For the title of what draws. */
export const drawnBy = takesAll ? 'SAMPLE=all' : `SAMPLE_SEED=${sampleSeed}`;

/**
 * @param key the same in every run. Keys are drawn independently of each other: `parts` seeds that follow each other
 * draw each
 *   key once
 * @returns true for one of `parts` keys, or if everything is taken
 */
export function isDrawn(key: string, parts: number): boolean {
  return takesAll || (numberOf(key) + sampleSeed) % parts === 0;
}

const numberOf = (key: string): number => createHash('sha256').update(key).digest().readUInt32BE();
