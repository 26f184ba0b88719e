/**
 * An unexpected error may quote anything: a row, a URL, a customer. Its text goes to the log only; the history,
 * which operators read, gets its kind.
 */
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { transient } from './failures.ts';

/** @param log called with the original error */
export function redactFailures(log: (error: unknown) => void): ActivityInboundCallsInterceptor {
  return {
    execute: async (input, next) => {
      try {
        return await next(input);
      } catch (error) {
        if (error instanceof ApplicationFailure || isCancellation(error)) throw error;
        log(error);
        const failure = transient('Unforeseen', `${kindOf(error)}: its words are in the worker's log.`);
        // A stack would point to this file and reveal its path.
        failure.stack = '';
        throw failure;
      }
    },
  };
}

function isCancellation(error: unknown): boolean {
  return error instanceof CancelledFailure || (error instanceof Error && error.name === 'AbortError');
}

/** For example `DatabaseError 42P08`, `Error ECONNREFUSED`. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'A fault';
  const { name } = error.constructor;
  const code = 'code' in error && typeof error.code === 'string' && /^[A-Z\d_]+$/.test(error.code);
  return code ? `${name} ${String(error.code)}` : name;
}
