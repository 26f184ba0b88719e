/** A turn late in a long conversation beside one early in it, with a model that is sent the context. */
import { takeTurn, type Callbacks, type Turn } from './load.ts';
import { median } from './numbers.ts';
import type { Product } from './product-stack.ts';

/** Milliseconds that the model of these turns takes. */
export const longModelMs = 50;

export async function makeLongAgent(product: Product): Promise<string> {
  return await product.agent({ model: `custom/wait-${longModelMs}` });
}

/** Writes so many answered turns straight into the tables: a conversation as it is after them. */
export async function seedTurns(
  product: Pick<Product, 'db'>,
  conversationId: string,
  turns: number,
): Promise<void> {
  const seeding = await product.db.pool.connect();
  const about = `(select * from conversations where id = $1)`;
  try {
    await seeding.query('begin');
    const values = [conversationId, turns];
    await seeding.query(
      `insert into runs (id, organization_id, conversation_id, ordinal, mode, state, opened_at, closes_at, cap_at,
                         message_count, agent_id, claimed_at, finished_at)
         select gen_random_uuid(), c.organization_id, c.id, c.last_ordinal + n, 'single', 'answered', now(), now(), now(),
                1, c.agent_id, now(), now() from ${about} c, generate_series(1, $2) n`,
      values,
    );
    await seeding.query(
      `insert into messages (id, organization_id, conversation_id, run_id, run_ordinal, seq, origin, text, agent_id, agent_name)
         select gen_random_uuid(), c.organization_id, c.id, r.id, r.ordinal, c.last_seq + 2 * (r.ordinal - c.last_ordinal) - s.back,
                s.origin, 'message of a turn long ago', case when s.origin = 'agent' then r.agent_id end,
                case when s.origin = 'agent' then 'an agent' end
           from ${about} c join runs r on r.conversation_id = c.id and r.ordinal > c.last_ordinal and r.ordinal <= c.last_ordinal + $2,
                (values (1, 'user'), (0, 'agent')) s(back, origin)`,
      values,
    );
    await seeding.query(
      `update conversations set last_ordinal = last_ordinal + $2, last_seq = last_seq + 2 * $2 where id = $1`,
      values,
    );
    await seeding.query('commit');
    await seeding.query('analyze messages; analyze runs');
  } finally {
    seeding.release();
  }
}

export interface LongRatio {
  /** Whole turns in ms, the model's time included, as a customer sees them. */
  early: number;
  late: number;
  ratio: number;
}

/**
 * Measures turns around the 10th and the 1,000th, taken alternately.
 * @param seeded writes the turns between, rather than taking them
 */
export async function compareEarlyAndLate(
  product: Product,
  callbacks: Callbacks,
  options: { agentId: string; name: string; samples: number },
): Promise<LongRatio> {
  const { agentId, name, samples } = options;
  const subject = { send: product.to(agentId) };
  const turn = async (conversation: string) =>
    await takeTurn(subject, callbacks, conversation, 'hello', longModelMs);
  const young: string[] = [];
  const old = `${name}-old`;
  await turn(old);
  await seedTurns(product, product.conversationId(old), 990);
  for (let number = 0; number < Math.ceil(samples / 4); number++) {
    const conversation = `${name}-young-${number}`;
    young.push(conversation);
    await turn(conversation);
    await seedTurns(product, product.conversationId(conversation), 7);
  }
  const early: Turn[] = [];
  const late: Turn[] = [];
  // Turns 9 to 12 of young ones beside turns 992 and on of the old one, so that noise meets both.
  for (let sample = 0; sample < samples; sample++) {
    early.push(await turn(young[sample % young.length] ?? ''));
    late.push(await turn(old));
  }
  const whole = (turns: Turn[]) => median(turns.map(({ overheadMs }) => overheadMs + longModelMs));
  return { early: whole(early), late: whole(late), ratio: whole(late) / whole(early) };
}
