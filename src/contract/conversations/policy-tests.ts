import { z } from 'zod';
import { toolPolicy } from './agents.ts';

/** Sample arguments of a tool, and the policy to try on them. */
export const policyTestForm = z.strictObject({
  policy: toolPolicy.shape.policy,
  unless: toolPolicy.shape.unless,
  arguments: z.record(z.string().max(200), z.json()),
});

/** Whether the call would run, wait for a person's approval (`ask`), or be refused. */
export const policyTestResult = z.object({ decision: z.enum(['run', 'ask', 'refuse']) });
export type PolicyTestResult = z.infer<typeof policyTestResult>;
