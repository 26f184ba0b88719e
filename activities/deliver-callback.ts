/** A callback as an activity of its own: one that was not over quickly, or that was left behind. */
import { noteIds } from '../src/observability/ids.ts';
import { beating } from './beating.ts';
import type { ActivityDeps } from './deps.ts';
import { postCallback, type DeliveryStatus } from './post-callback.ts';

export function deliverCallbackActivity(deps: ActivityDeps) {
  return {
    async deliverCallback(deliveryId: string): Promise<DeliveryStatus> {
      noteIds({ delivery_id: deliveryId });
      return await beating(() => deps.outbox.post(deliveryId, () => postCallback(deps, deliveryId)));
    },
  };
}
