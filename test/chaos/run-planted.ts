/** The run that a planted fault must not pass. */
import { plantedCopy, type Plant } from './plants.ts';
import type { Report } from './report.ts';
import { runChaos } from './run-chaos.ts';

/** @returns those breaches that show the fault planted */
export async function runPlanted(
  plant: Plant,
  seed: number,
  say: (line: string) => void,
): Promise<{ seen: string[]; report: Report }> {
  const { root, remove } = plantedCopy(plant);
  try {
    const report = await runChaos({
      ...{ seed, minutes: 0.5, messages: 120, faults: plant.faults, dose: plant.dose, drainMs: 25_000, say },
      planted: { root, name: plant.name, sql: plant.sql },
    });
    return { seen: report.breaches.filter((one) => plant.seen.test(one)), report };
  } finally {
    remove();
  }
}
