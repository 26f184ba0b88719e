import type { CheckOutcome } from '../../src/adapters/postgres/whatsapp/channels.ts';
import { checkChannel } from '../../src/app/whatsapp/check-channel.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';

/**
 * Runs one channel check: connect, verify, edit or disconnect. Idempotent: if the check has a recorded result, returns
 * this result without calling the gateway.
 * @returns the result; `withdrawn` if the check was withdrawn, or the check or its channel no longer exists
 */
export function checkChannelActivity(deps: ActivityDeps) {
  return async (checkId: string): Promise<CheckOutcome['result']> => await checkChannel(deps, checkId);
}
