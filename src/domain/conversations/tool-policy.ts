/** Decides whether an agent's tool call runs, waits for a person's approval, or is refused. */
import type { ToolPolicy } from '../../contract/conversations/agents.ts';
import { ConditionProblem, holds, parseCondition } from './argument-condition.ts';

/** Validates a policy. @returns the first invalid field with an error message; undefined if the policy is valid */
export function policyProblem({
  policy,
  unless,
  expires_after_seconds,
  on_expiry,
}: ToolPolicy): { field: 'unless' | 'expires_after_seconds' | 'on_expiry'; message: string } | undefined {
  if (unless !== undefined) {
    if (policy === 'always') return { field: 'unless', message: 'is for the policies ask and never' };
    try {
      parseCondition(unless);
    } catch (error) {
      if (!(error instanceof ConditionProblem)) throw error;
      return { field: 'unless', message: error.message };
    }
  }
  if (policy === 'ask') return undefined;
  if (expires_after_seconds !== undefined)
    return { field: 'expires_after_seconds', message: 'is for the policy ask' };
  return on_expiry === undefined ? undefined : { field: 'on_expiry', message: 'is for the policy ask' };
}

/**
 * @returns the seconds after which an approval expires, and what expiry decides. By default, these are
 * `defaultExpirySeconds` and `refuse`.
 */
export function expiryOf(policy: ToolPolicy | undefined): {
  expires_after_seconds: number;
  on_expiry: 'refuse' | 'approve';
} {
  return {
    expires_after_seconds: policy?.expires_after_seconds ?? defaultExpirySeconds,
    on_expiry: policy?.on_expiry ?? 'refuse',
  };
}

export type PolicyDecision = 'run' | 'ask' | 'refuse';

/** Seconds after which an approval expires by default: one day. Chosen. */
export const defaultExpirySeconds = 86_400;

/**
 * Maximum approvals that one reply of a model can request, so that a model cannot flood the people who decide. Further
 * calls of the reply that need an approval are refused. Chosen.
 */
export const maxApprovalsPerStep = 10;

/**
 * Decides by the policy whether a call runs.
 * @returns `run`, `ask` (a person must approve the call) or `refuse`. A condition that cannot be parsed counts as not
 * met. If a condition has a newer syntax, a process of an older version therefore returns `ask` or `refuse`.
 */
export function decideCall(policy: ToolPolicy | undefined, input: unknown): PolicyDecision {
  if (policy === undefined || policy.policy === 'always') return 'run';
  if (policy.unless !== undefined && isMet(policy.unless, input)) return 'run';
  return policy.policy === 'ask' ? 'ask' : 'refuse';
}

function isMet(condition: string, input: unknown): boolean {
  try {
    return holds(parseCondition(condition), input);
  } catch {
    return false;
  }
}

/** Texts that the model reads instead of a result, by the reason why a call was not executed. */
export const notExecuted = {
  never: (name: string): string =>
    `Error: this agent may not call ${name} with these arguments. Do not call it with them again.`,
  tooMany: `Error: not executed, because one reply may ask for at most ${maxApprovalsPerStep} approvals. Call the tool again for the rest.`,
  refused: (note: string | undefined): string =>
    note === undefined ? 'Not executed: refused by a person.' : `Not executed: refused by a person: ${note}`,
};
