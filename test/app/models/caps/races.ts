/**
 * Many synchronous calls at once, of several organizations with caps on everything, while workers are killed, streams
 * are cut off and prices change: what the provider has billed is never more than a cap, and never more than what was
 * counted for the conversation.
 */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { plants, type Plant } from './plants.ts';
import { changeOrganization } from '../../../../src/adapters/postgres/accounts/organizations.ts';
import { setTokenLimit } from '../../../../src/adapters/postgres/data/usage.ts';
import { randomOf } from '../../../chaos/random.ts';
import {
  startMeteringServer,
  type Bill,
  type MeteringServer,
  type Price,
} from '../../../support/metering-server.ts';
import { until } from '../../../support/until.ts';
import { startStack, type Stack } from '../../../support/stack.ts';

export type RaceOptions = {
  seed: number;
  /** Organizations at once, each with caps of its own. */
  organizations: number;
  /** Calls of each organization, and how many of them are made at once. */
  calls: number;
  atOnce: number;
  /** How often a worker is killed. */
  kills: number;
};

export type TrackOptions = { workers: number; apis: number; plant?: Plant };

/** A stack and a provider on which races are run one after the other. In every second race the price falls. */
export type Track = {
  race: (options: RaceOptions, say: (line: string) => void) => Promise<RaceReport>;
  stop: () => Promise<void>;
};

export type RaceReport = {
  breaches: string[];
  /** Conversations for which the provider billed more than was counted. */
  uncounted: string[];
  answered: number;
  refused: number;
  failed: number;
  billed: number;
  cut: number;
  kills: number;
  /**
   * Shares of the organizations' caps: what was billed, what ended calls have used, and that with the calls in
   * progress; and whether the cap has refused a call.
   */
  usable: { billed: number; used: number; counted: number; reached: boolean }[];
};

const prices: { first: Price; second: Price } = {
  first: { input: 0.5, output: 5 },
  second: { input: 1, output: 7.5 },
};
const maxOutputTokens = 400;
const model = 'custom/metered';
const settings = (price: Price) => ({ MODEL_PRICES: JSON.stringify({ [model]: price }) });

export async function startTrack({ apis, workers, plant }: TrackOptions): Promise<Track> {
  let draw = (): number => 0;
  const provider = await startMeteringServer(() => draw(), prices.first);
  const stack = await startStack({
    apis,
    workers,
    env: {
      ...settings(prices.first),
      MODEL_BASE_URL: provider.baseUrl,
      MODEL_API_KEY: 'key',
      MODEL_NAME: 'metered',
      MODEL_TIMEOUT_SECONDS: '5',
      MODEL_MAX_OUTPUT_TOKENS: String(maxOutputTokens),
      ORGANIZATION_RATE_LIMIT: 'off',
      // Calls that a planted bug leaves waiting end too.
      SYNC_TIMEOUT_SECONDS: '30',
    },
  });
  if (plant !== undefined) await stack.db.pool.query(plants[plant]);
  let known = prices.first;
  return {
    race: async (options, say) => {
      const { next: random } = randomOf(options.seed, 'caps');
      draw = random;
      const next = known === prices.first ? prices.second : prices.first;
      // A worker must never know a price that is too low.
      if (next === prices.first) provider.setPrice(next);
      known = next;
      return await runRace(stack, provider, { ...options, next }, random, say);
    },
    stop: async () => {
      await stack.stop();
      await provider.close();
    },
  };
}

async function runRace(
  stack: Stack,
  provider: MeteringServer,
  options: RaceOptions & { next: Price },
  random: () => number,
  say: (line: string) => void,
): Promise<RaceReport> {
  const earlier = provider.bills.length;
  const tenants = await Promise.all(
    Array.from({ length: options.organizations }, () => newTenant(stack, options, random)),
  );
  const counts = { answered: 0, refused: 0, failed: 0 };
  let done = 0;
  const total = options.organizations * options.calls;
  const load = tenants.map((tenant) =>
    inTurn(options, async (number) => {
      const status = await tenant.call(number);
      counts[status] += 1;
      done += 1;
    }),
  );
  let kills = 0;
  const faults = async () => {
    for (; kills < options.kills; kills += 1) {
      const due = (total * (kills + 1)) / (options.kills + 1);
      await until('the time of the kill', () => done >= due, 300_000);
      // Each worker that begins again knows the next price; the provider takes a higher one when all of them do.
      const one = stack.workers[kills % stack.workers.length];
      await one?.kill();
      await one?.start(settings(options.next));
      say(`killed worker ${(kills % stack.workers.length) + 1}, ${done} of ${total} calls have ended`);
      if (kills + 1 === stack.workers.length) provider.setPrice(options.next);
    }
  };
  await Promise.all([...load, faults()]);
  const bills = provider.bills.slice(earlier);
  const breaches = tenants
    .flatMap(({ caps }) => caps)
    .map(({ name, owns, max }) => ({ name, max, sum: sumOf(bills.filter(({ text }) => owns(text))) }))
    .filter(({ sum, max }) => sum > max)
    .map(({ name, sum, max }) => `${name}: ${sum.toFixed(3)} of ${max}`);
  const uncounted = await Promise.all(tenants.map(({ id }) => uncountedOf(stack, id, bills)));
  const usable = await Promise.all(
    tenants.map(async ({ id, max }) => {
      const where = { organization_id: id, scope: 'organization', period: 'month' };
      const [window] = await stack.db
        .knex('credit_windows')
        .where(where)
        .select<(Window & { reached_at: Date | null })[]>('settled', 'reserved', 'reached_at');
      const { settled = 0, reserved = 0, reached_at: reachedAt = null } = window ?? {};
      const billed = sumOf(bills.filter(({ text }) => text.includes(id)));
      return {
        billed: billed / max,
        used: settled / max,
        counted: (settled + reserved) / max,
        reached: reachedAt !== null,
      };
    }),
  );
  const cut = bills.filter(({ outcome }) => outcome !== 'whole').length;
  return { breaches, uncounted: uncounted.flat(), ...counts, billed: bills.length, cut, kills, usable };
}

type Window = { settled: number; reserved: number };

/** @returns conversations of an organization for which more was billed than their windows count */
async function uncountedOf(stack: Stack, organizationId: string, all: Bill[]): Promise<string[]> {
  const bills = all.filter(({ text }) => text.includes(organizationId));
  const messages = await stack.db
    .knex('messages')
    .where({ organization_id: organizationId, origin: 'user' })
    .select<{ text: string; conversation_id: string }[]>('text', 'conversation_id');
  const conversations = new Map(messages.map(({ text, conversation_id: id }) => [text, id]));
  const billed = new Map<string, number>();
  for (const { text, credits } of bills) {
    const id = conversations.get(text);
    assert.ok(id !== undefined, `nobody sent the message of a bill: ${text}`);
    billed.set(id, (billed.get(id) ?? 0) + credits);
  }
  const windows = await stack.db
    .knex('credit_windows')
    .where({ organization_id: organizationId, scope: 'conversation', period: 'month' })
    .select<(Window & { subject: string })[]>('subject', 'settled', 'reserved');
  const counted = new Map(windows.map(({ subject, settled, reserved }) => [subject, settled + reserved]));
  return [...billed]
    .filter(([id, credits]) => credits > (counted.get(id) ?? 0) + rounding)
    .map(([id, credits]) => `${id}: ${credits.toFixed(3)} billed, ${counted.get(id) ?? 0} counted`);
}

function sumOf(bills: Bill[]): number {
  return bills.reduce((all, { credits }) => all + credits, 0);
}

const actor = { kind: 'system', name: 'a test' } as const;

type Status = 'answered' | 'refused' | 'failed';
type Cap = { name: string; max: number; owns: (text: string) => boolean };

async function newTenant(stack: Stack, { calls }: RaceOptions, random: () => number) {
  const { organizationId: id, api, tokenId } = await stack.stranger();
  // A call costs 1 credit on average at the first price, and 1.5 at the second: two thirds of the calls fit.
  const max = Math.round(calls * (0.55 + random() * 0.2));
  const agents = await Promise.all(
    [0.5, 0.6, 0.4].map(async (share) => {
      const cap = Math.round(max * share);
      const { id: agent } = await api.createAgent({
        credit_caps: {
          day: cap,
          month: cap,
          contact_day: Math.round(cap / 2),
          conversation_month: Math.round(cap / 3),
        },
      });
      return { agent, cap };
    }),
  );
  await changeOrganization(stack.db, id, { credit_caps: { day: 2 * max, month: max } }, actor);
  await setTokenLimit(stack.db, id, tokenId, { credit_caps: { month: max } }, actor);
  const contacts = [0, 1, 2, 3];
  const mark = (agent: string, contact: number | string) => `${id} ${agent} ${contact};`;
  const caps: Cap[] = [
    { name: 'organization', max, owns: (text) => text.includes(id) },
    ...agents.map(({ agent, cap }) => ({
      name: 'agent',
      max: cap,
      owns: (text: string) => text.includes(agent),
    })),
    ...agents.flatMap(({ agent, cap }) =>
      contacts.map((contact) => ({
        name: 'conversation',
        max: Math.round(cap / 3),
        owns: (text: string) => text.includes(mark(agent, contact)),
      })),
    ),
  ];
  const call = async (number: number): Promise<Status> => {
    const { agent } = agents[Math.floor(random() * agents.length)]!;
    const known = random() < 0.3;
    const contact = contacts[Math.floor(random() * contacts.length)]!;
    const message = `${mark(agent, known ? contact : 'nobody')} call ${number}`;
    const body = { message, sync: true, ...(known && { contact: { id: `contact ${contact}` } }) };
    let status = 503;
    for (let tries = 0; status === 503 && tries < 20; tries += 1) {
      if (tries > 0) await delay(500);
      ({ status } = await api.call('POST', `/chat/${agent}`, { body }));
    }
    if (status === 200) return 'answered';
    return status === 402 ? 'refused' : 'failed';
  };
  return { id, max, caps, call };
}

/** Makes the calls in turn, some at once. */
async function inTurn(
  { calls, atOnce }: RaceOptions,
  make: (number: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const one = async () => {
    while (next < calls) await make(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

/** The least share of a cap that must be usable. */
const leastUsable = 0.9;
/** More than the error of a sum of doubles, and of amounts that are counted to six decimals. */
const rounding = 1e-4;

/**
 * @throws AssertionError if a cap was exceeded, the provider billed more than was counted, or less of the
 * organizations' caps was usable than promised
 */
export function demandHeld({ breaches, uncounted, usable }: RaceReport): void {
  assert.deepEqual(breaches, []);
  assert.deepEqual(uncounted, [], 'the provider billed more than was counted');
  const unused = usable.filter(({ reached, used }) => reached && used < leastUsable);
  assert.deepEqual(unused, [], 'a cap refused calls before 90 % of it were used');
}
