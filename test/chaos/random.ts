/** Numbers that look random and are the same for the same seed: mulberry32. */
export type Random = {
  /** 0 (included) to 1 (excluded). */
  next: () => number;
  between: (low: number, high: number) => number;
  /** A whole number, both ends included. */
  whole: (low: number, high: number) => number;
  chance: (share: number) => boolean;
  pick: <T>(from: readonly T[]) => T;
};

/** @param purpose keeps two uses of one seed apart */
export function randomOf(seed: number, purpose: string): Random {
  let state = seed >>> 0;
  for (const letter of purpose) state = Math.imul(state ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const between = (low: number, high: number) => low + next() * (high - low);
  const whole = (low: number, high: number) => Math.floor(between(low, high + 1));
  return {
    next,
    between,
    whole,
    chance: (share) => next() < share,
    pick: (from) => from[whole(0, from.length - 1)]!,
  };
}
