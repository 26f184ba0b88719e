/** Channels, their credentials (sealed), and the steps of their connection. */
import { createHash, randomBytes } from 'node:crypto';
import type { ChannelError, ChannelState } from '../../contract/channel.ts';
import type { ChannelTrigger } from '../../domain/channel-state.ts';
import type { Encryption, SecretPlace } from '../encryption.ts';
import type { GatewayAccess } from '../gateway-call.ts';
import { queryRows, type Database, type Statement } from './database.ts';

export interface ChannelRow {
  agent_id: string;
  organization_id: string;
  state: ChannelState;
  base_url: string | null;
  instance_token: string | null;
  webhook_secret: string;
  webhook_secret_hash: Buffer;
  connected_number: string | null;
  last_error: ChannelError | null;
  pause_minutes: number;
  alert_url: string | null;
  alert_after_minutes: number;
  live_status: string | null;
  live_reason: string | null;
  live_checked_at: Date | null;
  down_since: Date | null;
  credentials_refused_at: Date | null;
  timelocked_until: Date | null;
  last_inbound_at: Date | null;
  updated_at: Date;
}

const find: Statement = { name: 'find-channel', text: 'select * from channels where agent_id = $1' };
export async function findChannel(db: Database, agentId: string): Promise<ChannelRow | undefined> {
  const [row] = await queryRows<ChannelRow>(db, find, [agentId]);
  return row;
}

const place = (row: { organization_id: string; agent_id: string }, column: string): SecretPlace => ({
  organizationId: row.organization_id,
  table: 'channels',
  rowId: row.agent_id,
  column,
});

export function hashWebhookSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** The row with the URL's secret, made once for the agent's life; the state is untouched where it is there already. */
export async function ensureChannel(
  db: Database,
  encryption: Encryption,
  agent: { id: string; organizationId: string },
): Promise<ChannelRow> {
  const secret = randomBytes(32).toString('base64url');
  const row = { organization_id: agent.organizationId, agent_id: agent.id };
  await db
    .knex('channels')
    .insert({
      ...row,
      webhook_secret: encryption.seal(secret, place(row, 'webhook_secret')),
      webhook_secret_hash: hashWebhookSecret(secret),
    })
    .onConflict('agent_id')
    .ignore();
  const found = await findChannel(db, agent.id);
  if (found === undefined) throw new Error('The channel that was just made is not there.');
  return found;
}

export function openWebhookSecret(encryption: Encryption, row: ChannelRow): string {
  return encryption.open(row.webhook_secret, place(row, 'webhook_secret'));
}

/** @returns undefined before the first connection */
export function openAccess(encryption: Encryption, row: ChannelRow): GatewayAccess | undefined {
  if (row.base_url === null || row.instance_token === null) return undefined;
  return { baseUrl: row.base_url, token: encryption.open(row.instance_token, place(row, 'instance_token')) };
}

export interface ChannelCheck {
  id: string;
  agentId: string;
  trigger: ChannelTrigger;
  baseUrl?: string | undefined;
  instanceToken?: string | undefined;
}

interface CheckRow {
  id: string;
  agent_id: string;
  trigger: ChannelTrigger;
  base_url: string | null;
  instance_token: string | null;
  outcome: CheckOutcome | null;
}

/** What a step of the connection came to. */
export type CheckOutcome =
  | { result: 'done' }
  | { result: 'not_connected'; message: string }
  | { result: 'invalid_credentials' }
  | { result: 'gateway_unreachable'; message: string }
  | { result: 'blocked' }
  | { result: 'invalid_state' }
  | { result: 'withdrawn' };

const checkPlace = (channel: ChannelRow, checkId: string): SecretPlace => ({
  organizationId: channel.organization_id,
  table: 'channel_checks',
  rowId: checkId,
  column: 'instance_token',
});

export async function recordCheck(
  db: Database,
  encryption: Encryption,
  channel: ChannelRow,
  check: ChannelCheck,
): Promise<void> {
  await db.knex('channel_checks').insert({
    id: check.id,
    agent_id: check.agentId,
    trigger: check.trigger,
    base_url: check.baseUrl ?? null,
    instance_token:
      check.instanceToken === undefined
        ? null
        : encryption.seal(check.instanceToken, checkPlace(channel, check.id)),
  });
}

/** The access that a check tries: the new values, where given, over those in place. */
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
  return baseUrl === undefined || token === undefined ? undefined : { baseUrl, token };
}

const claim: Statement = {
  name: 'claim-channel-check',
  text: `update channel_checks set claimed_at = clock_timestamp() where id = $1 and finished_at is null returning *`,
};
const outcomeOf: Statement = {
  name: 'channel-check-outcome',
  text: 'select outcome from channel_checks where id = $1',
};

/** @returns the check to do, or the outcome that it has; a check that is gone counts as withdrawn */
export async function claimCheck(
  db: Database,
  id: string,
): Promise<{ check: CheckRow } | { outcome: CheckOutcome }> {
  const [check] = await queryRows<CheckRow>(db, claim, [id]);
  return check === undefined ? { outcome: await findCheckOutcome(db, id) } : { check };
}

export async function findCheckOutcome(db: Database, id: string): Promise<CheckOutcome> {
  const [row] = await queryRows<{ outcome: CheckOutcome | null }>(db, outcomeOf, [id]);
  return row?.outcome ?? { result: 'withdrawn' };
}

const withdraw: Statement = {
  name: 'withdraw-channel-check',
  text: `update channel_checks set outcome = '{"result":"withdrawn"}', instance_token = null, finished_at = clock_timestamp()
           where id = $1 and finished_at is null and claimed_at is null returning id`,
};
/** @returns true when nothing of it will happen any more */
export async function withdrawCheck(db: Database, id: string): Promise<boolean> {
  return (await queryRows(db, withdraw, [id])).length === 1;
}

export interface ChannelChange {
  state: ChannelState;
  /** Kept only where the gateway took them. */
  access: GatewayAccess | undefined;
  number: string | null | undefined;
  error: ChannelError | null;
  live: { status: string; reason: string | null } | undefined;
}

/** The check's outcome and what it changes, in one transaction; a second writer of a check changes nothing. */
export async function finishCheck(
  db: Database,
  encryption: Encryption,
  checkId: string,
  outcome: CheckOutcome,
  decide: (channel: ChannelRow) => ChannelChange | undefined,
): Promise<CheckOutcome> {
  return await db.knex.transaction(async (transaction) => {
    const check = await transaction<{ id: string; agent_id: string; outcome: CheckOutcome | null }>(
      'channel_checks',
    )
      .where({ id: checkId })
      .forUpdate()
      .first();
    if (check === undefined) return { result: 'withdrawn' };
    if (check.outcome !== null) return check.outcome;
    const channel = await transaction<ChannelRow>('channels')
      .where({ agent_id: check.agent_id })
      .forUpdate()
      .first();
    const change = channel && decide(channel);
    const result: CheckOutcome = change === undefined ? { result: 'invalid_state' } : outcome;
    if (channel && change) {
      await transaction('channels')
        .where({ agent_id: channel.agent_id })
        .update({ ...changedColumns(encryption, channel, change), updated_at: transaction.fn.now() });
    }
    await transaction('channel_checks')
      .where({ id: checkId })
      .update({ outcome: JSON.stringify(result), instance_token: null, finished_at: transaction.fn.now() });
    return result;
  });
}

function changedColumns(
  encryption: Encryption,
  channel: ChannelRow,
  { state, access, number, error, live }: ChannelChange,
): Record<string, unknown> {
  const connected = state === 'connected';
  return {
    state,
    last_error: error === null ? null : JSON.stringify(error),
    ...(number !== undefined && { connected_number: connected ? number : null }),
    ...(access && {
      base_url: access.baseUrl,
      instance_token: encryption.seal(access.token, place(channel, 'instance_token')),
      credentials_refused_at: null,
    }),
    ...(live && {
      live_status: live.status,
      live_reason: live.reason,
      live_checked_at: new Date(),
      down_since: null,
      alerted_at: null,
    }),
    next_check_at: connected ? new Date() : null,
  };
}

export async function changeChannelSettings(
  db: Database,
  agentId: string,
  settings: {
    pause_minutes?: number | undefined;
    alert_url?: string | null | undefined;
    alert_after_minutes?: number | undefined;
  },
): Promise<void> {
  if (Object.keys(settings).length === 0) return;
  await db.knex('channels').where({ agent_id: agentId }).update(settings);
}
