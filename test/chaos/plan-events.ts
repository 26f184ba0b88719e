/**
 * Plans what contacts write on WhatsApp, before the run and from the seed alone: when, in which order the gateway posts
 * it, how often, and what the gateway does with the reply.
 */
import type { GatewayFault } from '../support/gateway/emulator-faults.ts';
import { randomOf, type Random } from './random.ts';

/** How the channel's agent takes messages; of each kind there is one, with a gateway instance of its own. */
export const channelKinds = ['plainChannel', 'groupingChannel'] as const;
export type ChannelKind = (typeof channelKinds)[number];

/** Faults of the real gateway at a send: it refuses, it fails, or it takes the message and its answer is lost. */
export const sendFaults = ['rate_limited', 'server_error', 'landed_hang', 'lost_answer'] as const;
export type SendFault = Extract<GatewayFault, (typeof sendFaults)[number]>;

export type PlannedEvent = {
  /** `w3e1`: in the text, and with the number all that makes its id. */
  key: string;
  /** The contact's, digits. */
  number: string;
  channel: ChannelKind;
  /** When it was written, in whole seconds as phones tell it. Differs within a conversation. */
  writtenAtMs: number;
  /** When the gateway posts it: more than once where it repeats itself, at one moment or later. In order. */
  postedAtMs: number[];
  /** The reply to it takes two parts. */
  long: boolean;
  /** At the first send of the reply that begins with it. One at most: the ladder of retries soon takes minutes. */
  sendFault?: SendFault;
};

export type EventOptions = { seed: number; durationMs: number; events: number };

const waveMs = 3000;
/** The last of them leave time for a retry. */
const share = 0.8;

export function planEvents({ seed, durationMs, events }: EventOptions): PlannedEvent[] {
  const random = randomOf(seed, 'events');
  const planned: PlannedEvent[] = [];
  const waves = Math.max(1, Math.floor((durationMs * share) / waveMs));
  for (let contact = 0; planned.length < events; contact++) {
    const channel = random.pick(channelKinds);
    let count = 0;
    for (const wave of someOf(random, waves)) {
      const size = Math.min(random.whole(1, 4), events - planned.length);
      const keys = Array.from({ length: size }, () => `w${contact}e${count++}`);
      // A phone that was offline: its messages arrive all at once, now and then in another order.
      const order = random.chance(0.4) ? shuffled(random, size) : keys.map((_, index) => index);
      for (const [index, key] of keys.entries()) {
        const at = wave * waveMs + random.between(0, 60) + (order[index] ?? 0) * 80;
        planned.push({
          ...{ key, number: String(5_534_960_000_000 + contact), channel },
          writtenAtMs: wave * waveMs - (size - index) * 1000,
          postedAtMs: postings(random, at),
          long: random.chance(0.1),
          ...(random.chance(0.1) && { sendFault: random.pick(sendFaults) }),
        });
      }
    }
  }
  return planned;
}

/** One wave or two of them, in order. They are so far apart that no later burst is older than an earlier one's end. */
function someOf(random: Random, waves: number): number[] {
  const first = random.whole(0, waves - 1);
  const second = random.whole(0, waves - 1);
  return random.chance(0.5) && Math.abs(first - second) > 1 ? [first, second].sort((a, b) => a - b) : [first];
}

function postings(random: Random, at: number): number[] {
  const copies = random.chance(0.2) ? random.whole(2, 5) : 1;
  const later = Array.from({ length: copies - 1 }, () =>
    random.chance(0.5) ? 0 : random.between(200, 5000),
  );
  return [0, ...later].map((after) => Math.round(at + after)).sort((a, b) => a - b);
}

function shuffled(random: Random, size: number): number[] {
  const left = Array.from({ length: size }, (_, index) => index);
  return Array.from({ length: size }, () => left.splice(random.whole(0, left.length - 1), 1)[0] ?? 0);
}
