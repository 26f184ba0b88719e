import type { Sinks } from '@temporalio/workflow';

/** One observable output of workflow code: a command, its current details, or a query's answer. */
export type Shown = { command: object } | { details: string } | { query: string; answer: unknown };

export interface TraceSinks extends Sinks {
  trace: { line: (shown: Shown) => void };
}
