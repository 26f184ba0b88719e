/** Checks the session and the webhook of a connected channel at the gateway, and records the result. */
import { channelProblem } from '../../domain/whatsapp/channel-health.ts';
import { findWebhook, type WebhookFinding } from '../../domain/whatsapp/webhook-settings.ts';
import { findAgent } from '../../adapters/postgres/conversations/agents.ts';
import { recordRefusedCredentials, recordSeen } from '../../adapters/postgres/whatsapp/channel-watch.ts';
import {
  instanceKey,
  openAccess,
  openWebhookSecret,
  type ChannelRow,
} from '../../adapters/postgres/whatsapp/channels.ts';
import { uuidForm } from '../../adapters/postgres/cursor.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import type { Encryption } from '../../adapters/secrets/encryption.ts';
import type { GatewayAccess } from '../../adapters/whatsapp/gateway-call.ts';
import type { Gateway, StatusOutcome } from '../../adapters/whatsapp/gateway.ts';

export interface LookParts {
  readonly db: Database;
  readonly encryption: Encryption;
  readonly gateway: Gateway;
  /** The API's public address, to which the gateway posts events: PUBLIC_URL, or by default HOST and PORT. */
  readonly origin: string;
}

/**
 * Returns the URL to which the gateway must post a channel's events. It contains the channel's webhook secret.
 * @throws Error if the secret cannot be decrypted
 */
export function webhookUrlOf(
  { encryption, origin }: Omit<LookParts, 'db' | 'gateway'>,
  row: ChannelRow,
): string {
  return `${origin}/v1/webhooks/gateway/${row.agent_id}/${openWebhookSecret(encryption, row)}`;
}

/**
 * Reads the status of the session and, if the session is connected, the webhook.
 * @returns the outcome of the status request, and the state of the webhook. `unread`: the status or the webhook could
 * not be read, or the session is not connected. `wrong`: with the webhook's settings, customers' messages do not reach
 * this channel. If the webhook's URL belongs to an agent of the organization, `why` names that agent.
 */
export async function askGateway(
  parts: LookParts,
  row: ChannelRow,
  access: GatewayAccess,
): Promise<{ status: StatusOutcome; webhook: WebhookFinding }> {
  const { gateway, db } = parts;
  const status = await gateway.status(access);
  if (status.outcome !== 'ok' || !status.connected) return { status, webhook: { state: 'unread' } };
  const read = await gateway.readWebhook(access, { quickly: true });
  if (read.outcome !== 'ok') return { status, webhook: { state: 'unread' } };
  const webhook = findWebhook(webhookUrlOf(parts, row), read.webhooks);
  if (webhook.state === 'right' || !uuidForm.test(webhook.leadsTo ?? '')) return { status, webhook };
  const agent = await findAgent(db, row.organization_id, webhook.leadsTo ?? '');
  const why = agent && `the gateway's webhook leads to the agent "${agent.name}"`;
  return { status, webhook: { ...webhook, ...(why !== undefined && { why }) } };
}

/**
 * Checks one channel and records the result. Does nothing if the channel has no credentials.
 * @param nextCheckMs milliseconds until the channel's next check. If the gateway refuses the credentials, workers no
 * longer check the channel until a user edits or checks it and the gateway accepts its token.
 * @throws Error if the credentials cannot be decrypted
 */
export async function checkChannelHealth(
  parts: LookParts,
  row: ChannelRow,
  nextCheckMs: number,
): Promise<void> {
  const { db, encryption } = parts;
  const access = openAccess(encryption, row);
  if (access === undefined) return;
  const { status, webhook } = await askGateway(parts, row, access);
  if (status.outcome === 'invalid_credentials') {
    await recordRefusedCredentials(db, row);
    return;
  }
  const {
    connected_number: connectedNumber,
    last_inbound_at: inbound,
    webhook_wrong_since: wrongSince,
  } = row;
  const arrives = wrongSince !== null && inbound !== null && inbound > wrongSince;
  const at = new Date().toISOString();
  await recordSeen(db, row, {
    status: status.outcome === 'ok' ? status.status : status.outcome,
    reason: status.outcome === 'ok' ? status.lastDisconnectReason : null,
    error: channelProblem({ status, webhook, connectedNumber, arrives }, at),
    number: status.outcome === 'ok' ? status.number : null,
    live: status.outcome === 'ok' && status.connected,
    answered: status.outcome === 'ok',
    webhook: webhook.state,
    instanceKey: instanceKey(access),
    nextCheckMs,
  });
}
