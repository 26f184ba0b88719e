/** Stores a channel's test messages ("hellos"): claims each before it is sent, so that none is sent twice. */
import { v7 as newId } from 'uuid';
import { z } from 'zod';
import { helloProblem, type HelloProblem } from '../../../contract/whatsapp/channel-hello.ts';
import { orNotFound } from '../../../contract/errors.ts';
import { helloAsk, maxHellosPerHour } from '../../../domain/whatsapp/hello.ts';
import { recordAudit, type OrganizationActor } from '../accounts/audit-log.ts';
import { camelRow, inTransaction, queryRow, queryRows, statement, type Database } from '../database.ts';

const helloRow = z.object({
  id: z.string(),
  agent_id: z.string(),
  request_id: z.string(),
  number: z.string(),
  status: z.enum(['attempting', 'sent', 'unknown', 'failed']),
  problem: helloProblem.nullable(),
  attempted_at: z.date(),
  age_ms: z.number(),
  arrived_at: z.date().nullable(),
  arrived_by: z.enum(['event', 'reply', 'gateway']).nullable(),
});
export type HelloRow = z.infer<typeof helloRow>;

const columns = `id, agent_id, request_id, number, status, problem, attempted_at, arrived_at, arrived_by,
  extract(epoch from clock_timestamp() - attempted_at)::double precision * 1000 as age_ms`;

/** Finds the hello of a request. @returns undefined if there is none. The cleanup deletes hellos after a day. */
export const findHello = statement('find-hello', helloRow).row<[agentId: string, requestId: string]>`
  select ${columns} from channel_hellos where agent_id = $1 and request_id = $2`;

const lockChannel = statement('lock-channel-for-hello').write<[agentId: string]>`
  select from channels where agent_id = $1 for update`;
const count = statement('count-hellos', camelRow({ sent: z.number(), waitSeconds: z.number() })).row<
  [agentId: string]
>`
  select count(*)::integer as sent,
      ceil(extract(epoch from min(attempted_at) + interval '1 hour' - clock_timestamp()))::integer as wait_seconds
    from channel_hellos where agent_id = $1 and attempted_at > clock_timestamp() - interval '1 hour'
    having count(*) > 0`;
const insert = statement('claim-hello', helloRow)`
  insert into channel_hellos (id, agent_id, request_id, number, compared) values ($1, $2, $3, $4, $5)
    on conflict (agent_id, request_id) do nothing returning ${columns}`;

/**
 * Claims a request, so that at most one call sends its message. The claim and its audit event are committed when this
 * function returns; the caller sends the message afterwards. Concurrent claims for one channel wait for each other.
 * @param hello.compared the number as `comparableNumber` returns it
 * @returns `earlier` if an earlier call has claimed this request, so that nothing may be sent; otherwise `waitSeconds`
 * if the channel has sent `maxHellosPerHour` hellos within the last hour; otherwise `claimed`
 */
export async function claimHello(
  db: Database,
  hello: { agentId: string; requestId: string; number: string; compared: string },
  actor: OrganizationActor,
): Promise<{ earlier: HelloRow } | { waitSeconds: number } | { claimed: HelloRow }> {
  const { agentId, requestId, number, compared } = hello;
  return await inTransaction(db, async (tx) => {
    await lockChannel(tx, agentId);
    const earlier = await findHello(tx, agentId, requestId);
    if (earlier !== undefined) return { earlier };
    const { sent, waitSeconds } = (await count(tx, agentId)) ?? { sent: 0, waitSeconds: 0 };
    if (sent >= maxHellosPerHour) return { waitSeconds: Math.max(1, waitSeconds) };
    const claimed = await queryRow(tx, insert, [newId(), agentId, requestId, number, compared]);
    // A process of an earlier version, which does not lock the channel, has claimed it.
    if (claimed === undefined) return { earlier: orNotFound(await findHello(tx, agentId, requestId)) };
    await recordAudit(tx, actor, 'channel_hello_sent', agentId);
    return { claimed };
  });
}

const settle = statement('settle-hello')`
  update channel_hellos set status = $2, problem = $3, gateway_message_id = coalesce($4, gateway_message_id),
      arrived_at = case when $5 then clock_timestamp() end, arrived_by = case when $5 then 'gateway' end
    where id = $1 and arrived_at is null and status <> 'failed'`;

/**
 * Records the outcome of a hello, as far as it is known. Does nothing if the hello was already recorded as arrived or
 * failed.
 * @param known.delivered true if the gateway reports it as delivered
 */
export async function settleHello(
  db: Database,
  id: string,
  known: {
    status: 'sent' | 'unknown' | 'failed';
    problem: HelloProblem | null;
    messageId?: string | null;
    delivered?: boolean;
  },
): Promise<void> {
  const { status, problem, messageId = null, delivered = false } = known;
  const values = [id, status, problem === null ? null : JSON.stringify(problem), messageId, delivered];
  await queryRows(db, settle, values);
}

const claimAsk = statement('claim-hello-ask')`
  update channel_hellos set asks = asks + 1, asked_at = clock_timestamp()
    where id = $1 and asks < $2 and coalesce(asked_at < clock_timestamp() - make_interval(secs => $3), true)
    returning id`;

/**
 * Claims one question to the gateway about a hello. All callers together get at most one claim per `helloAsk.everyMs`,
 * and at most `helloAsk.max` claims in all.
 * @returns false if the gateway may not be asked now
 */
export async function claimHelloAsk(db: Database, id: string): Promise<boolean> {
  const values = [id, helloAsk.max, helloAsk.everyMs / 1000];
  return (await queryRows(db, claimAsk, values)).length === 1;
}
