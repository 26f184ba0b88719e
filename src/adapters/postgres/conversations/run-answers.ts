/**
 * Waits until runs have ended, and reads their answers. Reads from Postgres whether a run has ended, so that an API
 * process can wait for a run of any worker.
 */
import { z } from 'zod';
import { runErrorCode, type RunErrorCode } from '../../../contract/conversations/callback.ts';
import { chatAnswer, type ChatAnswer } from '../../../contract/conversations/chat.ts';
import { JsonText } from '../../../contract/text.ts';
import { unknownFailure } from '../../../domain/conversations/run-outcome.ts';
import type { Notifications } from '../notifications.ts';
import { idRow, queryIds, queryRow, statement, type Database } from '../database.ts';
import { acrossOrganizations } from '../organization-scope.ts';
import { metadataOf } from './run-metadata.ts';

const ended = statement('ended-runs', idRow)`
  select id from runs where id = any($1::uuid[]) and state in ('answered', 'handed_over', 'failed', 'cancelled')`;
const pollMs = 1000;

/**
 * Waits until runs have ended. Gets notifications from Postgres, but also polls, because Postgres notifies only of sync
 * and cancelled runs, and notifications are lost while the connection is broken.
 */
export class RunAnswers {
  readonly #db: Database;
  readonly #notifications: Notifications;
  readonly #failed: (error: unknown) => void;
  readonly #waiting = new Map<string, Set<() => void>>();
  #timer: NodeJS.Timeout | undefined;

  /** @param failed called with each read error; the next poll reads again */
  constructor(db: Database, notifications: Notifications, failed: (error: unknown) => void) {
    this.#db = db;
    this.#failed = failed;
    this.#notifications = notifications;
    notifications.on('run_ended', (runId) => {
      this.#wake(runId);
    });
  }

  /** @returns true when the run has ended; false if the timeout passes or the signal aborts first */
  async waitFor(runId: string, timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const wake = () => {
      resolve(true);
    };
    const stop = () => {
      resolve(false);
    };
    const waiters = this.#waiting.get(runId) ?? new Set();
    this.#waiting.set(runId, waiters.add(wake));
    const timer = setTimeout(stop, timeoutMs);
    if (signal?.aborted === true) stop();
    signal?.addEventListener('abort', stop);
    try {
      this.#timer ??= setInterval(() => {
        void this.#poll([...this.#waiting.keys()]);
      }, pollMs);
      this.#notifications.connect();
      await this.#poll([runId]);
      return await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      waiters.delete(wake);
      if (waiters.size === 0) this.#waiting.delete(runId);
      if (this.#waiting.size === 0) this.close();
    }
  }

  /** Stops polling. A call of `waitFor` that still waits then ends only by a notification, its timeout or signal. */
  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #poll(ids: string[]): Promise<void> {
    try {
      // This query reads only ids, of all organizations whose callers wait. findAnswer() reads the answer within one
      // organization.
      for (const id of await acrossOrganizations(() => queryIds(this.#db, ended, [ids]))) this.#wake(id);
    } catch (error) {
      // The caller still waits. A later poll succeeds when Postgres is available again.
      this.#failed(error);
    }
  }

  #wake(runId: string): void {
    for (const wake of this.#waiting.get(runId) ?? []) wake();
  }
}

const answerRow = z.object({
  state: z.string(),
  error: z.string().nullable(),
  error_code: runErrorCode.nullable(),
  finished_at: z.date(),
  agent_id: z.string(),
  agent_name: z.string(),
  /** Null if the run has no step. */
  model: z.string().nullable(),
  /** JSON text as the caller sent it. */
  metadata: z.string().nullable(),
  attachments: z.number(),
  /** Credits of the steps after the run's last message, or of all its steps if it has written no message. */
  uncarried: z.number(),
  messages: z
    .array(
      chatAnswer.shape.messages.element.extend({
        model: z.string().nullable(),
        credits_used: z.number().nullable(),
        pre_transfer: z.boolean(),
        structured: z.boolean(),
      }),
    )
    .nullable(),
});

const answerOf = statement('run-answer', answerRow)`
  select r.state, r.error, r.error_code, r.finished_at, a.id as agent_id, a.name as agent_name,
      (select s.model from run_steps s where s.run_id = r.id order by s.step desc limit 1) as model, (${metadataOf('r')})::text as metadata,
      (select coalesce(sum(s.credits), 0)::double precision from run_steps s where s.run_id = r.id
         and s.step > coalesce((select max(step) from run_steps where run_id = r.id and message_id is not null), -1)) as uncarried,
      (select count(*) from attachments f join messages i on i.id = f.message_id
         where i.conversation_id = r.conversation_id and i.run_ordinal = r.ordinal)::int as attachments,
      (select json_agg(json_build_object('message_id', m.id, 'agent_id', m.agent_id, 'responding_agent_name', m.agent_name,
           'response', m.text, 'pre_transfer', m.pre_transfer, 'structured', m.structured, 'model', m.model, 'credits_used', m.credits_used) order by m.seq)
         from messages m where m.conversation_id = r.conversation_id and m.run_ordinal = r.ordinal and m.origin <> 'user') as messages
    from runs r join conversations c on c.id = r.conversation_id join agents a on a.id = coalesce(r.agent_id, c.agent_id) where r.id = $1`;

/**
 * Reads the result of a run that has ended.
 * @returns the answer, whose response is empty if the run ended without a message, for example by a takeover; `failed`
 * with the run's error, and the error's code if it has one; `cancelled` if the run was cancelled; undefined if it was
 * erased
 */
export async function findAnswer(
  db: Database,
  conversationId: string,
  runId: string,
): Promise<{ answer: ChatAnswer } | { failed: string; code?: RunErrorCode } | 'cancelled' | undefined> {
  const row = await queryRow(db, answerOf, [runId]);
  if (row === undefined) return undefined;
  if (row.state === 'cancelled') return 'cancelled';
  if (row.state === 'failed') {
    return { failed: row.error ?? unknownFailure, ...(row.error_code !== null && { code: row.error_code }) };
  }
  const messages = row.messages ?? [];
  const last = messages.at(-1);
  const final = last !== undefined && !last.pre_transfer ? last : undefined;
  return {
    answer: {
      success: true,
      conversation_id: conversationId,
      agent_id: final?.agent_id ?? row.agent_id,
      ...(final && { message_id: final.message_id }),
      response: final?.response ?? '',
      ...(final && outputOf(final)),
      model: final?.model ?? row.model ?? 'none',
      credits_used: final?.credits_used ?? row.uncarried,
      attachments_processed: row.attachments,
      responding_agent_name: final?.responding_agent_name ?? row.agent_name,
      ...(row.metadata !== null && { metadata: new JsonText(row.metadata) }),
      timestamp: row.finished_at.toISOString(),
      messages: messages.map((message) => ({
        message_id: message.message_id,
        agent_id: message.agent_id,
        responding_agent_name: message.responding_agent_name,
        response: message.response,
        ...outputOf(message),
        ...(message.pre_transfer && { pre_transfer: true as const }),
      })),
    },
  };
}

/** Returns the field `output` of a message; false if it has none. */
const outputOf = ({ structured, response }: { structured: boolean; response: string }) =>
  structured && { output: new JsonText(response) };
