/** A callback as an activity of its own: one that was not over quickly, or that was left behind. */
import { heartbeat } from '@temporalio/activity';
import type { ActivityDeps } from './deps.ts';
import { postCallback, type DeliveryStatus } from './post-callback.ts';

const heartbeatMs = 3000;

export function deliverCallbackActivity(deps: ActivityDeps) {
  return {
    async deliverCallback(deliveryId: string): Promise<DeliveryStatus> {
      const beats = setInterval(heartbeat, heartbeatMs);
      try {
        return await deps.outbox.post(deliveryId, () => postCallback(deps, deliveryId));
      } finally {
        clearInterval(beats);
      }
    },
  };
}
