/**
 * One reply on its way, and a takeover that is committed just before one of its steps: the real activity, the real SQL.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { ActivityDeps } from '../../../src/app/deps.ts';
import { sendReply, type ReplyProgress } from '../../../src/app/whatsapp/send-reply.ts';
import type { Database } from '../../../src/adapters/postgres/database.ts';
import { acceptGatewayMessage } from '../../../src/adapters/postgres/whatsapp/inbox.ts';
import { createOrganization } from '../../../src/adapters/postgres/accounts/organizations.ts';
import { pauseConversation, writeAsPerson } from '../../../src/adapters/postgres/conversations/pauses.ts';
import { Runs } from '../../../src/adapters/postgres/conversations/runs.ts';
import type { SendOutcome } from '../../../src/adapters/whatsapp/gateway-outcomes.ts';
import { defaultReplySettings } from '../../../src/domain/whatsapp/plan-reply.ts';
import { defaultReplyTimes } from '../../../src/domain/whatsapp/reply-progress.ts';
import { randomOf } from '../../chaos/random.ts';
import { unguarded, unshared } from '../one-worker.ts';

/**
 * How a person takes over: at the console, by writing there, from the phone; or at the console while a step is in
 * progress.
 */
export const ways = ['pause', 'write', 'phone', 'meanwhile'] as const;
export type Way = (typeof ways)[number];

/** The gateway's outcome of each attempt, in turn, and at last `sent`. `lost`: the process ends while it sends. */
type Attempt = SendOutcome['outcome'] | 'lost';
export interface Plan {
  parts: number;
  attempts: Attempt[];
  /** The gateway's answer to the question whether a part has arrived. */
  found: ('found' | 'not_found' | 'unavailable')[];
}

export interface Played {
  /** How many statements, calls and waits the reply took. */
  steps: number;
  /** A message or a claim after a person had taken over; '' if there was none. */
  violation: string;
}

export interface Ground {
  db: Database;
  databaseUrl: string;
  channel: { agent_id: string; organization_id: string };
}

const partLength = 64;
const mostRounds = 40;

export function planOf(seed: number): Plan {
  const random = randomOf(seed, 'takeovers');
  const attempts: Attempt[] = [
    'sent',
    'rate_limited',
    'not_reachable',
    'unknown',
    'failed',
    'session_down',
    'lost',
  ];
  return {
    parts: random.whole(1, 3),
    attempts: Array.from({ length: random.whole(0, 3) }, () => random.pick(attempts)),
    found: Array.from({ length: 3 }, () =>
      random.pick(['found', 'not_found', 'not_found', 'unavailable'] as const),
    ),
  };
}

export async function prepareGround(db: Database, databaseUrl: string): Promise<Ground> {
  const { id: organization_id } = await createOrganization(db, 'takeovers');
  const agent_id = randomUUID();
  await db.knex('agents').insert({ id: agent_id, organization_id, name: 'agent', inbox_id: randomUUID() });
  const sealed = { base_url: 'https://gateway.test', instance_token: 'sealed', webhook_secret: '' };
  await db.knex('channels').insert({
    ...{ agent_id, organization_id, state: 'connected', ...sealed },
    webhook_secret_hash: Buffer.from(agent_id),
  });
  return { db, databaseUrl, channel: { agent_id, organization_id } };
}

class WorkerLost extends Error {}

/** @param step just before which the takeover is committed; undefined for none @param way how */
export async function playTakeover(
  ground: Ground,
  plan: Plan,
  step: number | undefined,
  way: Way,
): Promise<Played> {
  const { db } = ground;
  const phone = String(10_000_000_000 + Math.floor(Math.random() * 80_000_000_000));
  const { conversationId, deliveryId } = await answered(ground, phone, plan.parts);
  let steps = 0;
  /**
   * The database's clock, in seconds, once the takeover was committed, and how many sends were claimed and not over by
   * then.
   */
  let takeover: { at: number; claimed: number } | undefined;
  let said = 0;
  const takeOver = async () => {
    await takenOver(ground, way, conversationId, phone);
    await note();
  };
  const note = async () => {
    const { rows } = await db.pool.query<{ at: number; claimed: number }>(
      `select extract(epoch from clock_timestamp())::double precision as at, (select count(*)::integer from gateway_sends where delivery_id = $1 and status = 'attempting') as claimed`,
      [deliveryId],
    );
    takeover = rows[0];
  };
  const at = async <T>(work: () => Promise<T>): Promise<T> => {
    if (steps++ !== step) return await work();
    if (way !== 'meanwhile') {
      await takeOver();
      return await work();
    }
    // Not committed when the step begins, committed before it ends.
    const client = new pg.Client({ connectionString: ground.databaseUrl });
    await client.connect();
    try {
      await client.query('begin');
      await client.query(
        `select pause_conversation($1, clock_timestamp() + interval '1 hour', 'api', clock_timestamp())`,
        [conversationId],
      );
      const working = work();
      working.catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 2));
      await client.query('commit');
      const result = await working;
      await note();
      return result;
    } finally {
      await client.end();
    }
  };
  let attempts = 0;
  let asked = 0;
  const send = async (): Promise<SendOutcome> => {
    said += takeover === undefined ? 0 : 1;
    const outcome = plan.attempts[attempts++] ?? 'sent';
    if (outcome === 'lost') throw new WorkerLost();
    return await Promise.resolve(made(outcome));
  };
  const deps = {
    db: {
      ...db,
      pool: { query: async (statement: pg.QueryConfig) => await at(() => db.pool.query(statement)) },
    },
    sleep: async () => {
      await at(async () => {
        await Promise.resolve();
      });
    },
    outbox: { post: () => Promise.resolve('gone') },
    shares: unshared,
    attempts: unguarded,
    channel: {
      gateway: {
        sendText: async () => await at(send),
        showTyping: async () => {
          await at(async () => {
            await Promise.resolve();
          });
        },
        findByTrackId: async () =>
          await at(async () => {
            const outcome = plan.found[asked++] ?? 'not_found';
            return await Promise.resolve({ outcome, messageId: 'id' });
          }),
      },
      encryption: { open: () => 'token' },
      replySettings: { ...defaultReplySettings, partLength, gapMs: 1 },
      times: {
        ...defaultReplyTimes,
        textMs: 1000,
        askAfterMs: 0,
        ladderMs: [0, 0, 0, 0, 0],
        sessionCheckMs: 0,
      },
      sendsPerMinute: 'off',
    },
  } as unknown as ActivityDeps;
  const { signal } = new AbortController();
  for (let round = 0; round < mostRounds; round += 1) {
    try {
      const progress: ReplyProgress = await sendReply(deps, deliveryId, signal);
      if (progress.next === 'done') break;
    } catch (error) {
      if (!(error instanceof WorkerLost)) throw error;
    }
    // Moves time forward, so that nothing of an earlier process is in progress.
    await db.pool.query(
      `update gateway_sends set attempted_at = attempted_at - interval '1 minute' where delivery_id = $1`,
      [deliveryId],
    );
    if (takeover !== undefined) takeover.at -= 60;
  }
  if (step !== undefined && takeover === undefined) await takeOver();
  if (takeover === undefined) return { steps, violation: '' };
  return { steps, violation: await violationOf(ground, deliveryId, takeover, said) };
}

async function violationOf(
  { db }: Ground,
  deliveryId: string,
  { at, claimed }: { at: number; claimed: number },
  said: number,
): Promise<string> {
  const { rows } = await db.pool.query<{ late: number; open: number; status: string }>(
    `select count(*) filter (where extract(epoch from s.attempted_at)::double precision > $2)::integer as late,
        count(*) filter (where s.finished_at is null and s.status = 'attempting')::integer as open,
        (select status from deliveries where id = $1) as status
      from gateway_sends s where s.delivery_id = $1`,
    [deliveryId, at],
  );
  const { late = 0, open = 0, status = '' } = rows[0] ?? {};
  if (late > 0) return `${late} parts were claimed after the takeover`;
  if (said > claimed) return `${said} words after the takeover, ${claimed} of them claimed before`;
  if (open > 0) return 'a part was left under way';
  return status === 'pending' ? 'the reply never came to its end' : '';
}

/** A contact has written, and the agent has answered: its answer waits to be sent. */
async function answered(
  { db, channel }: Ground,
  phone: string,
  parts: number,
): Promise<{ conversationId: string; deliveryId: string }> {
  const kept = await acceptGatewayMessage(db, channel, {
    ...{ kind: 'message', messageId: randomUUID(), text: 'hello', media: null, sentAtMs: Date.now() },
    ...{ contact: { phone, lid: null, name: null }, quotedId: null },
  } as unknown as Parameters<typeof acceptGatewayMessage>[2]);
  if (kept.outcome !== 'accepted') throw new Error(kept.outcome);
  const { conversation_id: conversationId } = kept;
  const runs = new Runs(db);
  const claim = await runs.claim(conversationId, {}, { id: randomUUID(), repeated: false });
  if (claim.next !== 'run') throw new Error(claim.next);
  const outcome = await runs.record({
    ...{ run_id: claim.run.id, step: 0, inputs: 1, kind: 'answer' },
    ...{
      text: Array.from(
        { length: parts },
        () => 'A paragraph of sixty letters, which is as long as a part is. ',
      ).join('\n\n'),
      model: 'a/model',
    },
    ...{ input_tokens: 0, output_tokens: 0, credits: 0, message_credits: 0, truncated: false },
    ...{ agent_version: 1, model_id: 'scripted/default', model_ms: 0, history_turns: 0, was_cut: false },
  });
  if (outcome.next !== 'answer' || outcome.delivery === undefined) throw new Error(outcome.next);
  return { conversationId, deliveryId: outcome.delivery.id };
}

async function takenOver(
  { db, channel }: Ground,
  way: Way,
  conversationId: string,
  phone: string,
): Promise<void> {
  switch (way) {
    case 'pause':
    case 'meanwhile':
      await pauseConversation(db, conversationId, 60, { by: 'api' });
      return;
    case 'write':
      await writeAsPerson(
        db,
        conversationId,
        { text: 'I take over', attachments: [] },
        { by: 'console', name: 'A' },
      );
      return;
    case 'phone':
      await acceptGatewayMessage(db, channel, {
        ...{
          kind: 'takeover',
          messageId: randomUUID(),
          text: 'I take over',
          media: null,
          sentAtMs: Date.now(),
        },
        contact: { phone, lid: null, name: null },
      } as unknown as Parameters<typeof acceptGatewayMessage>[2]);
  }
}

function made(outcome: SendOutcome['outcome']): SendOutcome {
  return {
    outcome,
    messageId: randomUUID(),
    detail: '',
    reason: 'timeout',
    retryAfterMs: 0,
    untilMs: null,
    status: 500,
  };
}
