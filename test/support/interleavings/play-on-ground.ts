/** Plays interleavings on a database of scenes, for the tests that expect none to fail and those that expect one to. */
import assert from 'node:assert/strict';
import { interleavingOf, type Interleaving } from './interleaving.ts';
import type { Ground } from './interleavings-database.ts';
import { loadSimulated, type Plant } from './load-simulated.ts';
import { describeFailure, playMany, type Failing } from './play-many.ts';
import { simulateScene } from './simulate-scene.ts';

/** @param plant a bug in a copy of the product's code */
export async function playOnGround(
  { db, cast }: Ground,
  options: { from: number; count: number },
  plant?: Plant,
): Promise<Failing | undefined> {
  const simulated = await loadSimulated(plant);
  const playOne = async (plan: Interleaving | number) => await simulateScene(plan, simulated, db, cast);
  const { failing } = await playMany(playOne, { ...options, atOnce: 40 });
  return failing;
}

/** @throws AssertionError unless a failure was found, shrunk and named with its seed */
export function assertShrunk(failing: Failing | undefined): void {
  assert.ok(failing, 'the planted bug was not seen');
  assert.ok(failing.least.ops.length <= interleavingOf(failing.seed).ops.length);
  assert.match(
    describeFailure(failing),
    new RegExp(`^seed ${failing.seed} fails: .+\nthe least that fails: \{`),
  );
}
