/** Work of an activity with heartbeats: Temporal learns in time that its worker has died, or the activity that it is cancelled. */
import { heartbeat } from '@temporalio/activity';

/** Well below the shortest heartbeat limit of an activity. */
const everyMs = 3000;

export async function beating<T>(work: () => Promise<T>): Promise<T> {
  const beats = setInterval(heartbeat, everyMs);
  try {
    return await work();
  } finally {
    clearInterval(beats);
  }
}
