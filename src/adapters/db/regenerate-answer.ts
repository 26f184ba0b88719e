import { v7 as newId } from 'uuid';
import { queryResult, type Database, type Statement } from './database.ts';

const regenerate: Statement = {
  name: 'regenerate-answer',
  text: 'select regenerate_answer($1, $2, $3, $4, null) as result',
};

type Regenerated =
  | { outcome: 'accepted'; run_id: string; message_id: string; agent_id: string }
  | { outcome: 'invalid_state' | 'inactive' };

/** A new run over the inputs of the conversation's last one (migrations/0043-regenerate.ts says what stands). */
export async function regenerateAnswer(
  db: Database,
  conversationId: string,
  how: { sync: boolean; streamed: boolean },
): Promise<Regenerated> {
  return await queryResult(db, regenerate, [conversationId, newId(), how.sync, how.streamed]);
}
