import { v7 as newId } from 'uuid';
import { z } from 'zod';
import { queryResult, resultRow, statement, type Database } from '../database.ts';

const regenerated = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('accepted'),
    run_id: z.string(),
    message_id: z.string(),
    agent_id: z.string(),
  }),
  z.object({ outcome: z.enum(['invalid_state', 'inactive', 'paused']) }),
]);

const regenerate = statement('regenerate-answer', resultRow(regenerated))`
  with made as materialized (select regenerate_answer($1, $2, $3, $4, null) as result), counted as (
      insert into run_tokens (run_id, organization_id, token_id)
        select (made.result->>'run_id')::uuid, c.organization_id, $5::uuid from made join conversations c on c.id = $1
          where made.result->>'outcome' = 'accepted' and $5::uuid is not null)
    select result from made`;

/**
 * Creates a run that answers the inputs of the conversation's last run again; follow-ups do not count as the last run.
 * Not idempotent, but returns `invalid_state` until the new run has ended. `functions/regenerate_answer.sql` documents
 * each outcome.
 */
export async function regenerateAnswer(
  db: Database,
  conversationId: string,
  how: { sync: boolean; streamed: boolean; callerTokenId: string | undefined },
): Promise<z.infer<typeof regenerated>> {
  const values = [conversationId, newId(), how.sync, how.streamed, how.callerTokenId ?? null];
  return await queryResult(db, regenerate, values);
}
