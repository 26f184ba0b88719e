import { finishDelivery } from '../../src/adapters/postgres/conversations/deliveries.ts';
import { postCallback, type DeliveryStatus } from '../../src/app/conversations/post-callback.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';
import { addIds } from '../../src/observability/spans.ts';
import { countCallback } from '../../src/observability/worker-metrics.ts';

/**
 * Posts a callback that the activity of the model call did not post, for example because it was slow or the worker
 * crashed. Idempotent: returns the recorded status of a callback that was already posted.
 * @throws a retryable failure if the callback cannot be posted now, or an earlier attempt may be in progress
 */
export function deliverCallbackActivity(deps: ActivityDeps) {
  return async (deliveryId: string): Promise<DeliveryStatus> => {
    addIds({ delivery_id: deliveryId });
    return await deps.attempts.guarded<DeliveryStatus>(`callback/${deliveryId}`, {
      work: () => deps.outbox.post(deliveryId, () => postCallback(deps, deliveryId)),
      giveUp: (error) => endUnsent(deps, deliveryId, error),
    });
  };
}

/**
 * Ends a callback that was never claimed. Returns undefined for a claimed callback, which may have arrived:
 * `postCallback` records it as `unknown`.
 */
async function endUnsent(
  { db }: ActivityDeps,
  deliveryId: string,
  error: string,
): Promise<DeliveryStatus | undefined> {
  const status = 'failed';
  if (!(await finishDelivery(db, deliveryId, 'pending', { status, error }))) return undefined;
  countCallback({ outcome: status });
  return status;
}
