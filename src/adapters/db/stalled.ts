import { queryRows, type Database, type Statement } from './database.ts';

export interface StalledConversation {
  id: string;
  organization_id: string;
  agent_id: string;
  channel: string;
  /** The run that was begun and has not ended, if any. */
  running_run: string | null;
}

/** Groups five seconds past their time, runs begun half a minute ago, callbacks pending for half a minute. In no
 *  order, so that many long runs cannot hide a stalled one for ever. */
const stalled: Statement = {
  name: 'stalled-conversations',
  text: `select c.id, c.organization_id, c.agent_id, c.channel,
      (select r.id from runs r where r.conversation_id = c.id and r.state = 'running' limit 1) as running_run
    from conversations c where c.id in (
      select conversation_id from runs where state in ('collecting', 'ready') and closes_at < clock_timestamp() - interval '5 s'
      union select conversation_id from runs where state = 'running' and claimed_at < clock_timestamp() - interval '20 s'
      union select conversation_id from deliveries where status = 'pending' and created_at < clock_timestamp() - interval '20 s')
    order by random() limit $1`,
};

export async function findStalled(db: Database, limit: number): Promise<StalledConversation[]> {
  return await queryRows<StalledConversation>(db, stalled, [limit]);
}

const forget: Statement = {
  name: 'forget-old-attempts',
  text: `update deliveries set status = 'unknown', finished_at = clock_timestamp(),
             error = 'The process ended while it was attempting this callback.'
           where status = 'attempting' and attempted_at < clock_timestamp() - make_interval(secs => $1::double precision / 1000)
           returning id`,
};

/**
 * An attempt that can have no more outcome is unknown; it is never repeated.
 * @returns how many there were
 */
export async function forgetOldAttempts(db: Database, olderThanMs: number): Promise<number> {
  return (await queryRows(db, forget, [olderThanMs])).length;
}
