/**
 * Limits how many activity slots of a worker one organization may use while it waits for an outside party: a model, a
 * workspace, a gateway, a receiver. Over the limit, an activity frees its slot at once and is retried later.
 */
import { activityInfo } from '@temporalio/activity';
import { Limiter } from '../limits/limiter.ts';
import { countShareReached } from '../observability/worker-metrics.ts';
import { transient } from './failures.ts';

const firstDelayMs = 500;
const maxDelayMs = 15_000;

export class FairShares {
  readonly #limiter: Limiter;
  readonly #most: number;
  readonly #reached: (organization: string) => void;

  /**
   * @param most maximum slots of one organization in this process
   * @param reached called each time an activity is refused because its organization uses all of them
   */
  constructor(most: number, reached: (organization: string) => void) {
    this.#limiter = new Limiter({ maxPerOwner: most });
    this.#most = most;
    this.#reached = reached;
  }

  /** @throws ApplicationFailure, retryable, if the organization uses all of its slots */
  async use<T>(organization: string, work: () => Promise<T>): Promise<T> {
    const release = this.#limiter.tryHold(organization);
    if (release === undefined) {
      countShareReached({ of: 'activities' });
      this.#reached(organization);
      throw transient(
        'ShareReached',
        `The organization has ${this.#most} activities in this worker, its share; this one is retried later.`,
        delayMs(activityInfo().attempt),
      );
    }
    try {
      return await work();
    } finally {
      release();
    }
  }
}

/** A random delay, so that activities that found no slot do not all retry at once. */
function delayMs(attempt: number): number {
  const longest = Math.min(firstDelayMs * 2 ** Math.min(attempt, 10), maxDelayMs);
  return longest * (0.5 + Math.random() / 2);
}
