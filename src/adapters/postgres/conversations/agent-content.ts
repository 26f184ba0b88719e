/**
 * Schemas of an agent's versioned settings, as Postgres stores them. They check only types. Checking bounds too would
 * slow the claim of each run, which returns these settings, and would reject old versions that exceed bounds which were
 * narrowed later.
 */
import { z } from 'zod';
import { storedJson } from '../database.ts';

const scriptRule = z.object({
  on: z.enum(['message', 'follow_up', 'tool_result']).exactOptional(),
  when: z.string().exactOptional(),
  reply: z.string().exactOptional(),
  transfer_to: z.string().exactOptional(),
  tool: z.object({ action: z.string(), input: z.record(z.string(), storedJson) }).exactOptional(),
  delay_ms: z.number().exactOptional(),
  word_ms: z.number().exactOptional(),
  fail: z
    .object({ message: z.string(), retryable: z.boolean(), times: z.number().exactOptional() })
    .exactOptional(),
});

export const toolPolicyRow = z.object({
  tool: z.string(),
  policy: z.enum(['always', 'ask', 'never']),
  unless: z.string().exactOptional(),
  expires_after_seconds: z.number().exactOptional(),
  on_expiry: z.enum(['refuse', 'approve']).exactOptional(),
});

export const contentRow = z.object({
  instructions: z.string(),
  /** `provider/name`; null: the organization's default. */
  model: z.string().nullable(),
  /**
   * `provider/name`; null: none. Absent in the content of a draft or a rehearsal that a process of an earlier version of
   * Parley stored.
   */
  fallback_model: z.string().nullable().default(null),
  script: z.array(scriptRule).nullable(),
  follow_ups: z.array(z.object({ after_seconds: z.number(), instructions: z.string() })),
  transfers_to: z.array(z.string()),
  tools: z.array(z.string()),
  tool_policies: z.array(toolPolicyRow),
  approvers: z.array(z.object({ name: z.string(), phone: z.string() })),
  /** Absent in content that a process of an earlier version of Parley stored. */
  may_hand_over: z.boolean().default(false),
  /** Ids of workspaces. Null: the organization's workspace, if it has only one. */
  connections: z.array(z.string()).nullable(),
  // Null: the provider's default. Absent in the content of a draft or a rehearsal that a process of an earlier version
  // of Parley stored.
  temperature: z.number().nullable().default(null),
  max_output_tokens: z.number().nullable().default(null),
  reasoning_effort: z.enum(['none', 'low', 'medium', 'high']).nullable().default(null),
  /** JSON Schema that answers must fit. Null: any text. Absent as the parameters above. */
  output_schema: z.record(z.string(), storedJson).nullable().default(null),
});
