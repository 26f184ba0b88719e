/** Started by a Schedule: takes up what a crash between a commit and a signal has left behind. */
import { housekeepingActivities } from './policies.ts';

export async function sweep(): Promise<void> {
  await housekeepingActivities.sweepStalled();
}
