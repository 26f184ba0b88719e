import { cancellationSignal } from '@temporalio/activity';
import type { ActivityDeps } from '../../src/app/deps.ts';
import { watchChannels } from '../../src/app/whatsapp/watch-channels.ts';

/** Checks the sessions and webhooks of connected channels and posts alerts: one round. */
export function watchChannelsActivity(deps: ActivityDeps) {
  return async (): Promise<{ looked: number; told: number }> =>
    await watchChannels(deps, cancellationSignal());
}
