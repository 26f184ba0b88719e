/** Stores the usage of the model calls that tool actions make, including actions that fail. */
import { z } from 'zod';
import { queryRows, statement, type Database } from '../database.ts';

const toolUsage = z.object({
  input_tokens: z.number(),
  output_tokens: z.number(),
  credits: z.number(),
});
export type ToolUsage = z.infer<typeof toolUsage>;

const add = statement('add-tool-usage')`
  insert into tool_usage as u (execution_id, organization_id, conversation_id, model, input_tokens, output_tokens, credits)
    select id, organization_id, conversation_id, $2, $3, $4, $5 from tool_executions where id = $1
    on conflict (execution_id) do update set model = excluded.model, input_tokens = u.input_tokens + excluded.input_tokens,
      output_tokens = u.output_tokens + excluded.output_tokens, credits = u.credits + excluded.credits`;

/**
 * Adds the usage of one model call to an execution. Does nothing if the execution does not exist. Not idempotent: a
 * repeated call adds the usage again.
 */
export async function addToolUsage(
  db: Database,
  executionId: string,
  { model, input_tokens, output_tokens, credits }: ToolUsage & { model: string },
): Promise<void> {
  await queryRows(db, add, [executionId, model, input_tokens, output_tokens, credits]);
}

/** Reads the total model usage of an execution. @returns undefined if the execution called no model */
export const findToolUsage = statement('find-tool-usage', toolUsage).row<[executionId: string]>`
  select input_tokens, output_tokens, credits from tool_usage where execution_id = $1`;
