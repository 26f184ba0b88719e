/** Shows one line while the console cannot reach the server, and announces it to screen readers. */
import { notifyManager, useQueryClient, type Query } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { ApiProblem } from '../client.ts';
import { texts } from '../messages.ts';

/** Statuses with which a proxy answers if it cannot reach the server; 0: nothing answered. */
const unreached: readonly number[] = [0, 502, 503, 504];

/**
 * True if the last attempt to read a polled query again did not reach the server, or waits until the browser is online.
 * A query that was never read shows its own error; one without polls could stay failed after the server is back.
 */
function isLost({ state, observers }: Query): boolean {
  if (!observers.some(({ options }) => options.refetchInterval)) return false;
  const { data, error, fetchFailureReason, fetchStatus } = state;
  const cause = fetchFailureReason ?? error;
  const failed = cause instanceof ApiProblem ? unreached.includes(cause.status) : cause !== null;
  return data !== undefined && (failed || fetchStatus === 'paused');
}

export function Reconnecting() {
  const cache = useQueryClient().getQueryCache();
  const lost = useSyncExternalStore(
    useCallback((changed) => cache.subscribe(notifyManager.batchCalls(changed)), [cache]),
    () => cache.findAll({ type: 'active' }).some(isLost),
  );
  return (
    <div role="status" className="reconnecting">
      {lost && <span>{texts.nav.reconnecting}</span>}
    </div>
  );
}
