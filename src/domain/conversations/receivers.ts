/** Sums the outcomes of callbacks by receiver. */
import { endpointOf } from './callback.ts';

export interface Outcomes {
  attempts: number;
  failed: number;
  blocked: number;
}

/** The callbacks to one URL, without its query. */
export interface ReceiverOutcomes extends Outcomes {
  url: string;
}

/** @returns the outcomes of each endpoint that got callbacks, at its URL or below */
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
