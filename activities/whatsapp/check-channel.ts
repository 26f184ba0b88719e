import type { CheckOutcome } from '../../src/adapters/postgres/whatsapp/channels.ts';
import { checkChannel } from '../../src/app/whatsapp/check-channel.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';

/** Runs one channel check: connect, verify, edit or disconnect. */
export function checkChannelActivity(deps: ActivityDeps) {
  return async (checkId: string): Promise<CheckOutcome['result']> => await checkChannel(deps, checkId);
}
