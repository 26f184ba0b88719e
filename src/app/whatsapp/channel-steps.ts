/**
 * Implements the API's operations on WhatsApp channels. To connect, verify, edit or disconnect a channel, records a
 * channel check, waits until a workflow has run it, and reads the result.
 */
import {
  recordAudit,
  type Actor,
  type OrganizationActor,
} from '../../adapters/postgres/accounts/audit-log.ts';
import { inTransaction } from '../../adapters/postgres/database.ts';
import { v7 as newId } from 'uuid';
import { claimCheck, recordWebhookSeen } from '../../adapters/postgres/whatsapp/channel-watch.ts';
import type { ChannelWorkflows } from '../../adapters/temporal/channel-workflows.ts';
import {
  ensureChannel,
  findChannel,
  findCheckOutcome,
  findLimited,
  findSharing,
  moveNumber,
  openAccess,
  recordCheck,
  renewWebhookSecret,
  withdrawCheck,
  type ChannelCheck,
  type ChannelRow,
  type CheckOutcome,
} from '../../adapters/postgres/whatsapp/channels.ts';
import type { GatewayAccess } from '../../adapters/whatsapp/gateway-call.ts';
import type { Gateway } from '../../adapters/whatsapp/gateway.ts';
import { checkChannelHealth, webhookUrlOf, type LookParts } from './check-health.ts';
import type { Channel } from '../../contract/whatsapp/channel.ts';
import { invalidField, PublicError } from '../../contract/errors.ts';
import { numberInUse } from '../../domain/whatsapp/channel-check.ts';
import { webhookProblem } from '../../domain/whatsapp/channel-health.ts';
import { allowsTrigger } from '../../domain/whatsapp/channel-state.ts';
import { findWebhook, type ReportedWebhook } from '../../domain/whatsapp/webhook-settings.ts';
import { channelView } from './channel-view.ts';

const retryAfterSeconds = 5;
/** Minimum milliseconds between two checks of one channel that callers of the API request. Chosen. */
const checkEveryMs = 5000;
/** Milliseconds from a check in this process to the next check of the channel by a worker. Chosen. */
const nextCheckMs = 30_000;

interface Parts extends LookParts {
  readonly workflows: ChannelWorkflows;
}

export class ChannelSteps {
  readonly #parts: Parts;
  readonly gateway: Gateway;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.gateway = parts.gateway;
  }

  /** Returns the channel of an agent; undefined if it has none. */
  async find(agentId: string): Promise<ChannelRow | undefined> {
    return await findChannel(this.#parts.db, agentId);
  }

  /** Returns the channel of an agent, and creates it if there is none. */
  async ensure(agent: { id: string; organizationId: string }): Promise<ChannelRow> {
    return await ensureChannel(this.#parts.db, this.#parts.encryption, agent);
  }

  /** Returns the URL to enter at the gateway. It contains the channel's webhook secret, decrypted. */
  webhookUrl(row: ChannelRow): string {
    return webhookUrlOf(this.#parts, row);
  }

  /**
   * Decrypts the channel's gateway credentials.
   * @throws PublicError invalid_state if the channel has none; Error if they cannot be decrypted
   */
  access(row: ChannelRow): GatewayAccess {
    const access = openAccess(this.#parts.encryption, row);
    if (access === undefined) throw new PublicError('invalid_state');
    return access;
  }

  /**
   * Validates and normalizes a gateway's base URL, without resolving its host.
   * @returns the URL in the form that is stored
   * @throws PublicError validation_failed on base_url if the URL is not allowed
   */
  baseUrl(text: string): string {
    const read = this.gateway.baseUrl(text);
    if ('problem' in read) throw invalidField('base_url', read.problem);
    return read.url;
  }

  /** Returns the channel as the API shows it; the state `not_connected` if there is no row. */
  async view(row: ChannelRow | undefined): Promise<Channel> {
    if (row === undefined) return { state: 'not_connected' };
    const { db } = this.#parts;
    const [sharing, limited] = await Promise.all([findSharing(db, row), findLimited(db, row.agent_id)]);
    return channelView(row, this.webhookUrl(row), sharing, limited);
  }

  /**
   * Checks the channel's session and webhook at the gateway, unless this was requested within the last `checkEveryMs`
   * milliseconds.
   * @returns the channel with the result of the latest check
   * @throws PublicError invalid_state if the channel's state is not `connected`; Error if its credentials cannot be
   * decrypted
   */
  async check(row: ChannelRow): Promise<Channel> {
    if (row.state !== 'connected') throw new PublicError('invalid_state');
    const { db } = this.#parts;
    if (await claimCheck(db, row.agent_id, checkEveryMs)) await this.checkNow(row);
    return await this.view(await findChannel(db, row.agent_id));
  }

  /**
   * Renews the secret of the channel's webhook URL. The previous secret is accepted for another hour.
   * @returns the changed channel
   * @throws PublicError invalid_state if the last renewal is less than an hour old, or if the channel no longer exists
   */
  async renewWebhook(row: ChannelRow, actor: OrganizationActor): Promise<ChannelRow> {
    const { db, encryption } = this.#parts;
    return await inTransaction(db, async (tx) => {
      const renewed = await renewWebhookSecret(tx, encryption, row);
      if (renewed === undefined)
        throw new PublicError('invalid_state', {
          sentence:
            'The webhook URL was renewed within the last hour, and the previous one is still valid. Try again later.',
        });
      await recordAudit(tx, actor, 'webhook_renewed', row.agent_id);
      return renewed;
    });
  }

  /**
   * Checks the channel's session and webhook, however recent the last check is. The caller must limit how often it
   * calls this.
   * @throws Error if the channel's credentials cannot be decrypted
   */
  async checkNow(row: ChannelRow): Promise<void> {
    await checkChannelHealth(this.#parts, row, nextCheckMs);
  }

  /**
   * Records the webhooks that a connected channel's gateway has just reported, without requesting them again. Does
   * nothing if the channel is not connected.
   */
  async sawWebhooks(row: ChannelRow, webhooks: readonly ReportedWebhook[]): Promise<void> {
    if (row.state !== 'connected') return;
    const webhook = findWebhook(this.webhookUrl(row), webhooks);
    await recordWebhookSeen(this.#parts.db, row, webhookProblem(webhook, new Date().toISOString()));
  }

  /**
   * Moves the number to this channel: up to 20 channels of the organization's other agents that use the same number or
   * gateway instance become inactive (see `findSharing`). The session at the gateway remains connected. Does nothing if
   * there are no such channels.
   * @returns this channel
   * @throws PublicError invalid_state if this channel is neither connected nor awaiting its webhook
   */
  async moveHere(row: ChannelRow | undefined, actor: OrganizationActor): Promise<Channel> {
    if (row?.state !== 'connected' && row?.state !== 'awaiting_webhook')
      throw new PublicError('invalid_state');
    const { db } = this.#parts;
    const from = await findSharing(db, row);
    await inTransaction(db, (tx) => moveNumber(tx, row, from, actor));
    return await this.view(row);
  }

  /**
   * Runs one channel check: connect, verify, edit or disconnect.
   * @param step the check without its ids. Its base URL, if any, must come from `baseUrl()`.
   * @param actor the actor of the audit event, which the worker records together with the change
   * @returns the channel after the check, even if its WhatsApp session is not connected
   * @throws PublicError invalid_state if the channel's state does not allow the check; validation_failed on base_url
   * if the gateway's address is not allowed; number_in_use if other agents use the number or the gateway instance, and
   * the check may not take it over; invalid_credentials if the gateway refused the token; gateway_unreachable if the
   * gateway gave no usable answer; unavailable if the check could not be started or did not end in time
   */
  async take(row: ChannelRow, step: Omit<ChannelCheck, 'id' | 'agentId'>, actor: Actor): Promise<Channel> {
    const { db, encryption, workflows } = this.#parts;
    if (!allowsTrigger(row.state, step.trigger)) throw new PublicError('invalid_state');
    const check: ChannelCheck = { ...step, id: newId(), agentId: row.agent_id };
    await recordCheck(db, encryption, row, check, actor);
    try {
      await workflows.check({ agentId: row.agent_id, organizationId: row.organization_id }, check.id);
    } catch (cause) {
      // A check that no worker has started is withdrawn, so that it cannot run after the caller received an error. If
      // a worker has started the check, its result is read below; `unavailable` is thrown if it has none yet.
      if (await withdrawCheck(db, check.id))
        throw new PublicError('unavailable', { retryAfterSeconds, cause });
    }
    throwUnlessDone(await findCheckOutcome(db, check.id));
    return await this.view(await findChannel(db, row.agent_id));
  }
}

/**
 * Returns if the check is done, or found that the WhatsApp session is not connected.
 * @throws PublicError for any other outcome, with a code for this outcome
 */
function throwUnlessDone(outcome: CheckOutcome): void {
  switch (outcome.result) {
    case 'done':
    case 'not_connected':
      return;
    case 'invalid_credentials':
      throw new PublicError('invalid_credentials', { sentence: 'The gateway refused the instance token.' });
    case 'gateway_unreachable':
      throw new PublicError('gateway_unreachable', { sentence: outcome.message });
    case 'blocked':
      throw invalidField('base_url', 'is an address that is not allowed');
    case 'number_in_use':
      throw new PublicError('number_in_use', { sentence: numberInUse(outcome.agents) });
    case 'invalid_state':
      throw new PublicError('invalid_state');
    case 'withdrawn':
      throw new PublicError('unavailable', { retryAfterSeconds });
  }
}
