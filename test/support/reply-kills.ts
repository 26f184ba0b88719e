/** Workers killed while replies of three parts leave, and what became of each part. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ChannelStand } from './channel-stand.ts';
import { until } from './until.ts';

export type KillFigures = {
  kills: number;
  replies: number;
  parts: number;
  landed: number;
  twice: number;
  outOfOrder: number;
  markedUnknown: number;
  /** Neither landed nor marked. */
  lost: number;
  statuses: Record<string, number>;
};

/** One reply of three messages. */
export const threeParts = ['a', 'b', 'c'].map((letter) => `${letter} `.repeat(2000).trim()).join('\n\n');
const letters = ['a', 'b', 'c'];

/**
 * Each kill falls into a reply: before, between or within its parts, as the seed decides.
 * @param settleMs how long every reply may take to end after the last kill
 */
export async function killDuringReplies(
  stand: ChannelStand,
  options: { kills: number; seed: number; firstNumber: number; settleMs: number },
): Promise<KillFigures> {
  const { emulator, stack } = stand;
  const random = seeded(options.seed);
  const { id } = await stand.connected([{ reply: threeParts }]);
  emulator.state.sendMs = { before: 40, after: 60 };
  const customers: string[] = [];
  const landed = (number: string) =>
    emulator.sent.filter((one) => one.number === number).map((one) => one.shown[0] ?? '');
  try {
    for (let kill = 0; kill < options.kills; kill += 1) {
      const number = String(options.firstNumber + kill);
      customers.push(number);
      await emulator.deliverInbound({ from: number, text: 'x' });
      const afterParts = Math.floor(random() * 3);
      await until(`part ${afterParts} for ${number}`, () => landed(number).length >= afterParts);
      await delay(random() * 150);
      await stand.kill('worker');
    }
    await until(
      'the end of every reply',
      async () => {
        const statuses = await statusesOf(stand, id);
        return statuses.length === customers.length && !statuses.some((one) => one === 'pending');
      },
      options.settleMs,
    );
  } finally {
    emulator.state.sendMs = { before: 0, after: 0 };
  }
  const { rows: unknown } = await stack.db.pool.query<{ number: string; part_no: number }>(
    `select d.recipient as number, s.part_no from gateway_sends s join deliveries d on d.id = s.delivery_id
       where s.agent_id = $1 and s.status = 'unknown'`,
    [id],
  );
  const figures: KillFigures = {
    kills: options.kills,
    replies: customers.length,
    parts: customers.length * letters.length,
    landed: 0,
    twice: 0,
    outOfOrder: 0,
    markedUnknown: unknown.length,
    lost: 0,
    statuses: {},
  };
  for (const number of customers) {
    const parts = landed(number);
    figures.landed += parts.length;
    figures.twice += parts.length - new Set(parts).size;
    figures.outOfOrder += parts.join('') === [...parts].sort().join('') ? 0 : 1;
    letters.forEach((letter, part) => {
      const marked = unknown.some((one) => one.number === number && one.part_no === part);
      if (!parts.includes(letter) && !marked) figures.lost += 1;
    });
  }
  for (const one of await statusesOf(stand, id)) figures.statuses[one] = (figures.statuses[one] ?? 0) + 1;
  return figures;
}

async function statusesOf({ stack }: ChannelStand, agentId: string): Promise<string[]> {
  const { rows } = await stack.db.pool.query<{ status: string }>(
    `select d.status from deliveries d join conversations c on c.id = d.conversation_id where c.target_id = $1`,
    [agentId],
  );
  return rows.map(({ status }) => status);
}

/** The same sequence for the same seed: mulberry32. @returns numbers from 0 up to 1 */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
