/** The short forms of `npm run test:neighbours`, and their durations. */
import assert from 'node:assert/strict';
import type { Attack } from './attack.ts';
import { attacks } from './attacks/index.ts';

/** Attacks that need few seconds of the machine, which is slow enough while it runs other tests. */
export const shortAttacks = ['bodies-without-token', 'slow-heads', 'two-bots'].map(attackOf);
export const shortOptions = { seconds: 4, seed: 16, floorMs: 1500 };

/** @throws AssertionError if there is no such attack */
export function attackOf(name: string): Attack {
  const found = attacks.find((one) => one.name === name);
  assert.ok(found, name);
  return found;
}
