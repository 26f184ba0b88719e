/**
 * Accepts and withdraws inputs, and finds conversations with overdue inputs. The API sends a 2xx response only after
 * the transaction of `acceptInput` has committed.
 */
import { v7 as newId } from 'uuid';
import { z } from 'zod';
import { channelName } from '../../../contract/conversations/channel-name.ts';
import type { AttachmentInput } from '../../../contract/conversations/chat.ts';
import type { EarlierTurn } from '../../../contract/conversations/earlier-turns.ts';
import { keepField, stringify, type JsonText } from '../../../contract/text.ts';
import { activeTraceparent, inSpan } from '../../../observability/spans.ts';
import {
  camelRow,
  firstRow,
  isUniqueViolation,
  queryResult,
  queryRow,
  queryRows,
  resultRow,
  statement,
  type Database,
} from '../database.ts';
import { givenFiles } from './given-files.ts';

/** The caller that sends an input. `mayView` is false if it may continue only conversations that it began. */
export type InputCaller =
  | { kind: 'token'; tokenId: string; mayView: boolean }
  /** A conversation that a member's input creates is a test: see `conversations.is_test`. */
  | { kind: 'person'; userId: string; mayView: boolean }
  /** Parley itself, whose inputs count against no token's limits. */
  | { kind: 'system' };

export interface NewInput {
  caller: InputCaller;
  organizationId: string;
  targetId: string;
  conversationId?: string | undefined;
  /** Id of the message that must be the user's last message in the conversation. */
  afterMessage?: string | undefined;
  contact?: { id: string; name?: string | undefined } | undefined;
  /** The run that a new conversation tries again, and the instructions that the agent has in that conversation. */
  tries?: { conversationId: string; runId: string; instructions: string } | undefined;
  /** True if a new conversation tries the agent's draft. The conversation is then a test. */
  triesDraft?: boolean | undefined;
  /** True if a new conversation tries the agent's candidate. The conversation is then a test. */
  triesCandidate?: boolean | undefined;
  /** True if tools that may change data are not executed in a new conversation. The conversation is then a test. */
  readOnly?: boolean | undefined;
  text: string;
  /** Earlier turns of the dialog that the caller gave with the text, oldest first. */
  earlierTurns?: readonly EarlierTurn[] | undefined;
  sync: boolean;
  /** True if the run gets a stream, because the caller asks for one. */
  streamed?: boolean;
  webhookUrl?: string | undefined;
  metadata?: JsonText | Record<string, unknown> | undefined;
  attachments?: AttachmentInput[] | undefined;
  idempotency?: { tokenId: string; path: string; key: string; requestHash: string } | undefined;
}

const acceptedInput = z.object({
  outcome: z.enum(['accepted', 'repeat']),
  conversation_id: z.string(),
  run_id: z.string(),
  message_id: z.string(),
  agent_id: z.string().nullable(),
  debounced: z.boolean(),
  /**
   * When the workflow must check for due work; null if it needs no nudge, usually because the input joined an open
   * group. For `repeat`: the run's due time, which may have passed.
   */
  wake_at: z.date().nullable(),
  /** The activity attempt whose worker is notified instead of the workflow; null if there is none. */
  served_by: z.string().nullable(),
});
export type AcceptedInput = z.infer<typeof acceptedInput>;

/** A message that was stored during a takeover. No run answers it. */
const keptInput = z.object({
  outcome: z.literal('kept'),
  conversation_id: z.string(),
  message_id: z.string(),
});
export type KeptInput = z.infer<typeof keptInput>;

const answer = z.discriminatedUnion('outcome', [
  acceptedInput,
  keptInput,
  z.object({
    outcome: z.enum([
      'not_found',
      'inactive',
      'conflict',
      'forbidden',
      'not_last',
      'no_draft',
      'no_candidate',
      'paused',
    ]),
  }),
]);
type Answer = z.infer<typeof answer>;

const overdueConversation = camelRow({
  id: z.string(),
  organizationId: z.string(),
  agentId: z.string(),
  channel: channelName,
});
export type OverdueConversation = z.infer<typeof overdueConversation>;

function callerValues(caller: InputCaller) {
  if (caller.kind === 'system') return {};
  const tokenId = caller.kind === 'token' ? caller.tokenId : undefined;
  return {
    caller_id: caller.kind === 'token' ? tokenId : caller.userId,
    caller_token_id: tokenId,
    knows_pauses: true,
    only_own: !caller.mayView,
  };
}

const accept = statement('accept-input', answer)`select * from accept_input($1::jsonb, $2::json, $3, $4)`;

/**
 * Stores an input in one transaction (see `functions/accept_input.sql`).
 * @param now when the input is accepted; default: the database's time. Only tests give another time
 * @returns `accepted` with the new ids; `repeat` with the ids that the first call with the idempotency key wrote; `kept`
 * if a takeover is active, so that no run answers the message; `paused` if a takeover is active and the input is sync;
 * `conflict` if that call had a different request; `not_found` if there is no such target or conversation, the target's
 * agent is deleted, the conversation is a trial, or the tried run was erased; `inactive` if the agent that would answer
 * is inactive or deleted; `forbidden` if the caller may not view the conversation, which another caller began;
 * `not_last` if `afterMessage` is not the user's last message; `no_draft` if `triesDraft` is true and the agent has no
 * draft; `no_candidate` if `triesCandidate` is true and the agent has no candidate
 * @throws the driver's error if the files exceed the organization's storage limit (see `isStorageFull`)
 */
export async function acceptInput(db: Database, input: NewInput, now?: Date): Promise<Answer> {
  const files = input.attachments?.length ? givenFiles(input.attachments) : undefined;
  const values = [
    JSON.stringify({
      organization_id: input.organizationId,
      target_id: input.targetId,
      conversation_id: input.conversationId,
      after_message: input.afterMessage,
      contact_id: input.contact?.id,
      contact_name: input.contact?.name,
      ...callerValues(input.caller),
      is_test:
        input.caller.kind === 'person' ||
        [input.triesDraft, input.triesCandidate, input.readOnly].includes(true),
      tries_conversation: input.tries?.conversationId,
      tries_run: input.tries?.runId,
      trial_instructions: input.tries?.instructions,
      tries_draft: input.triesDraft,
      tries_candidate: input.triesCandidate,
      read_only: input.readOnly,
      text: input.text,
      earlier_turns: input.earlierTurns,
      sync: input.sync,
      webhook_url: input.webhookUrl,
      new_conversation_id: newId(),
      message_id: newId(),
      run_id: newId(),
      streamed: input.streamed,
      traceparent: activeTraceparent(),
      ...(files && { attachments: files.rows }),
      ...(input.idempotency && {
        token_id: input.idempotency.tokenId,
        path: input.idempotency.path,
        key: input.idempotency.key,
        request_hash: input.idempotency.requestHash,
      }),
    }),
    input.metadata === undefined ? null : stringify(input.metadata),
    now ?? null,
    files?.bytes ?? null,
  ];
  const write = () => queryRows(db, accept, values);
  const attempt = async () => firstRow(await inSpan('accept_input', { kind: 'CLIENT' }, write));
  try {
    const answer = await attempt();
    return answer.outcome === 'not_last' && input.idempotency ? await attempt() : answer;
  } catch (error) {
    // Another call with the same key has committed first. The second attempt finds the key that it stored.
    if (isUniqueViolation(error, 'idempotency_keys_pkey')) return await attempt();
    throw error;
  }
}

const keyKnown = statement('key-known', resultRow(z.boolean()))`
  select exists (select from idempotency_keys where token_id = $1 and path = $2 and key = $3) as result`;

/** True if an input with this idempotency key was accepted and the key is still stored. */
export async function isKeyKnown(
  db: Database,
  { tokenId, path, key }: NonNullable<NewInput['idempotency']>,
): Promise<boolean> {
  return await queryResult(db, keyKnown, [tokenId, path, key]);
}

/**
 * Withdraws an input whose nudge could not be sent.
 * @returns true if the input no longer exists; false if it stays accepted, because its run has begun or ended, or a
 * repeat was acknowledged
 */
export const withdrawInput = statement('withdraw-input', z.boolean()).result<[messageId: string]>`
  select withdraw_input($1) as result`;

const rememberAnswer = statement('remember-answer', z.object({ status: z.number(), body: z.string() }))`
  update idempotency_keys set status = coalesce(status, $2), body = case when status is null then $3::json else body end
    where message_id = $1 returning status, body::text as body`;

/**
 * Stores the answer of a call, for repeats of the call. The first stored answer wins.
 * @returns the stored answer; undefined if the input was withdrawn or has no idempotency key
 */
export async function rememberCallAnswer(
  db: Database,
  messageId: string,
  status: number,
  body: unknown,
): Promise<{ status: number; body: unknown } | undefined> {
  const values = [messageId, status, stringify(body)];
  const row = await queryRow(db, rememberAnswer, values);
  return row && { status: row.status, body: keepField(row.body, JSON.parse(row.body), 'metadata') };
}

const overdue = statement('overdue-conversations', overdueConversation)`
  select distinct c.id, c.organization_id, c.agent_id, c.channel
    from (select conversation_id from runs where state in ('collecting', 'ready')
            and closes_at between clock_timestamp() - make_interval(secs => $2::double precision / 1000)
                              and clock_timestamp() - make_interval(secs => $1::double precision / 1000)
            order by closes_at limit $3) r
      join conversations c on c.id = r.conversation_id
    where not exists (select from runs o where o.conversation_id = c.id and o.state = 'running')`;

/**
 * Finds conversations with a group that was due `min` to `max` ms ago, and without a run in progress. A group becomes
 * overdue, for example, if the API process ends between the commit of an input and its nudge. Reads at most `limit`
 * groups, the earliest due ones first.
 */
export async function findOverdue(
  db: Database,
  { min, max }: { min: number; max: number },
  limit: number,
): Promise<OverdueConversation[]> {
  return await queryRows(db, overdue, [min, max, limit]);
}
