/** The ids of the current request or activity. Each log line has all of them; `addIds` also adds ids to the span. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setSpanAttributes } from './spans.ts';

export type Ids = Partial<
  Record<
    | 'organization_id'
    | 'conversation_id'
    | 'workflow_id'
    | 'temporal_run_id'
    | 'run_id'
    | 'message_id'
    | 'delivery_id'
    | 'activity'
    | 'trace_id',
    string
  >
>;

const current = new AsyncLocalStorage<Ids>();

/** Runs the work with these ids; addIds adds to them. */
export function withIds<T>(ids: Ids, work: () => T): T {
  return current.run(ids, work);
}

/** Adds ids for the rest of this request or activity. */
export function addIds(ids: Ids): void {
  const known = current.getStore();
  if (known === undefined) return;
  Object.assign(known, ids);
  setSpanAttributes(Object.fromEntries(Object.entries(ids).map(([name, id]) => [`parley.${name}`, id])));
}

export function idsForLog(): object {
  return { ...current.getStore() };
}
