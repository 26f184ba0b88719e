import { z } from 'zod';
import { toolPolicy } from './agents.ts';

/** A policy to test, and the sample arguments of the tool call to which it is applied. */
export const policyTestForm = z.strictObject({
  policy: toolPolicy.shape.policy,
  unless: toolPolicy.shape.unless,
  arguments: z.record(z.string().max(200), z.json()),
});

/** The policy's decision: the call runs, waits for a person's approval (`ask`), or is refused. */
export const policyTestResult = z.object({ decision: z.enum(['run', 'ask', 'refuse']) });
export type PolicyTestResult = z.infer<typeof policyTestResult>;
