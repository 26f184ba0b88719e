import { finishDelivery } from '../../src/adapters/postgres/conversations/deliveries.ts';
import { postCallback, type DeliveryStatus } from '../../src/app/conversations/post-callback.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';
import { addIds } from '../../src/observability/spans.ts';
import { countCallback } from '../../src/observability/worker-metrics.ts';

/**
 * Posts a callback that no activity of a model call has finished posting, for example a slow one, an approval request,
 * the callback of a failed run, or a resend. Posts a callback at most once: if its result is already recorded, only
 * returns the status. If too many workers were lost before the callback was claimed, records it as failed.
 * @returns the final status of the delivery; `gone` if the delivery was erased
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
 * Records a callback as failed, unless an attempt has claimed or ended it.
 * @returns `failed`; undefined if the callback was claimed, ended or erased. `Attempts.guarded` then calls
 * `postCallback`, because a claimed callback may have arrived.
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
