/** Publishes the events of runs to their readers (see `functions/append_stream_events.sql`). */
import { z } from 'zod';
import { camelRow, queryRows, statement, type Database } from '../database.ts';

export interface NewStreamEvent {
  run_id: string;
  step: number;
  event: 'delta' | 'restart' | 'tool_call' | 'transfer';
  /** The event's data as JSON text. */
  data: string;
  /** Id of the attempt at a model call that writes the event. If a later attempt has begun, the event is dropped. */
  writer?: string;
  /** Key of the event. The run publishes at most one event with this key; later ones are dropped. */
  once?: string;
}

const append = statement('append-stream-events')`select append_stream_events($1::jsonb)`;

/**
 * Publishes events, and notifies the readers. Drops events of runs without a stream, events of a writer that is not the
 * stream's current one, and events whose `once` key exists already.
 * @param events in order, of at most 100 runs. One notification lists the ids of all these runs, and Postgres limits a
 * notification to 8,000 bytes.
 */
export async function appendStreamEvents(db: Database, events: readonly NewStreamEvent[]): Promise<void> {
  if (events.length > 0) await queryRows(db, append, [JSON.stringify(events)]);
}

/**
 * Makes `writer` the current writer of the run's stream. If an earlier attempt at the step has published text,
 * publishes `restart`, so that readers discard that text. Does nothing if the run has no stream, because its caller did
 * not ask for one.
 * @param writer id of the new attempt at the model call
 */
export const beginStreamedStep = statement('begin-streamed-step').write<
  [runId: string, step: number, writer: string]
>`
  select begin_streamed_step($1, $2, $3)`;

const runOfInput = camelRow({
  runId: z.string(),
  conversationId: z.string(),
  /** Id of the token or member that began the conversation; null if none is recorded, as for a channel's contact. */
  begunBy: z.string().nullable(),
  /** Id of the agent or inbox to which the conversation's callers write. */
  targetId: z.string(),
});

/** @returns the run that answers an input; undefined if the organization has no such input, or no run answers it */
export const findRunOfInput = statement('find-input-run', runOfInput).row<
  [organizationId: string, messageId: string]
>`
  select m.run_id, m.conversation_id, c.begun_by, c.target_id
    from messages m join runs r on r.id = m.run_id join conversations c on c.id = m.conversation_id
    where m.organization_id = $1 and m.id = $2 and m.origin = 'user'`;
