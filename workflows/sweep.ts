/** Started by a Schedule: takes up what a crash between a commit and a signal has left behind. One workflow looks
 *  many times, so that the list of workflows stays one of conversations. */
import { sleep } from '@temporalio/workflow';
import { housekeepingActivities } from './policies.ts';

export interface SweepPlan {
  everyMs: number;
  times: number;
}

export async function sweep({ everyMs, times }: SweepPlan): Promise<void> {
  for (let left = times; left > 0; left--) {
    await housekeepingActivities.sweepStalled();
    if (left > 1) await sleep(everyMs, { summary: 'until the next look' });
  }
}
