/**
 * Runs an action: converts its input, does the work, and builds the result. An expected failure becomes a result with
 * `successful: false`. A transient failure is thrown, so that the caller retries, unless no retry may follow.
 */
import type { DocsResult } from '../contract/workspace/actions.ts';
import { compact } from './compact.ts';
import type { ActionContext, RunContext } from './context.ts';
import type { Action } from './define-action.ts';
import { describeFailure } from './describe-failure.ts';
import { readInput } from './read-input.ts';
import { isPause, transientOf } from './failures.ts';

function failed(error: string, partial: Readonly<Record<string, unknown>>): DocsResult {
  const data = Object.keys(partial).length === 0 ? '{}' : JSON.stringify({ partial: compact(partial) });
  return { data, error, successful: false };
}

/**
 * Runs one attempt of an action.
 * @param rawInput the input from the model or from the caller of the API
 * @returns the result; `successful: false` for an expected failure
 * @throws a pause (see isPause) unless `isOutOfPatience` is true; any other transient failure (see transientOf) unless
 * `lastAttempt` is true. The caller must then repeat the call with the same input and step log. Also throws unexpected
 * errors and, if the signal is aborted, every error.
 */
export async function runAction(
  action: Action,
  rawInput: unknown,
  context: ActionContext,
): Promise<DocsResult> {
  const warnings = new Set<string>();
  const partial: Record<string, unknown> = {};
  const notTaken: string[] = [];
  const run: RunContext = { ...context, warn: (text) => void warnings.add(text), partial };
  try {
    const { input, warnings: ignored } = readInput(action, rawInput);
    notTaken.push(...ignored);
    for (const warning of ignored) run.warn(warning);
    const result = await action.prepare(input)(run);
    const extra = {
      ...(warnings.size === 0 ? {} : { warnings: Array.from(warnings) }),
      ...(action.deprecated === undefined ? {} : { deprecated: `use ${action.deprecated.use}` }),
    };
    return { data: JSON.stringify({ ...Object(compact(result)), ...extra }), successful: true };
  } catch (error) {
    if (context.signal.aborted) throw error;
    const isFinal = isPause(error) ? context.isOutOfPatience === true : context.lastAttempt;
    if (transientOf(error) !== undefined && !isFinal) throw error;
    const text = describeFailure(error, action);
    if (text === undefined) throw error;
    // An unknown parameter often explains why another one is missing, so the message contains both.
    return failed([text, ...notTaken].join(' '), partial);
  }
}
