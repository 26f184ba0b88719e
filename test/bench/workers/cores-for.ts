/** How busy a core may be on average, so that bursts and a lost machine find room. */
const use = 0.6;

/** Cores that so many turns a second need of a program that takes so many CPU ms a turn. */
export function coresFor(cpuMsPerTurn: number, turnsPerSecond: number): number {
  return (cpuMsPerTurn * turnsPerSecond) / 1000 / use;
}
