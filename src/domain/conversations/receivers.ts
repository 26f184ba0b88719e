/** Adds up the outcomes of callbacks and alerts for each webhook endpoint. */
import { endpointOf } from './callback.ts';

export interface Outcomes {
  attempts: number;
  failed: number;
  blocked: number;
}

/** Outcomes of the callbacks and alerts to all URLs that differ only in query or fragment. `url` has neither. */
export interface ReceiverOutcomes extends Outcomes {
  url: string;
}

/**
 * @returns the total for each endpoint that covers at least one of the URLs (see `endpointOf`). URLs that no endpoint
 * covers are ignored.
 */
export function outcomesByEndpoint(
  receivers: readonly ReceiverOutcomes[],
  endpoints: readonly { readonly id: string; readonly url: string }[],
): (Outcomes & { id: string })[] {
  const sums = new Map<string, Outcomes & { id: string }>();
  for (const { url, attempts, failed, blocked } of receivers) {
    const id = endpointOf(url, endpoints)?.id;
    if (id === undefined) continue;
    const sum = sums.get(id) ?? { id, attempts: 0, failed: 0, blocked: 0 };
    sum.attempts += attempts;
    sum.failed += failed;
    sum.blocked += blocked;
    sums.set(id, sum);
  }
  return [...sums.values()];
}
