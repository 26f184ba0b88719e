/**
 * Makes rounds of `watchChannels`, which checks the sessions and webhooks of connected WhatsApp channels, posts alerts
 * and fetches remaining files. A Schedule starts this workflow, and starts it again after the last round.
 */
import { sleep } from '@temporalio/workflow';
import { watchActivities } from '../policies.ts';
import type { RoundsPlan } from '../../src/contract/workflows.ts';

export async function watch({ everyMs, times }: RoundsPlan): Promise<void> {
  for (let left = times; left > 0; left--) {
    await watchActivities.watchChannels();
    if (left > 1) await sleep(everyMs, { summary: 'until the next check' });
  }
}
