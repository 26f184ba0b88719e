/** Publishes the events of runs to their readers (`functions/append_stream_events.sql`). */
import { queryRow, queryRows, statement, type Database } from '../database.ts';

export interface NewStreamEvent {
  run_id: string;
  step: number;
  event: 'delta' | 'restart' | 'tool_call' | 'transfer';
  /** The event's data as JSON text. */
  data: string;
  /** The attempt that writes the event. If another attempt has started since then, the event is dropped. */
  writer?: string;
  /** Key of an event that is published at most once per run. */
  once?: string;
}

const append = statement('append-stream-events')`select append_stream_events($1::jsonb)`;

/**
 * Publishes events, and notifies the readers. Drops events of runs without readers.
 * @param events in order, of at most 100 runs, because one notification lists all runs and holds 8,000 bytes
 */
export async function appendStreamEvents(db: Database, events: readonly NewStreamEvent[]): Promise<void> {
  if (events.length > 0) await queryRows(db, append, [JSON.stringify(events)]);
}

const begin = statement('begin-streamed-step')`select begin_streamed_step($1, $2, $3)`;

/** Makes `writer` the stream's writer, and publishes `restart` if an earlier attempt at the step published text. */
export async function beginStreamedStep(
  db: Database,
  runId: string,
  step: number,
  writer: string,
): Promise<void> {
  await queryRows(db, begin, [runId, step, writer]);
}

const find = statement('find-input-run')`
  select m.run_id as "runId", m.conversation_id as "conversationId", c.begun_by as "begunBy",
      c.target_id as "targetId"
    from messages m join runs r on r.id = m.run_id join conversations c on c.id = m.conversation_id
    where m.organization_id = $1 and m.id = $2 and m.origin = 'user'`;

export interface RunOfInput {
  runId: string;
  conversationId: string;
  /** The token or member that began the conversation. */
  begunBy: string | null;
  /** The agent or inbox that the conversation's callers write to. */
  targetId: string;
}

/** @returns the run that answers an input; undefined if the organization has no such input, or no run answers it */
export async function findRunOfInput(
  db: Database,
  organizationId: string,
  messageId: string,
): Promise<RunOfInput | undefined> {
  return await queryRow<RunOfInput>(db, find, [organizationId, messageId]);
}
