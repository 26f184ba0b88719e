import { v7 as newId } from 'uuid';
import { queryResult, type Database, type Statement } from '../database.ts';

const regenerate: Statement = {
  name: 'regenerate-answer',
  text: `with made as materialized (select regenerate_answer($1, $2, $3, $4, null) as result), counted as (
             insert into run_tokens (run_id, organization_id, token_id)
               select (made.result->>'run_id')::uuid, c.organization_id, $5::uuid from made join conversations c on c.id = $1
                 where made.result->>'outcome' = 'accepted' and $5::uuid is not null)
           select result from made`,
};

type Regenerated =
  | { outcome: 'accepted'; run_id: string; message_id: string; agent_id: string }
  | { outcome: 'invalid_state' | 'inactive' };

/** Opens a new run over the inputs of the conversation's last run (`functions/regenerate_answer.sql`). */
export async function regenerateAnswer(
  db: Database,
  conversationId: string,
  how: { sync: boolean; streamed: boolean; callerTokenId: string | undefined },
): Promise<Regenerated> {
  return await queryResult(db, regenerate, [
    conversationId,
    newId(),
    how.sync,
    how.streamed,
    how.callerTokenId ?? null,
  ]);
}
