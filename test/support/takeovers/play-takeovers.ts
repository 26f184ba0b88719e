/** Plans from a seed, one after the other, each with a takeover before each of its steps in each way. */
import type { Database } from '../../../src/adapters/postgres/database.ts';
import { inParallel } from '../../../src/app/in-parallel.ts';
import { planOf, playTakeover, prepareGround, ways } from './play-takeover.ts';

const atOnce = 8;

/** @returns how many were played, and a line for each that failed */
export async function playTakeovers(
  db: Database,
  databaseUrl: string,
  { count, seed }: { count: number; seed: number },
): Promise<{ played: number; failing: string[] }> {
  const ground = await prepareGround(db, databaseUrl);
  const failing: string[] = [];
  let played = 0;
  for (let next = seed; played < count; next += 1) {
    const plan = planOf(next);
    const { steps } = await playTakeover(ground, plan, undefined, 'pause');
    const scenes = Array.from({ length: steps + 1 }, (_, step) => ways.map((way) => ({ step, way }))).flat();
    await inParallel(scenes.slice(0, count - played), atOnce, async ({ step, way }) => {
      const { violation } = await playTakeover(ground, plan, step, way);
      played += 1;
      if (violation !== '')
        failing.push(
          `seed ${next}, takeover (${way}) before step ${step}: ${violation}; ${JSON.stringify(plan)}`,
        );
    });
  }
  return { played, failing };
}
