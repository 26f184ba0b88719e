import type { Sinks } from '@temporalio/workflow';

/** One thing that workflow code showed of itself: a command, what it says of itself, or a query's answer. */
export type Shown = { command: object } | { details: string } | { query: string; answer: unknown };

export interface TraceSinks extends Sinks {
  trace: { line: (shown: Shown) => void };
}
