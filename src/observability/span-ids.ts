/**
 * Generates trace and span ids. The ids are random, except the span id of a run, which is derived from the run's id:
 * the run's span is recorded after its children, and they need its span id earlier.
 */
import { createHash, randomBytes } from 'node:crypto';

class SpanIds {
  #chosen: string | undefined;

  generateTraceId(): string {
    return randomBytes(16).toString('hex');
  }

  generateSpanId(): string {
    const id = this.#chosen ?? randomBytes(8).toString('hex');
    this.#chosen = undefined;
    return id;
  }

  /** Uses the given id for the first span that `begin` starts. @returns the result of `begin` */
  choose<T>(id: string, begin: () => T): T {
    this.#chosen = id;
    try {
      return begin();
    } finally {
      this.#chosen = undefined;
    }
  }
}

export const spanIds = new SpanIds();

/**
 * Returns the span id of a run. The id is the same in every process, because several processes can work on a run, and
 * the one that ends the run records its span.
 */
export function spanIdOf(runId: string): string {
  return createHash('sha256').update(runId).digest('hex').slice(0, 16);
}
