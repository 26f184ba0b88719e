import type { Database } from '../../src/adapters/postgres/database.ts';

/** Moves the runs of a conversation, and their messages, into the past by so many days. */
export async function ageRuns(db: Database, conversationId: string, days: number): Promise<void> {
  await db.pool.query(
    `with aged as (
        update messages set created_at = created_at - make_interval(days => $2) where conversation_id = $1)
      update runs set finished_at = finished_at - make_interval(days => $2) where conversation_id = $1`,
    [conversationId, days],
  );
}
