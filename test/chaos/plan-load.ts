/** Plans the load before the run, from the seed alone: who sends which message, when, and where its callback goes. */
import { randomOf, type Random } from './random.ts';

/** How an agent answers; of each kind there is one. */
export const agentKinds = [
  'plain',
  'grouping',
  'transferring',
  'following',
  'flaky',
  'failing',
  'modelled',
] as const;
export type AgentKind = (typeof agentKinds)[number];

/** How a receiver treats a callback. `slow` and `good` answer 200; the rest mean harm or are broken. */
export const hostileBehaviours = [
  ...['hang', 'drip', 'reset', 'status500', 'redirect', 'gzipBomb', 'endless', 'badUtf8', 'nul'],
] as const;
export type Behaviour = 'good' | 'slow' | (typeof hostileBehaviours)[number];

export type PlannedMessage = {
  /** `c12m3`: in the text, in the callback's path, and its Idempotency-Key. */
  key: string;
  conversation: string;
  agent: AgentKind;
  atMs: number;
  behaviour: Behaviour;
  /** How many equal calls are made at once: clients that re-send before they have an answer. */
  copies: number;
  /** A client that gives no key, and so does not try again. */
  keyless: boolean;
  sync: boolean;
  /**
   * Faults of the provider of a `modelled` agent before it answers. One at most: a stopped process may cost two more
   * tries.
   */
  modelFaults: ModelFault[];
};

export const modelFaults = ['429', '500', 'hang', 'cut', 'html'] as const;
export type ModelFault = (typeof modelFaults)[number];

export type LoadOptions = { seed: number; durationMs: number; messages: number };

/** Callbacks come in waves, so that a kill meets many at once. */
export const waveMs = 3000;
const waveSize = 6;

export function planLoad({ seed, durationMs, messages }: LoadOptions): PlannedMessage[] {
  const random = randomOf(seed, 'load');
  const planned: PlannedMessage[] = [];
  for (let conversation = 0; planned.length < messages; conversation++) {
    const agent = kindOf(random);
    const bursts = random.whole(1, 3);
    let count = 0;
    for (let burst = 0; burst < bursts; burst++) {
      const wave = Math.floor(random.between(0, Math.max(1, durationMs / waveMs - 1)));
      const size = agent === 'grouping' ? random.whole(1, 5) : random.whole(1, 2);
      for (let one = 0; one < size && planned.length < messages; one++) {
        planned.push({
          ...{ key: `c${conversation}m${count++}`, conversation: `c${conversation}`, agent },
          // Inside the grouping window, some of them at the very same time.
          atMs: Math.round(wave * waveMs + random.between(0, 300) + one * random.pick([0, 120, 250])),
          behaviour: behaviourOf(random),
          copies: random.chance(0.2) ? random.whole(2, 4) : 1,
          keyless: random.chance(0.1),
          modelFaults: Array.from({ length: random.whole(0, 1) }, () => random.pick(modelFaults)),
          sync: agent === 'plain' && random.chance(0.05),
        });
      }
    }
  }
  return planned.sort((a, b) => a.atMs - b.atMs).map(asClient);
}

/** @returns a wave of messages for faults that a slow machine has left for later than the plan's end */
export const furtherWave = (number: number): PlannedMessage[] =>
  Array.from({ length: waveSize }, (_, index) => ({
    ...{ key: `w${number}c${index}m0`, conversation: `w${number}c${index}`, agent: 'plain', atMs: 0 },
    ...{ behaviour: 'slow', copies: 1, keyless: false, sync: false, modelFaults: [] },
  }));

function kindOf(random: Random): AgentKind {
  const at = random.next();
  if (at < 0.35) return 'grouping';
  if (at < 0.56) return 'plain';
  if (at < 0.66) return 'modelled';
  if (at < 0.76) return 'transferring';
  if (at < 0.87) return 'following';
  return at < 0.97 ? 'flaky' : 'failing';
}

function behaviourOf(random: Random): Behaviour {
  const at = random.next();
  if (at < 0.6) return 'good';
  return at < 0.85 ? 'slow' : random.pick(hostileBehaviours);
}

/** Without a key a second copy would be a second message. */
function asClient(one: PlannedMessage): PlannedMessage {
  return one.keyless ? { ...one, copies: 1, sync: false } : one;
}
