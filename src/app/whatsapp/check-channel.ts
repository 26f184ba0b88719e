/** Runs channel checks: calls the gateway, then records the outcome and the channel's new state in one transaction. */
import {
  accessOfCheck,
  claimCheck,
  findChannel,
  finishCheck,
  type ChannelRow,
  type CheckOutcome,
} from '../../adapters/postgres/whatsapp/channels.ts';
import type { GatewayAccess } from '../../adapters/whatsapp/gateway-call.ts';
import { askGateway } from './check-health.ts';
import { checkResult, decideChannel, type GatewayCheckAnswer } from '../../domain/whatsapp/channel-check.ts';
import { channelProblem } from '../../domain/whatsapp/channel-health.ts';
import type { WebhookFinding } from '../../domain/whatsapp/webhook-settings.ts';
import type { ActivityDeps } from '../deps.ts';

interface Asked {
  answer: GatewayCheckAnswer;
  webhook?: WebhookFinding;
}

/**
 * Runs one channel check: connect, verify, edit or disconnect. Idempotent: if the check already has an outcome,
 * returns this outcome without calling the gateway.
 * @returns the name of the outcome; `withdrawn` if the check was withdrawn, or if it or its channel no longer exists
 */
export async function checkChannel(deps: ActivityDeps, checkId: string): Promise<CheckOutcome['result']> {
  const {
    db,
    channel: { gateway, encryption },
  } = deps;
  const claimed = await claimCheck(db, checkId);
  if ('outcome' in claimed) return claimed.outcome.result;
  const step = claimed.check;
  const row = await findChannel(db, step.agent_id);
  if (row === undefined) return 'withdrawn';
  const access = accessOfCheck(encryption, row, step);
  const { answer, webhook } = await deps.attempts.guarded<Asked>(`check/${checkId}`, {
    work: () => ask(row, access),
    giveUp: () => Promise.resolve({ answer: { outcome: 'not_reachable' } }),
  });
  const decide = (channel: ChannelRow) => {
    // True if the check used the stored token, and an edit has since replaced the token or changed the base URL.
    const isOutdated =
      step.instance_token === null &&
      (channel.instance_token !== row.instance_token ||
        (step.base_url !== null && step.base_url !== channel.base_url));
    if (isOutdated) return undefined;
    const at = new Date().toISOString();
    const decision = decideChannel(channel.state, step.trigger, answer, at);
    if (decision === undefined) return undefined;
    const { state, keepCredentials } = decision;
    const live = answer.outcome === 'ok' ? answer : undefined;
    const seen = live && webhook && { status: live, webhook, connectedNumber: null, arrives: false };
    // After a failed edit, the channel keeps its credentials and therefore also the error that was recorded for them.
    const failedEdit = step.trigger === 'edit' && !keepCredentials;
    const problem = state === 'connected' && seen ? channelProblem(seen, at) : null;
    return {
      state,
      access: keepCredentials ? access : undefined,
      number: live ? live.number : state === 'inactive' ? null : undefined,
      error: failedEdit ? undefined : (decision.error ?? problem),
      live: live && { status: live.status, reason: live.lastDisconnectReason, connected: live.connected },
      webhook: live?.connected === true ? webhook?.state : undefined,
    };
  };
  const outcome = await finishCheck(db, encryption, checkId, checkResult(step.trigger, answer), decide);
  return outcome.result;

  async function ask(channel: ChannelRow, to: GatewayAccess | undefined): Promise<Asked> {
    if (to === undefined) return { answer: { outcome: 'not_reachable' } };
    if (step.trigger === 'connect') return { answer: await gateway.status(to) };
    if (step.trigger !== 'disconnect') {
      const { status, webhook } = await askGateway({ ...deps.channel, db }, channel, to);
      return { answer: status, webhook };
    }
    const done = await gateway.disconnect(to);
    return { answer: done.outcome === 'ok' ? { outcome: 'disconnected' } : done };
  }
}
