/**
 * Generates trace and span ids. Ids are random, except the span id of a run: the run's span is recorded after its
 * children, which must know the id before.
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
 * Returns the span id of a run. It is the same in every process, because several processes work on a run, and only one
 * of them records the run's span, at the end.
 */
export function spanIdOf(runId: string): string {
  return createHash('sha256').update(runId).digest('hex').slice(0, 16);
}
