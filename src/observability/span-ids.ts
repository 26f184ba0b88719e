/** Ids of traces and spans: random, except for a span whose id its children knew before it started. */
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

  /** @param begin starts one span, which gets this id */
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

/** Equal in every process: several work on one run, and one of them records its span at the end. */
export function spanIdOf(runId: string): string {
  return createHash('sha256').update(runId).digest('hex').slice(0, 16);
}
