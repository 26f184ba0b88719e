/** What an activity does now: sent with its heartbeats, so that an operator sees it in Temporal's UI. */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Never contains conversation text. */
interface Doing {
  doing: string;
  /** Runs that this activity has answered. */
  answered: number;
  /** The id of the last of them. */
  last?: string;
}

export interface ActivityDetails {
  /** Absent until the activity has noted something. */
  now?: Doing & {
    /** ISO 8601. */
    since: string;
  };
}

const current = new AsyncLocalStorage<ActivityDetails>();

/** Runs an activity whose heartbeats have these details. */
export function withDetails<T>(details: ActivityDetails, work: () => T): T {
  return current.run(details, work);
}

/** Replaces the details of the current activity's next heartbeats. */
export function noteDoing(doing: Doing): void {
  const details = current.getStore();
  if (details !== undefined) details.now = { ...doing, since: new Date().toISOString() };
}
