/** Stores channels, their encrypted credentials, and their connection checks. */
import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import {
  channelError,
  channelState,
  type channelEditForm,
  type ChannelError,
  type ChannelState,
} from '../../../contract/whatsapp/channel.ts';
import type { ChannelTrigger } from '../../../domain/whatsapp/channel-state.ts';
import type { Encryption, SecretPlace } from '../../secrets/encryption.ts';
import type { GatewayAccess } from '../../whatsapp/gateway-call.ts';
import type { AuditAction } from '../../../contract/accounts/audit.ts';
import { actor, actorOf, recordAudit, type Actor, type OrganizationActor } from '../accounts/audit-log.ts';
import {
  inTransaction,
  queryRow,
  queryRows,
  rowOf,
  statement,
  type Database,
  type Transaction,
} from '../database.ts';

export const channelRow = z.object({
  agent_id: z.string(),
  organization_id: z.string(),
  state: channelState,
  base_url: z.string().nullable(),
  instance_token: z.string().nullable(),
  webhook_secret: z.string(),
  webhook_secret_hash: z.instanceof(Buffer),
  /** SHA-256 of the secret that the last renewal replaced; null if there is none. */
  previous_webhook_hash: z.instanceof(Buffer).nullable(),
  /** End of the time in which the previous secret is accepted; null if the secret was never renewed. */
  previous_webhook_until: z.date().nullable(),
  connected_number: z.string().nullable(),
  last_error: channelError.nullable(),
  pause_minutes: z.number(),
  alert_url: z.string().nullable(),
  alert_after_minutes: z.number(),
  live_status: z.string().nullable(),
  live_reason: z.string().nullable(),
  live_checked_at: z.date().nullable(),
  down_since: z.date().nullable(),
  credentials_refused_at: z.date().nullable(),
  timelocked_until: z.date().nullable(),
  last_inbound_at: z.date().nullable(),
  instance_key: z.string().nullable(),
  webhook_state: z.enum(['right', 'wrong', 'unread']).nullable(),
  webhook_wrong_since: z.date().nullable(),
  contact_messages_per_minute: z.number().nullable(),
  channel_messages_per_minute: z.number().nullable(),
  contact_answers_per_day: z.number().nullable(),
  channel_answers_per_day: z.number().nullable(),
  loop_rounds: z.number().nullable(),
  loop_seconds: z.number(),
  updated_at: z.date(),
});
export type ChannelRow = z.infer<typeof channelRow>;

/**
 * The outcome of a channel check: `blocked` if the gateway's address is not allowed, `invalid_state` if the channel
 * does not allow the check, `withdrawn` if the check was withdrawn, was deleted, or has no outcome yet.
 */
const checkOutcome = z.union([
  z.object({ result: z.enum(['done', 'invalid_credentials', 'blocked', 'invalid_state', 'withdrawn']) }),
  z.object({ result: z.enum(['not_connected', 'gateway_unreachable']), message: z.string() }),
  z.object({ result: z.literal('number_in_use'), agents: z.array(z.string()) }),
]);
export type CheckOutcome = z.infer<typeof checkOutcome>;

const checkRow = z.object({
  id: z.string(),
  agent_id: z.string(),
  trigger: z.enum(['connect', 'verify', 'edit', 'disconnect']),
  base_url: z.string().nullable(),
  instance_token: z.string().nullable(),
  take_over: z.boolean(),
  requested_by: actor,
  outcome: checkOutcome.nullable(),
});
type CheckRow = z.infer<typeof checkRow>;

/** Finds an agent's channel. @returns undefined if the agent has none */
export const findChannel = statement('find-channel', channelRow).row<[agentId: string]>`
  select * from channels where agent_id = $1`;

const place = (row: { organization_id: string; agent_id: string }, column: string): SecretPlace => ({
  organizationId: row.organization_id,
  table: 'channels',
  rowId: row.agent_id,
  column,
});

/** Generates a webhook secret. @returns the values of its two columns: the encrypted secret and its hash */
export function newWebhookSecret(
  encryption: Encryption,
  row: Pick<ChannelRow, 'organization_id' | 'agent_id'>,
): Pick<ChannelRow, 'webhook_secret' | 'webhook_secret_hash'> {
  const secret = randomBytes(32).toString('base64url');
  return {
    webhook_secret: encryption.seal(secret, place(row, 'webhook_secret')),
    webhook_secret_hash: hashWebhookSecret(secret),
  };
}

const renew = statement('renew-webhook-secret', channelRow)`
  update channels set webhook_secret = $2, webhook_secret_hash = $3, previous_webhook_hash = webhook_secret_hash,
      previous_webhook_until = clock_timestamp() + interval '1 hour', updated_at = clock_timestamp()
    where agent_id = $1 and coalesce(previous_webhook_until < clock_timestamp(), true) returning *`;
/**
 * Gives a channel a new webhook secret. The previous one is accepted for another hour.
 * @returns the changed channel; undefined if there is no channel, or its last renewal is less than an hour old: the
 * gateway may then still use the secret from before that renewal
 */
export async function renewWebhookSecret(
  db: Database,
  encryption: Encryption,
  row: ChannelRow,
): Promise<ChannelRow | undefined> {
  const { webhook_secret, webhook_secret_hash } = newWebhookSecret(encryption, row);
  return await queryRow(db, renew, [row.agent_id, webhook_secret, webhook_secret_hash]);
}

/** @returns the SHA-256 of a webhook secret, as the columns of channels store it */
export function hashWebhookSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/**
 * Creates the channel of an agent that has none, with a webhook secret. Does not change an existing channel.
 * @returns the new or existing channel
 * @throws Error if the agent is deleted at the same time
 */
export async function ensureChannel(
  db: Database,
  encryption: Encryption,
  agent: { id: string; organizationId: string },
): Promise<ChannelRow> {
  const row = { organization_id: agent.organizationId, agent_id: agent.id };
  await db
    .knex('channels')
    .insert({ ...row, ...newWebhookSecret(encryption, row) })
    .onConflict('agent_id')
    .ignore();
  const found = await findChannel(db, agent.id);
  if (found === undefined) throw new Error('The channel that was just created does not exist.');
  return found;
}

/**
 * Decrypts the secret in the channel's webhook URL.
 * @throws Error if this process does not have the key that encrypted it
 */
export function openWebhookSecret(encryption: Encryption, row: ChannelRow): string {
  return encryption.open(row.webhook_secret, place(row, 'webhook_secret'));
}

/**
 * Decrypts the channel's gateway credentials.
 * @returns the gateway's URL and the token; undefined if either is not stored
 * @throws Error if this process does not have the key that encrypted the token
 */
export function openAccess(encryption: Encryption, row: ChannelRow): GatewayAccess | undefined {
  if (row.base_url === null || row.instance_token === null) return undefined;
  return {
    baseUrl: row.base_url,
    token: encryption.open(row.instance_token, place(row, 'instance_token')),
    organizationId: row.organization_id,
  };
}

/** @returns a hash that is equal for channels of one gateway instance and does not reveal its URL or token */
export function instanceKey({ baseUrl, token }: GatewayAccess): string {
  return createHash('sha256').update(`${baseUrl}\n${token}`).digest('hex');
}

export interface ChannelCheck {
  id: string;
  agentId: string;
  trigger: ChannelTrigger;
  baseUrl?: string | undefined;
  instanceToken?: string | undefined;
  /** True if the check may move the number from other agents to this one. */
  takeOver?: boolean | undefined;
}

const checkPlace = (channel: ChannelRow, checkId: string): SecretPlace => ({
  organizationId: channel.organization_id,
  table: 'channel_checks',
  rowId: checkId,
  column: 'instance_token',
});

/**
 * Stores a request for a check. Encrypts its token, if it has one.
 * @param actor the actor of the audit event that `finishCheck` writes
 */
export async function recordCheck(
  db: Database,
  encryption: Encryption,
  channel: ChannelRow,
  check: ChannelCheck,
  actor: Actor,
): Promise<void> {
  await db.knex('channel_checks').insert({
    id: check.id,
    agent_id: check.agentId,
    trigger: check.trigger,
    base_url: check.baseUrl ?? null,
    take_over: check.takeOver === true,
    requested_by: JSON.stringify(actorOf(actor)),
    instance_token:
      check.instanceToken === undefined
        ? null
        : encryption.seal(check.instanceToken, checkPlace(channel, check.id)),
  });
}

/**
 * Determines the gateway's URL and the token that a check uses. Each is the check's own or, if the check has none, the
 * channel's.
 * @returns undefined if either is missing, or if the check has no token and its URL differs from the channel's, because
 * the stored token must not be sent to another URL
 * @throws Error if this process does not have the key that encrypted a token
 */
export function accessOfCheck(
  encryption: Encryption,
  channel: ChannelRow,
  check: Pick<CheckRow, 'id' | 'base_url' | 'instance_token'>,
): GatewayAccess | undefined {
  const present = openAccess(encryption, channel);
  const token =
    check.instance_token === null
      ? present?.token
      : encryption.open(check.instance_token, checkPlace(channel, check.id));
  const baseUrl = check.base_url ?? present?.baseUrl;
  const belongs = check.instance_token !== null || baseUrl === present?.baseUrl;
  return baseUrl === undefined || token === undefined || !belongs
    ? undefined
    : { baseUrl, token, organizationId: channel.organization_id };
}

const claim = statement('claim-channel-check', checkRow)`
  update channel_checks set claimed_at = clock_timestamp() where id = $1 and finished_at is null returning *`;
const outcomeOf = statement('channel-check-outcome', checkRow.pick({ outcome: true }))`
  select outcome from channel_checks where id = $1`;

/**
 * Claims a check, so that it can no longer be withdrawn. A repeated attempt can claim it again.
 * @returns the check, or its outcome if it has ended; the outcome is `withdrawn` if the check was deleted
 */
export async function claimCheck(
  db: Database,
  id: string,
): Promise<{ check: CheckRow } | { outcome: CheckOutcome }> {
  const check = await queryRow(db, claim, [id]);
  return check === undefined ? { outcome: await findCheckOutcome(db, id) } : { check };
}

/** @returns the check's outcome; `withdrawn` if the check has no outcome yet or was deleted */
export async function findCheckOutcome(db: Database, id: string): Promise<CheckOutcome> {
  const row = await queryRow(db, outcomeOf, [id]);
  return row?.outcome ?? { result: 'withdrawn' };
}

/** Withdraws a check that was not claimed. @returns false if the check was claimed, has ended or does not exist */
export const withdrawCheck = statement('withdraw-channel-check').hasRow<[id: string]>`
  update channel_checks set outcome = '{"result":"withdrawn"}', instance_token = null, finished_at = clock_timestamp()
    where id = $1 and finished_at is null and claimed_at is null returning id`;

export interface ChannelChange {
  state: ChannelState;
  /** URL and token that the gateway accepted; undefined keeps the stored ones. */
  access: GatewayAccess | undefined;
  number: string | null | undefined;
  /** Undefined keeps the stored error; null clears it. */
  error: ChannelError | null | undefined;
  live: { status: string; reason: string | null; connected: boolean } | undefined;
  webhook: 'right' | 'wrong' | 'unread' | undefined;
}

/** The audit action of each kind of check. A verification is recorded only if it changes the channel's state. */
const auditActions: Partial<Record<ChannelTrigger, AuditAction>> = {
  connect: 'channel_connected',
  verify: 'channel_verified',
  edit: 'channel_edited',
  disconnect: 'channel_disconnected',
};

/**
 * Locks the numbers of the check's organization until the transaction ends, so that two checks cannot give one number
 * to two agents.
 */
const lockNumbers = statement('lock-channel-numbers')`
  select pg_advisory_xact_lock(hashtextextended('channel numbers ' || h.organization_id, 0))
    from channel_checks c join channels h on h.agent_id = c.agent_id where c.id = $1`;

/**
 * Records a check's outcome and the changes of the channel in one transaction. If other agents use the number or the
 * gateway instance and the check may take it over, also deactivates their channels (see `moveNumber`). If the outcome
 * is `done` or `not_connected`, also records the audit event of `auditActions`. Idempotent: a repeated call changes
 * nothing and returns the recorded outcome.
 * @param decide returns the changes of the channel; undefined if the channel does not allow the check
 * @returns the recorded outcome: `invalid_state` instead of `outcome` if there is no channel or `decide` returns
 * undefined; `number_in_use`, without any change of the channel, if other agents use the number or the gateway instance
 * and the check may not take it over; `withdrawn` if the check was deleted
 */
export async function finishCheck(
  db: Database,
  encryption: Encryption,
  checkId: string,
  outcome: CheckOutcome,
  decide: (channel: ChannelRow) => ChannelChange | undefined,
): Promise<CheckOutcome> {
  return await inTransaction(db, async (tx) => {
    await queryRows(tx, lockNumbers, [checkId]);
    const check = await rowOf(checkRow, tx.knex('channel_checks').where({ id: checkId }).forUpdate().first());
    if (check === undefined) return { result: 'withdrawn' };
    if (check.outcome !== null) return check.outcome;
    const channel = await rowOf(
      channelRow,
      tx.knex('channels').where({ agent_id: check.agent_id }).forUpdate().first(),
    );
    const change = channel && decide(channel);
    const others = channel && change ? await findNumberHolders(tx, channel, change) : [];
    const isInUse = others.length > 0 && !check.take_over;
    const result: CheckOutcome =
      change === undefined
        ? { result: 'invalid_state' }
        : isInUse
          ? { result: 'number_in_use', agents: others.map(({ agent_name }) => agent_name) }
          : outcome;
    if (channel && change && !isInUse) {
      const actor = { ...check.requested_by, organizationId: channel.organization_id };
      await moveNumber(tx, channel, others, actor);
      await tx
        .knex('channels')
        .where({ agent_id: channel.agent_id })
        .update({ ...changedColumns(encryption, channel, change), updated_at: tx.knex.fn.now() });
      const action = auditActions[check.trigger];
      const done = outcome.result === 'done' || outcome.result === 'not_connected';
      if (action !== undefined && done && (check.trigger !== 'verify' || change.state !== channel.state))
        await recordAudit(tx, actor, action, channel.agent_id);
    }
    await tx
      .knex('channel_checks')
      .where({ id: checkId })
      .update({ outcome: JSON.stringify(result), instance_token: null, finished_at: tx.knex.fn.now() });
    return result;
  });
}

/**
 * @returns the other agents that use the same number or gateway instance, if this change stores credentials or connects
 * the channel; none for other changes
 */
async function findNumberHolders(
  tx: Transaction,
  channel: ChannelRow,
  { state, access, number }: ChannelChange,
): Promise<SharingAgent[]> {
  const connects = state === 'connected' && channel.state !== 'connected';
  if (access === undefined && !connects) return [];
  const key = access ? instanceKey(access) : channel.instance_key;
  return await findSharing(tx, {
    state,
    organization_id: channel.organization_id,
    agent_id: channel.agent_id,
    instance_key: key,
    connected_number: number ?? null,
  });
}

function changedColumns(
  encryption: Encryption,
  channel: ChannelRow,
  { state, access, number, error, live, webhook }: ChannelChange,
): Record<string, unknown> {
  const connected = state === 'connected';
  // With new credentials, an earlier finding about the webhook does not apply, because it may be about another
  // instance.
  const wrongSince = access ? null : channel.webhook_wrong_since;
  return {
    state,
    ...(error !== undefined && { last_error: error === null ? null : JSON.stringify(error) }),
    ...(number !== undefined && { connected_number: connected ? number : null }),
    ...(access && {
      base_url: access.baseUrl,
      instance_token: encryption.seal(access.token, place(channel, 'instance_token')),
      instance_key: instanceKey(access),
      credentials_refused_at: null,
    }),
    ...((webhook !== undefined || access !== undefined || !connected) && {
      webhook_state: webhook ?? null,
      webhook_wrong_since: wrongSinceAfter(webhook, wrongSince),
    }),
    ...(live && {
      live_status: live.status,
      live_reason: live.reason,
      live_checked_at: new Date(),
      down_since: live.connected ? null : (channel.down_since ?? new Date()),
      ...(live.connected && { alerted_at: null }),
    }),
    next_check_at: connected ? new Date() : null,
  };
}

/**
 * @param before since when the webhook was wrong before the check; null: it was not
 * @returns since when it has been wrong; null if it is right or was not checked; `before` if it could not be read
 */
function wrongSinceAfter(webhook: ChannelChange['webhook'], before: Date | null): Date | null {
  if (webhook === 'unread') return before;
  return webhook === 'wrong' ? (before ?? new Date()) : null;
}

/** Changes only the given settings. Does nothing for an agent without a channel. */
export async function changeChannelSettings(
  db: Database,
  agentId: string,
  settings: Partial<Omit<z.infer<typeof channelEditForm>, 'base_url' | 'instance_token'>>,
): Promise<void> {
  if (Object.keys(settings).length === 0) return;
  await db.knex('channels').where({ agent_id: agentId }).update(settings);
}

const sharingAgent = z.object({ agent_id: z.string(), agent_name: z.string() });
export type SharingAgent = z.infer<typeof sharingAgent>;

const sharing = statement('channels-of-one-number', sharingAgent)`
  select h.agent_id, a.name as agent_name from channels h join agents a on a.id = h.agent_id
    where h.organization_id = $1 and h.agent_id <> $2 and a.deleted_at is null
      and h.state in ('connected', 'awaiting_webhook') and (h.instance_key = $3 or h.connected_number = $4)
    order by h.agent_id limit 20`;

/**
 * Finds other agents of the organization whose channel uses the same gateway instance or number, and is connected or
 * awaits its webhook.
 * @returns at most 20 agents; none if this channel itself is neither connected nor awaits its webhook
 */
export async function findSharing(
  db: Database,
  row: Pick<ChannelRow, 'state' | 'organization_id' | 'agent_id' | 'instance_key' | 'connected_number'>,
): Promise<SharingAgent[]> {
  if (row.state !== 'connected' && row.state !== 'awaiting_webhook') return [];
  const { organization_id, agent_id, instance_key, connected_number } = row;
  return await queryRows(db, sharing, [organization_id, agent_id, instance_key, connected_number]);
}

const moved = statement('move-number')`
  update channels set state = 'inactive', connected_number = null, next_check_at = null, webhook_state = null,
      last_error = $3, updated_at = clock_timestamp()
    where organization_id = $1 and agent_id = any($2::uuid[]) and state in ('connected', 'awaiting_webhook')`;
const nameOfAgent = statement('name-of-agent', z.object({ name: z.string() }))`
  select name from agents where id = $1`;
/**
 * Deactivates those channels of the agents `from` that are connected or await their webhook, because another agent
 * takes over their number. Does not disconnect the gateway's session, because the other agent uses it. Writes an audit
 * event for each agent of `from`. Does nothing if `from` is empty.
 * @param row the channel of the other agent
 */
export async function moveNumber(
  tx: Transaction,
  row: Pick<ChannelRow, 'organization_id' | 'agent_id'>,
  from: readonly SharingAgent[],
  actor: OrganizationActor,
): Promise<void> {
  if (from.length === 0) return;
  const agent = await queryRow(tx, nameOfAgent, [row.agent_id]);
  const error: ChannelError = {
    code: 'number_moved',
    message: `The number was moved to the agent ${agent?.name ?? ''}.`,
    at: new Date().toISOString(),
  };
  const ids = from.map(({ agent_id }) => agent_id);
  await queryRows(tx, moved, [row.organization_id, ids, JSON.stringify(error)]);
  for (const id of ids) await recordAudit(tx, actor, 'channel_moved', `${id} to ${row.agent_id}`);
}

const reachedLimit = z.object({ limit: z.string(), messages: z.number(), last_at: z.date() });

/**
 * @returns for each limit that messages reached in the last 24 hours, the number of these messages and the time of the
 * newest. Counts only the channel's newest 1,000 messages that reached a limit.
 */
export const findLimited = statement('channel-limited', reachedLimit).rows<[agentId: string]>`
  select reason as limit, count(*)::int as messages, max(received_at) as last_at from (
    select reason, received_at from gateway_events where agent_id = $1
      and reason in ('contact_minute', 'channel_minute', 'contact_day', 'channel_day', 'loop')
      order by id desc limit 1000) e
    where received_at > clock_timestamp() - interval '1 day' group by reason order by reason`;
