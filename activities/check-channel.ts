/** One step of a channel's connection: asks the gateway, then records outcome and state together. */
import {
  accessOfCheck,
  claimCheck,
  findChannel,
  finishCheck,
  type ChannelRow,
  type CheckOutcome,
} from '../src/adapters/db/channels.ts';
import type { GatewayAccess } from '../src/adapters/gateway-call.ts';
import { checkResult, decideChannel, type GatewayCheckAnswer } from '../src/domain/channel-check.ts';
import { beating } from './beating.ts';
import type { ActivityDeps } from './deps.ts';

export function checkChannelActivity({ db, channel: { gateway, encryption } }: ActivityDeps) {
  return {
    /** Repeatable: a check that has its outcome asks nobody again. */
    async checkChannel(checkId: string): Promise<CheckOutcome['result']> {
      return await beating(() => check(checkId));
    },
  };

  async function check(checkId: string): Promise<CheckOutcome['result']> {
    const claimed = await claimCheck(db, checkId);
    if ('outcome' in claimed) return claimed.outcome.result;
    const step = claimed.check;
    const channel = await findChannel(db, step.agent_id);
    if (channel === undefined) return 'withdrawn';
    const access = accessOfCheck(encryption, channel, step);
    const answer = await ask(access);
    const decide = (row: ChannelRow) => {
      const decision = decideChannel(row.state, step.trigger, answer, new Date().toISOString());
      return (
        decision && {
          state: decision.state,
          access: decision.keepCredentials ? access : undefined,
          number: answer.outcome === 'ok' ? answer.number : decision.state === 'inactive' ? null : undefined,
          error: decision.error,
          live:
            answer.outcome === 'ok'
              ? { status: answer.status, reason: answer.lastDisconnectReason }
              : undefined,
        }
      );
    };
    const outcome = await finishCheck(db, encryption, checkId, checkResult(step.trigger, answer), decide);
    return outcome.result;

    async function ask(to: GatewayAccess | undefined): Promise<GatewayCheckAnswer> {
      if (to === undefined) return { outcome: 'not_reachable' };
      if (step.trigger !== 'disconnect') return await gateway.status(to);
      const done = await gateway.disconnect(to);
      return done.outcome === 'ok' ? { outcome: 'disconnected' } : done;
    }
  }
}
