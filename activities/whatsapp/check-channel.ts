import type { CheckOutcome } from '../../src/adapters/postgres/whatsapp/channels.ts';
import { checkChannel } from '../../src/app/whatsapp/check-channel.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';

/** Makes one step of connecting a channel. */
export function checkChannelActivity(deps: ActivityDeps) {
  return async (checkId: string): Promise<CheckOutcome['result']> => await checkChannel(deps, checkId);
}
