/** Endpoints that check and set the webhook at a channel's gateway, and that renew the secret in the webhook's URL. */
import { recordAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import { inTransaction } from '../../../adapters/postgres/database.ts';
import { z } from 'zod';
import type { WebhookOutcome } from '../../../adapters/whatsapp/gateway.ts';
import { renewedWebhook, webhookCheck } from '../../../contract/whatsapp/channel.ts';
import { PublicError } from '../../../contract/errors.ts';
import { expectedWebhook, webhookDifferences } from '../../../domain/whatsapp/webhook-settings.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { findAgentsChannel } from '../../../app/whatsapp/find-channel-agent.ts';

const shared = {
  auth: 'token',
  scope: 'channels.manage',
  agents: 'agent',
  tag: 'Channel',
  params: z.object({ id: z.uuid().describe("Identifier of the channel's agent") }),
  answers: { 200: webhookCheck },
  errors: ['invalid_state', 'invalid_credentials', 'gateway_unreachable'],
} as const;

export const checkWebhook = defineEndpoint({
  ...shared,
  request: 'GET /agents/{id}/channel/webhook',
  summary: 'Compare the webhook at the gateway with the required settings',
  description: 'Asks the gateway and changes nothing.',
  handle: async ({ params, caller: { organizationId } }, { db, channels }, respond) => {
    const row = await findAgentsChannel({ db, channels }, organizationId, params.id);
    const read = await channels.gateway.readWebhook(channels.access(row));
    return respond(200, compared(channels.webhookUrl(row), read));
  },
});

export const setWebhook = defineEndpoint({
  ...shared,
  request: 'POST /agents/{id}/channel/webhook',
  summary: 'Set the webhook at the gateway',
  description: "Carries out the set-up steps through the gateway's own interface, then checks the result.",
  handle: async ({ params, caller }, deps, respond) => {
    const row = await findAgentsChannel(deps, caller.organizationId, params.id);
    const { gateway } = deps.channels;
    const access = deps.channels.access(row);
    const url = deps.channels.webhookUrl(row);
    // Recorded before the call to the gateway, so that a crash does not lose the audit event.
    await inTransaction(deps.db, (tx) => recordAudit(tx, caller, 'webhook_set', params.id));
    const set = await gateway.setWebhook(access, expectedWebhook(url));
    const read = set.outcome === 'ok' ? await gateway.readWebhook(access) : set;
    const answer = compared(url, read);
    // Recorded now, so that the console shows the channel's new health at once.
    if (read.outcome === 'ok') await deps.channels.sawWebhooks(row, read.webhooks);
    return respond(200, answer);
  },
});

export const renewWebhook = defineEndpoint({
  ...shared,
  request: 'POST /agents/{id}/channel/webhook/renew',
  summary: 'Renew the secret in the webhook URL',
  description:
    'Sets the new URL at the gateway where possible. Events at the previous URL are accepted for another hour; until then, 409 for a further renewal.',
  answers: { 200: renewedWebhook },
  errors: ['invalid_state'],
  handle: async ({ params, caller }, deps, respond) => {
    const known = await findAgentsChannel(deps, caller.organizationId, params.id);
    const row = await deps.channels.renewWebhook(known, caller);
    const url = deps.channels.webhookUrl(row);
    // The secret is renewed even if the new URL cannot be set at the gateway.
    const hasAccess = row.base_url !== null && row.instance_token !== null;
    const set = hasAccess
      ? await deps.channels.gateway.setWebhook(deps.channels.access(row), expectedWebhook(url))
      : undefined;
    // `checkNow` has no rate limit and needs none here, because a renewal is possible only once an hour.
    if (row.state === 'connected') await deps.channels.checkNow(row);
    return respond(200, {
      webhook_url: url,
      previous_until: row.previous_webhook_until?.toISOString() ?? '',
      is_set: set?.outcome === 'ok',
    });
  },
});

/**
 * Compares the webhook at the gateway with the expected one.
 * @throws PublicError invalid_credentials or gateway_unreachable if the gateway did not return its webhook
 */
function compared(url: string, outcome: WebhookOutcome): z.infer<typeof webhookCheck> {
  switch (outcome.outcome) {
    case 'ok': {
      const differences = webhookDifferences(expectedWebhook(url), outcome.webhooks);
      return { matches: differences.length === 0, differences };
    }
    case 'invalid_credentials':
      throw new PublicError('invalid_credentials', { sentence: 'The gateway refused the instance token.' });
    case 'rate_limited':
    case 'not_a_gateway':
    case 'blocked':
    case 'not_reachable':
      throw new PublicError('gateway_unreachable', {
        sentence:
          'The gateway refused to show or change its webhook. Follow the set-up steps in its dashboard.',
      });
  }
}
