/** The values of the statements that TransactionRules answers, read as what they are. */
import { z } from 'zod';

const input = z.object({
  text: z.string(),
  sync: z.boolean(),
  webhook_url: z.string().optional(),
  key: z.string(),
  new_conversation_id: z.string(),
  message_id: z.string(),
  run_id: z.string(),
});

export function acceptance([json, metadata, now]: readonly unknown[]) {
  return {
    input: input.parse(JSON.parse(String(json))),
    metadata: typeof metadata === 'string' ? metadata : null,
    now: Number(now),
  };
}

const step = z.object({
  run_id: z.string(),
  step: z.number(),
  inputs: z.number(),
  kind: z.enum(['tools', 'transfer', 'answer']),
  text: z.string(),
  message_id: z.string(),
  delivery_id: z.string(),
  transfer_to: z.string().optional(),
  calls: z
    .array(
      z.object({ call_id: z.string(), name: z.string(), input: z.unknown(), result: z.string().optional() }),
    )
    .optional(),
});
export type NewStep = z.infer<typeof step>;

export function newStep(json: unknown): NewStep {
  return step.parse(JSON.parse(String(json)));
}

const status = z.enum(['pending', 'attempting', 'delivered', 'failed', 'blocked', 'unknown']);

export function deliveryEnd(values: readonly unknown[]) {
  return { id: String(values[0]), status: status.parse(values[1]), from: String(values[6]) };
}
