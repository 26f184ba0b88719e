/**
 * Makes rounds of recovery: each resumes work that is stalled, for example because a process crashed after a commit
 * and before the signal about it. Runs cleanup and erasure concurrently. A Schedule starts this workflow. One workflow
 * makes many rounds, so that few of these workflows appear in Temporal's lists.
 */
import { condition, patched, sleep } from '@temporalio/workflow';
import type { RoundsPlan } from '../../src/contract/workflows.ts';
import {
  cleaningActivities,
  erasingActivities,
  earlierRecoveryActivities,
  recoveryActivities,
} from '../policies.ts';

const cleanUpEveryMs = 60_000;

export async function recovery({ everyMs, times }: RoundsPlan): Promise<void> {
  const recoversAlone = patched('recovery-alone');
  const cleaning = new Beside(async () => await cleaningActivities.cleanUp(), cleanUpEveryMs);
  const erasing = new Beside(async () => await erasingActivities.erase(), 0);
  for (let left = times; left > 0; left--) {
    if (recoversAlone) {
      await recoveryActivities.recover();
      cleaning.begin(Date.now());
      erasing.begin(Date.now());
    } else await earlierRecoveryActivities.sweepStalled();
    if (left > 1) await sleep(everyMs, { summary: 'until the next check' });
  }
  await condition(() => !cleaning.inProgress && !erasing.inProgress);
}

/**
 * Runs work concurrently with recovery, so that slow work does not delay recovery. Starts the work at most once in
 * `everyMs` milliseconds, and never while the previous start of it is in progress.
 */
class Beside {
  readonly #work: () => Promise<unknown>;
  readonly #everyMs: number;
  #notBefore = 0;
  inProgress = false;

  constructor(work: () => Promise<unknown>, everyMs: number) {
    this.#work = work;
    this.#everyMs = everyMs;
  }

  begin(now: number): void {
    if (this.inProgress || now < this.#notBefore) return;
    this.inProgress = true;
    this.#notBefore = now + this.#everyMs;
    const over = () => {
      this.inProgress = false;
    };
    // Ignores a rejection: the work rejects only if the workflow is cancelled.
    this.#work().then(over, over);
  }
}
