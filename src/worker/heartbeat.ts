/**
 * Runs an activity's work with heartbeats, so that Temporal notices a dead worker and the activity notices its
 * cancellation.
 */
import { heartbeat } from '@temporalio/activity';

/** Far below the shortest heartbeat timeout of an activity. */
const everyMs = 3000;

export async function withHeartbeat<T>(work: () => Promise<T>): Promise<T> {
  const beats = setInterval(heartbeat, everyMs);
  try {
    return await work();
  } finally {
    clearInterval(beats);
  }
}
