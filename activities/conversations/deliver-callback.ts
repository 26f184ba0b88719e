import { finishDelivery } from '../../src/adapters/postgres/conversations/deliveries.ts';
import { postCallback, type DeliveryStatus } from '../../src/app/conversations/post-callback.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';
import { addIds } from '../../src/observability/spans.ts';
import { countCallback } from '../../src/observability/worker-metrics.ts';

/**
 * Posts a callback that the activity of the model call did not finish, or never tried, for example the callback of a
 * failed run or of a resend. Returns the final status of the delivery, or `gone` if it was erased. A repeated call does
 * not post again, and returns the recorded status.
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
 * Records a callback as failed if no attempt has claimed it. Returns undefined for any other callback: a claimed one
 * may have arrived, so `postCallback` later records it as `unknown`.
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
