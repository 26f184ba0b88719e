/** What is thrown unforeseen may quote anything: a row, a URL, a customer. Its words go to the log; the history, which
 *  operators read, gets its kind. */
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { transient } from './failures.ts';

/** @param log is given the error as it was */
export function wordlessFailures(log: (error: unknown) => void): ActivityInboundCallsInterceptor {
  return {
    execute: async (input, next) => {
      try {
        return await next(input);
      } catch (error) {
        if (error instanceof ApplicationFailure || isCancellation(error)) throw error;
        log(error);
        const failure = transient('Unforeseen', `${kindOf(error)}: its words are in the worker's log.`);
        // Of this file it would be, and of where it lies.
        failure.stack = '';
        throw failure;
      }
    },
  };
}

function isCancellation(error: unknown): boolean {
  return error instanceof CancelledFailure || (error instanceof Error && error.name === 'AbortError');
}

/** For instance `DatabaseError 42P08`, `Error ECONNREFUSED`. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'A fault';
  const { name } = error.constructor;
  const code = 'code' in error && typeof error.code === 'string' && /^[A-Z\d_]+$/.test(error.code);
  return code ? `${name} ${String(error.code)}` : name;
}
