/** WhatsApp messages straight into a real Postgres: accepted, answered and read back without processes around it. */
import { randomUUID } from 'node:crypto';
import { connectDatabase, type Database } from '../../src/adapters/postgres/database.ts';
import { acceptGatewayMessage, type InboxOutcome } from '../../src/adapters/postgres/whatsapp/inbox.ts';
import { Runs } from '../../src/adapters/postgres/conversations/runs.ts';
import type { InboundMessage, TakeoverSignal } from '../../src/domain/whatsapp/classify-event.ts';
import { backing } from './backing.ts';

/** The contact in an event: either field may be missing. */
export interface Named {
  phone?: string | null;
  lid?: string | null;
}

export interface WrittenMessage {
  text?: string;
  messageId?: string;
  /** Epoch ms; each later than the one before when missing. */
  sentAtMs?: number;
  /** Typed on the business's phone. */
  fromMe?: boolean;
}

export interface ChannelGround {
  db: Database;
  databaseUrl: string;
  organizationId: string;
  /** A new agent with a connected channel. @returns its id */
  newAgent: (settings?: Record<string, unknown>) => Promise<string>;
  write: (agentId: string, who: Named, message?: WrittenMessage) => Promise<InboxOutcome>;
  /** The agent answers what is due in the conversation. @returns where the reply is to go */
  answer: (conversationId: string, text?: string) => Promise<{ deliveryId: string; recipient: string }>;
  /** A follow-up begins in the conversation, and fails. @returns the delivery of its error */
  failFollowUp: (conversationId: string) => Promise<string | undefined>;
  rows: <T>(sql: string, ...values: unknown[]) => Promise<T[]>;
  close: () => Promise<void>;
}

export async function openChannelGround(): Promise<ChannelGround> {
  const databaseUrl = await (await backing()).freshDatabase();
  const db = connectDatabase(databaseUrl, 12);
  const organizationId = randomUUID();
  await db.knex('organizations').insert({ id: organizationId, name: 'ground' });
  let clock = Date.now() - 3_600_000;
  const rows = async <T>(sql: string, ...values: unknown[]): Promise<T[]> =>
    (await db.pool.query(sql, values)).rows as T[];
  return {
    db,
    databaseUrl,
    organizationId,
    rows,
    newAgent: async (settings = {}) => {
      const id = randomUUID();
      await db.knex('agents').insert({
        id,
        organization_id: organizationId,
        name: `agent ${id}`,
        inbox_id: randomUUID(),
        ...settings,
      });
      await db.knex('channels').insert({
        agent_id: id,
        organization_id: organizationId,
        state: 'connected',
        webhook_secret: 'sealed',
        webhook_secret_hash: Buffer.from(id),
      });
      return id;
    },
    write: async (agentId, { phone = null, lid = null }, message = {}) => {
      const key = phone ?? lid ?? '';
      const told: InboundMessage | TakeoverSignal = {
        ...(message.fromMe
          ? { kind: 'takeover' as const }
          : { kind: 'message' as const, form: 'text' as const, replyId: null, quotedId: null }),
        messageId: message.messageId ?? randomUUID(),
        contact: { replyTo: key, phone, lid, name: null },
        text: message.text ?? 'hello',
        sentAtMs: message.sentAtMs ?? (clock += 1000),
        media: null,
      };
      return await acceptGatewayMessage(db, { agent_id: agentId, organization_id: organizationId }, told);
    },
    answer: async (conversationId, text = 'an answer') => {
      const runs = new Runs(db);
      const claim = await runs.claim(conversationId, {}, { id: randomUUID(), repeated: false }, true);
      if (claim.next !== 'run') throw new Error(JSON.stringify(claim));
      const { run } = claim;
      await runs.record({
        ...{ run_id: run.id, step: run.steps, inputs: run.inputs.length },
        ...{ kind: 'answer', text, model: 'm', input_tokens: 0, output_tokens: 0, credits: 0 },
        ...{ message_credits: 0, truncated: false },
        ...{ agent_version: 1, model_id: 'scripted/default', model_ms: 0, history_turns: 0, was_cut: false },
      });
      const [delivery] = await rows<{ id: string; recipient: string }>(
        'select id, recipient from deliveries where run_id = $1',
        run.id,
      );
      if (delivery === undefined) throw new Error('the answer goes nowhere');
      return { deliveryId: delivery.id, recipient: delivery.recipient };
    },
    failFollowUp: async (conversationId) => {
      const [run] = await rows<{ id: string }>(
        `with conversation as (
           update conversations set last_ordinal = last_ordinal + 1 where id = $1 returning *)
         insert into runs (id, organization_id, conversation_id, ordinal, mode, state, opened_at, closes_at, cap_at, agent_id)
           select gen_random_uuid(), organization_id, id, last_ordinal, 'follow_up', 'running', now(), now(), now(), agent_id
             from conversation returning id`,
        conversationId,
      );
      if (run === undefined) throw new Error('there is no such conversation');
      const outcome = await new Runs(db).fail(run.id);
      return outcome.next === 'failed' ? outcome.delivery?.id : undefined;
    },
    close: () => db.close(),
  };
}

/** The conversation of a message that was kept. */
export function conversationIn(outcome: InboxOutcome): string {
  if (!('conversation_id' in outcome)) throw new Error(JSON.stringify(outcome));
  return outcome.conversation_id;
}
