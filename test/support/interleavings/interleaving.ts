/** One seeded interleaving: what users, operators and accidents do to a conversation, and how long everything takes. */
import type { AgentRules } from './observation.ts';

export type Op =
  | {
      at: number;
      do: 'input';
      sync: boolean;
      url?: number;
      meta?: number;
      copies: number;
      nudgeLost: boolean;
    }
  /**
   * A repeated nudge, a nudge of recovery, continue-as-new at the next quiet point, a control signal of an operator, a
   * caller who cancels.
   */
  | { at: number; do: 'nudge' | 'continueAsNew' | 'flush' | 'stop' | 'cancel' };

/** How the n-th model call ends, and after how long. */
export interface Reply {
  ms: number;
  does: 'answer' | 'empty' | 'transfer' | 'tools' | 'fail' | 'failOnce';
}

/** The fate of the n-th activity: its worker dies before it, after it, while it posts; or it is believed dead. */
export type Accident = 'before' | 'after' | 'posting' | 'zombie';

export interface Interleaving {
  seed: number;
  pair: number;
  idleMs: number;
  ops: Op[];
  replies: Reply[];
  postMs: number[];
  accidents: Record<number, Accident>;
}

/** mulberry32: the same numbers for the same seed, everywhere. */
export function numbers(seed: number): () => number {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Agents come in pairs that may transfer to each other; every interleaving has its pair. */
export const pairs: [AgentRules, AgentRules][] = Array.from({ length: 40 }, (_, index) => {
  const random = numbers(7_000_000 + index);
  const agent = (): AgentRules => {
    const windowMs = pick(random, [0, 1000, 1000, 2500, 6000]);
    return {
      windowMs,
      capMs: windowMs * pick(random, [5, 5, 2, 1.2]),
      most: pick(random, [20, 20, 4, 3, 2, 1]),
      merges: index % 4 === 3,
      followUps: pick(random, [[], [], [5000], [5000, 30_000], [1000, 1000, 86_400_000]]),
    };
  };
  return [agent(), agent()];
});

export function interleavingOf(seed: number): Interleaving {
  const random = numbers(seed);
  const chance = (p: number) => random() < p;
  const pair = Math.floor(random() * pairs.length);
  const { windowMs } = pairs[pair]![0];
  const hasAccidents = chance(0.4);
  const hasStop = !hasAccidents && chance(0.15);
  const edge = windowMs || 1000;
  const ops: Op[] = [];
  let at = 0;
  for (let left = 1 + Math.floor(random() * 5); left > 0; left--) {
    ops.push({
      at,
      do: 'input',
      sync: chance(0.12),
      copies: chance(0.12) ? 2 : 1,
      nudgeLost: hasAccidents && chance(0.15),
      ...(chance(0.8) && { url: Math.floor(random() * 3) }),
      ...(chance(0.5) && { meta: Math.floor(random() * 100) }),
    });
    const gap = pick(random, [
      0,
      1,
      edge - 1,
      edge - 1,
      edge,
      edge + 1,
      Math.floor(random() * edge),
      3000,
      5001,
    ]);
    if (chance(0.12)) ops.push({ at: at + Math.floor(random() * 8000), do: 'nudge' });
    if (chance(0.15)) ops.push({ at: at + Math.floor(random() * 8000), do: 'continueAsNew' });
    if (chance(0.05)) ops.push({ at: at + Math.floor(random() * 3000), do: 'flush' });
    if (hasStop && chance(0.4)) ops.push({ at: at + Math.floor(random() * 9000), do: 'stop' });
    at += gap;
  }
  const accidents: Record<number, Accident> = {};
  if (hasAccidents) {
    for (let left = Math.floor(random() * 3); left > 0; left--)
      accidents[Math.floor(random() * 8)] = pick(random, ['before', 'after', 'posting', 'zombie'] as const);
  }
  let transfers = 0;
  const replies = Array.from({ length: 12 }, (): Reply => {
    const does = pick(random, [
      'answer',
      'answer',
      'answer',
      'answer',
      'empty',
      'transfer',
      'tools',
      'fail',
      'failOnce',
    ] as const);
    if (does === 'transfer') transfers += 1;
    return {
      ms: pick(random, [0, 0, 1, 300, edge, 4000]),
      does: does === 'transfer' && transfers > 3 ? 'answer' : does,
    };
  });
  const postMs = Array.from({ length: 4 }, () => pick(random, [0, 20, 1500]));
  // The running workflow holds an operator's stop, so it must not complete during the test.
  const idleMs = hasStop ? 600_000 : pick(random, [1000, 20_000, 600_000]);
  if (chance(0.15)) ops.push({ at: Math.floor(random() * (at + 5000)), do: 'cancel' });
  return { seed, pair, idleMs, ops: ops.sort((a, b) => a.at - b.at), replies, postMs, accidents };
}

function pick<T>(random: () => number, choices: readonly T[]): T {
  return choices[Math.floor(random() * choices.length)]!;
}
