/** Registers webhook endpoints, rotates their secrets, sends test callbacks, and sends callbacks again. */
import { recordAudit, type OrganizationActor } from '../../adapters/postgres/accounts/audit-log.ts';
import type { PublicHttp } from '../../adapters/http/public-http.ts';
import {
  allowLoopbackReceiver,
  forbidLoopbackReceiver,
  listLoopbackReceivers,
} from '../../adapters/postgres/conversations/loopback-receivers.ts';
import { resendDelivery } from '../../adapters/postgres/conversations/resend-delivery.ts';
import {
  deleteWebhookEndpoint,
  insertWebhookEndpoint,
  listWebhookEndpoints,
  lockWebhookEndpoint,
  replaceSigningSecret,
  setWaitingAlerts,
  signingSecretPlace,
  withdrawWaitingAlerts,
  type WebhookEndpointRow,
} from '../../adapters/postgres/conversations/webhook-endpoints.ts';
import { inTransaction, type Database } from '../../adapters/postgres/database.ts';
import type { Encryption } from '../../adapters/secrets/encryption.ts';
import { newSigningSecret } from '../../adapters/secrets/webhook-signature.ts';
import { invalidField, orNotFound, PublicError } from '../../contract/errors.ts';
import { changeText } from '../../domain/accounts/change-text.ts';
import {
  maxLoopbackReceivers,
  maxResends,
  maxWebhookEndpoints,
  type CreatedWebhookEndpoint,
  type LoopbackReceivers,
  type ResentDelivery,
  type TestCallback,
  type WebhookEndpoint,
} from '../../contract/conversations/webhook-endpoints.ts';
import { loopbackHost } from '../../domain/http/address-rules.ts';
import { Limiter } from '../../limits/limiter.ts';
import { endpointOf, endpointUrl } from '../../domain/conversations/callback.ts';
import type { ConversationStarter } from './accept-input.ts';
import { openSigningSecrets } from './signing-secrets.ts';
import { sendTestCallback } from './test-callback.ts';

export interface WebhookParts {
  db: Database;
  encryption: Encryption;
  conversations: Pick<ConversationStarter, 'nudge'>;
  http: Pick<PublicHttp, 'prepare' | 'send'>;
  callbackTimeoutMs: number;
  testRate: { demand(key: string, units?: number, sentence?: string): Promise<void> };
  /** True in local mode: only then can an organization allow receivers on this machine. */
  offersLoopback: boolean;
}

export type Webhooks = ReturnType<typeof createWebhooks>;

export function createWebhooks(parts: WebhookParts) {
  const { db, encryption, conversations, http, callbackTimeoutMs, testRate, offersLoopback } = parts;
  /**
   * Limits how many test callbacks this process sends at once, in total and per organization, because a receiver that
   * does not answer occupies a slot for the whole timeout. Chosen.
   */
  const tests = new Limiter({ max: 20, maxPerOwner: 2 });
  return { list, add, change, rotate, remove, resend, test, loopback, allowLoopback, forbidLoopback };

  /** @returns the organization's endpoints, ordered by URL */
  async function list(organizationId: string): Promise<WebhookEndpoint[]> {
    return (await listWebhookEndpoints(db, organizationId)).map(shown);
  }

  /**
   * Registers an endpoint: from now on, callbacks to its URL and to URLs below it are signed.
   * @returns the endpoint with its secret, which no later response contains
   * @throws PublicError validation_failed on `url` if the URL is invalid or the organization has too many endpoints;
   * conflict if the endpoint exists
   */
  async function add(actor: OrganizationActor, text: string): Promise<CreatedWebhookEndpoint> {
    const { organizationId } = actor;
    const url = endpointUrl(text);
    if (url === undefined)
      throw invalidField('url', 'must be an http or https URL without credentials, query and fragment');
    const secret = newSigningSecret();
    const row = await inTransaction(db, async (tx) => {
      const added = await insertWebhookEndpoint(tx, organizationId, {
        url,
        max: maxWebhookEndpoints,
        seal: (place) => encryption.seal(secret, place),
      });
      if (added === undefined) {
        throw invalidField(
          'url',
          `is one too many: an organization has at most ${maxWebhookEndpoints} endpoints`,
        );
      }
      await recordAudit(tx, actor, 'webhook_endpoint_added', url);
      return added;
    });
    return { ...shown(row), secret };
  }

  /**
   * Sets whether an endpoint also gets alerts about conversations that wait for a person. Idempotent, apart from the
   * audit event.
   * @throws PublicError not_found
   */
  async function change(
    actor: OrganizationActor,
    id: string,
    { waiting_alerts }: { waiting_alerts: boolean },
  ): Promise<WebhookEndpoint> {
    return await inTransaction(db, async (tx) => {
      const row = orNotFound(await setWaitingAlerts(tx, actor.organizationId, id, waiting_alerts));
      if (!waiting_alerts) await withdrawWaitingAlerts(tx, actor.organizationId, row.url);
      const onOff = (isOn: boolean) => (isOn ? 'on' : 'off');
      const change = changeText(onOff(row.were_on), onOff(waiting_alerts));
      const target = `${row.url}: alerts about waiting conversations: ${change}`;
      await recordAudit(tx, actor, 'webhook_endpoint_changed', target);
      return shown(row);
    });
  }

  /**
   * Gives an endpoint a new secret. Each call creates another one.
   * @param overlapSeconds seconds for which callbacks are also signed with the previous secret, if it can be decrypted
   * @returns the endpoint with its new secret, which no later response contains
   * @throws PublicError not_found
   */
  async function rotate(
    actor: OrganizationActor,
    id: string,
    overlapSeconds: number,
  ): Promise<CreatedWebhookEndpoint> {
    const secret = newSigningSecret();
    const row = await inTransaction(db, async (tx) => {
      const found = orNotFound(await lockWebhookEndpoint(tx, actor.organizationId, id));
      const present = openSigningSecrets(encryption, { ...found, previous_secret: null });
      const [old] = present === 'unreadable' || overlapSeconds === 0 ? [] : present;
      const sealed = {
        secret: encryption.seal(secret, signingSecretPlace(found, 'secret')),
        previous:
          old === undefined ? null : encryption.seal(old, signingSecretPlace(found, 'previous_secret')),
      };
      const rotated = await replaceSigningSecret(tx, found, sealed, overlapSeconds);
      await recordAudit(tx, actor, 'webhook_secret_rotated', found.url);
      return rotated;
    });
    return { ...shown(row), secret };
  }

  /** Deletes an endpoint: callbacks to it are no longer signed. @throws PublicError not_found */
  async function remove(actor: OrganizationActor, id: string): Promise<void> {
    await inTransaction(db, async (tx) => {
      const removed = orNotFound(await deleteWebhookEndpoint(tx, actor.organizationId, id));
      await withdrawWaitingAlerts(tx, actor.organizationId, removed.url);
      await recordAudit(tx, actor, 'webhook_endpoint_removed', removed.url);
    });
  }

  /**
   * Sends a callback again, as a new delivery, which is also posted at most once. The first delivery does not change.
   * The conversation's workflow posts the new delivery; if the nudge to the workflow is lost, recovery finds the
   * delivery.
   * @returns the new delivery, still pending
   * @throws PublicError not_found; invalid_state if the delivery is not a callback, the callback or a resend of it has
   * not ended, it was already sent again `maxResends` times, or a regenerated answer has replaced the answer that it
   * reports
   */
  async function resend(actor: OrganizationActor, id: string): Promise<ResentDelivery> {
    const { organizationId } = actor;
    const written = await inTransaction(db, async (tx) => {
      const result = await resendDelivery(tx, organizationId, id, maxResends);
      if (result.outcome === 'accepted')
        await recordAudit(tx, actor, 'callback_resent', `${result.resend_of} as ${result.id}`);
      return result;
    });
    if (written.outcome === 'not_found') throw new PublicError('not_found');
    if (written.outcome !== 'accepted')
      throw new PublicError('invalid_state', { sentence: refusals[written.outcome] });
    const { conversation_id, agent_id: agentId, channel } = written;
    await conversations.nudge({ id: conversation_id, organizationId, agentId, channel });
    return { id: written.id, resend_of: written.resend_of, status: 'pending' };
  }

  /**
   * Sends one sample callback to a URL, signed if the URL belongs to an endpoint. Commits the audit event before it
   * sends the request. Each call sends another callback.
   * @returns the outcome, even if the callback was blocked or not delivered
   * @throws PublicError rate_limited if the organization has sent too many test callbacks, or too many are in
   * progress; invalid_state if a secret of the endpoint was lost or cannot be decrypted
   */
  async function test(actor: OrganizationActor, url: string): Promise<TestCallback> {
    const { organizationId } = actor;
    await testRate.demand(organizationId, 1, 'Too many test callbacks. Try again in a moment.');
    const sentence = 'Other test callbacks are in progress. Try again in a moment.';
    const sendOne = async () => {
      const endpoint = endpointOf(url, await listWebhookEndpoints(db, organizationId));
      const isOverlap = (endpoint?.previous_until?.getTime() ?? 0) > Date.now();
      const secrets =
        endpoint === undefined
          ? []
          : openSigningSecrets(encryption, isOverlap ? endpoint : { ...endpoint, previous_secret: null });
      if (secrets === 'unreadable') {
        throw new PublicError('invalid_state', {
          sentence: 'The signing secret of this endpoint was lost. Rotate it.',
        });
      }
      await inTransaction(db, (tx) => recordAudit(tx, actor, 'test_callback_sent', placeOf(url)));
      return await sendTestCallback({ http, timeoutMs: callbackTimeoutMs }, { url, organizationId, secrets });
    };
    return await tests.tryUse(organizationId, sendOne, () => new PublicError('rate_limited', { sentence }));
  }

  /**
   * Returns the receivers on this machine to which the organization allows callbacks; none outside of local mode.
   * @param url if it names this machine, the result contains its host and port as `host`
   */
  async function loopback(organizationId: string, url?: string): Promise<LoopbackReceivers> {
    const hosts = offersLoopback ? await listLoopbackReceivers(db, organizationId) : [];
    const host = url === undefined ? undefined : loopbackHost(url);
    return {
      offered: offersLoopback,
      ...(host !== undefined && { host }),
      data: hosts.map((one) => ({ host: one })),
    };
  }

  /**
   * Allows callbacks to a receiver on this machine. A repeated call only records another audit event.
   * @throws PublicError invalid_state outside of local mode; validation_failed if the URL does not name this machine,
   * or if the organization already allows the maximum number of other receivers
   */
  async function allowLoopback(actor: OrganizationActor, url: string): Promise<LoopbackReceivers> {
    const { organizationId } = actor;
    if (!offersLoopback) {
      throw new PublicError('invalid_state', {
        sentence: 'Receivers on this machine can be allowed in local mode only.',
      });
    }
    const host = loopbackHost(url);
    if (host === undefined)
      throw invalidField('url', 'must name this machine: localhost or a loopback address');
    await inTransaction(db, async (tx) => {
      if (!(await allowLoopbackReceiver(tx, organizationId, host, maxLoopbackReceivers)))
        throw invalidField('url', `is one too many: at most ${maxLoopbackReceivers} receivers are allowed`);
      await recordAudit(tx, actor, 'loopback_receiver_allowed', host);
    });
    return await loopback(organizationId);
  }

  /**
   * Withdraws the permission for callbacks to a receiver on this machine.
   * @throws PublicError not_found if the organization does not allow this receiver
   */
  async function forbidLoopback(actor: OrganizationActor, host: string): Promise<void> {
    await inTransaction(db, async (tx) => {
      if (!(await forbidLoopbackReceiver(tx, actor.organizationId, host))) throw new PublicError('not_found');
      await recordAudit(tx, actor, 'loopback_receiver_removed', host);
    });
  }
}

/** Returns only the origin of a URL for the audit event, because the path may contain a secret. */
function placeOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : 'an address that is not a URL';
}

const refusals = {
  not_a_callback: 'Only a callback can be sent again.',
  unfinished: 'This callback is still being sent. Wait for its outcome.',
  too_many: `This callback was sent again ${maxResends} times, which is the maximum. Read the message from the history.`,
  replaced: 'A regenerated answer has replaced this one, so it is not sent again.',
} as const;

function shown(row: WebhookEndpointRow): WebhookEndpoint {
  const { id, url, created_at, rotated_at, previous_until: until } = row;
  return {
    id,
    url,
    created_at: created_at.toISOString(),
    ...(rotated_at !== null && { rotated_at: rotated_at.toISOString() }),
    ...(until !== null && until.getTime() > Date.now() && { previous_until: until.toISOString() }),
    ...(row.waiting_alerts && { waiting_alerts: true as const }),
    ...(row.secret === null && { secret_lost: true as const }),
  };
}
