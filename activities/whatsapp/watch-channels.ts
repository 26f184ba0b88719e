import { cancellationSignal } from '@temporalio/activity';
import type { ActivityDeps } from '../../src/app/deps.ts';
import { watchChannels } from '../../src/app/whatsapp/watch-channels.ts';

/**
 * Runs one round of `watchChannels`: checks the sessions and webhooks of the connected channels that are due for a
 * check, and posts alerts. Also fetches files for which no run waits, and checks refused workspace connections again.
 * Safe to repeat.
 * @returns how many channels were due, and how many alerts it tried to post
 */
export function watchChannelsActivity(deps: ActivityDeps) {
  return async (): Promise<{ checked: number; alerts: number }> =>
    await watchChannels(deps, cancellationSignal());
}
