/** Pausing the agent for one contact: a person writes instead. */
import { queryRows, type Database, type Statement } from './database.ts';

const pause: Statement = {
  name: 'pause-conversation',
  text: `select pause_conversation($1, clock_timestamp() + make_interval(mins => coalesce($2::integer,
           (select h.pause_minutes from channels h join conversations c on c.target_id = h.agent_id where c.id = $1), 720)),
           $3, clock_timestamp())`,
};
/** @param minutes the channel's setting where absent */
export async function pauseConversation(
  db: Database,
  id: string,
  minutes: number | undefined,
  by: 'phone' | 'console' | 'api',
): Promise<void> {
  await queryRows(db, pause, [id, minutes ?? null, by]);
}

const resume: Statement = {
  name: 'resume-conversation',
  text: 'update conversations set paused_until = null, paused_by = null, updated_at = clock_timestamp() where id = $1',
};
export async function resumeConversation(db: Database, id: string): Promise<void> {
  await queryRows(db, resume, [id]);
}
