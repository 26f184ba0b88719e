import { cancellationSignal } from '@temporalio/activity';
import type { ActivityDeps } from '../../src/app/deps.ts';
import { watchChannels } from '../../src/app/whatsapp/watch-channels.ts';

/** Runs one round of checks of the sessions and webhooks of connected channels, and posts alerts. */
export function watchChannelsActivity(deps: ActivityDeps) {
  return async (): Promise<{ checked: number; alerts: number }> =>
    await watchChannels(deps, cancellationSignal());
}
