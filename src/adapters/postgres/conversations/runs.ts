/**
 * Claims, advances and ends runs, with one SQL statement per change. The SQL files in `../functions` document what each
 * change guarantees.
 */
import { v7 as newId } from 'uuid';
import { z } from 'zod';
import { channelName } from '../../../contract/conversations/channel-name.ts';
import { answerTargetOf } from '../../../domain/conversations/answer-target.ts';
import { silenceAfter } from '../../../domain/conversations/follow-up-plan.ts';
import { inputText, type PriceTable } from '../../../domain/conversations/model-call.ts';
import { toolCallRef, unknownFailure, type RunOutcome } from '../../../domain/conversations/run-outcome.ts';
import type { FaultCode } from '../../models/model.ts';
import { sealedProvider } from '../../models/models.ts';
import type { Attempt } from '../attempts.ts';
import {
  camelKeys,
  idRow,
  queryIds,
  queryResult,
  queryRow,
  resultRow,
  statement,
  type Database,
} from '../database.ts';
import { contentRow } from './agent-content.ts';

const delivery = z.object({ id: z.string(), kind: z.enum(['callback', 'channel_reply']) });

/** The results of `run_outcome`, with their keys in camel case, which workflows use. */
const outcomes = [
  z.object({
    next: z.literal('tools'),
    runId: z.string(),
    step: z.number(),
    calls: z.array(
      z.object({ position: z.number(), name: z.string(), is_known: z.boolean() }).transform(toolCallRef),
    ),
    deliveries: z.array(delivery).exactOptional(),
  }),
  z.object({
    next: z.literal('transfer'),
    runId: z.string(),
    step: z.number(),
    delivery: delivery.exactOptional(),
  }),
  z
    .object({
      next: z.literal('answer'),
      runId: z.string(),
      step: z.number(),
      delivery: delivery.exactOptional(),
      wakeAt: z.number().exactOptional(),
      answeredAt: z.number(),
      spoke: z.boolean(),
      followUps: z.array(z.number()).exactOptional(),
    })
    .transform(({ spoke, answeredAt, followUps: ofAgent, ...answer }) => {
      // A run that wrote no message gets no follow-ups.
      const followUps = spoke ? ofAgent : undefined;
      return { ...answer, ...(followUps && { followUps, answeredAt }) };
    }),
  z.object({
    next: z.literal('failed'),
    runId: z.string(),
    delivery: delivery.exactOptional(),
    wakeAt: z.number().exactOptional(),
  }),
  z.object({ next: z.literal('cancelled'), runId: z.string() }),
  z.object({ next: z.literal('gone') }),
] as const;

const outcomeRow = z.preprocess(camelKeys, z.discriminatedUnion('next', outcomes));
const recordedRow = z.preprocess(
  camelKeys,
  z.discriminatedUnion('next', [...outcomes, z.object({ next: z.literal('stale') })]),
);

const priceTable = z.record(z.string(), z.object({ input: z.number(), output: z.number() }));

const runView = z.object({
  id: z.string(),
  conversation_id: z.string(),
  organization_id: z.string(),
  ordinal: z.number(),
  mode: z.enum(['single', 'window', 'sync', 'follow_up']),
  state: z.string(),
  transfers: z.number(),
  follow_up_attempt: z.number().nullable(),
  channel: channelName,
  prices: priceTable,
  /**
   * In a trial: the earlier run whose inputs the trial answers again. The model reads the messages before that run,
   * then the messages of the trial. Null if the run belongs to no trial.
   */
  tries: z.object({ conversation_id: z.string(), run_id: z.string() }).nullable(),
  /** True if tools that may change data are not executed. */
  reads_only: z.boolean(),
  /** True if the run has a stream, because its caller asked for one. */
  streamed: z.boolean(),
  /** Milliseconds since the run was opened (`runs.opened_at`). */
  age_ms: z.number(),
  /**
   * Milliseconds from the run's due time, or the previous run's end if that is later, to the run's claim; negative if a
   * flush claimed the run before it was due.
   */
  lag_ms: z.number().nullable(),
  /** True if a cap on credits may apply to the run's model calls. */
  is_capped: z.boolean(),
  /** Number of steps recorded so far; also the index of the next step. */
  steps: z.number(),
  agent: z.object({
    id: z.string(),
    name: z.string(),
    /** The number of the agent's version that the run uses; negative for a version of a draft. */
    version: z.number(),
    /** `model`: the agent's model, or the organization's default if the agent has none. */
    ...contentRow.shape,
    /**
     * The text that the agent sends as its answer if a cap on credits allows no model call; null: the run fails
     * instead, as a follow-up always does.
     */
    cap_message: z.string().nullable(),
    /** Time limit of one model call, in seconds; null: the installation's limit applies. */
    model_timeout_seconds: z.number().nullable(),
  }),
  /** The organization's own provider of the model; null: the installation's provider. */
  provider: sealedProvider.nullable(),
  /**
   * The failure after which the run's calls for this agent go to its fallback model: the model that failed, its error,
   * and the step of the failure. Null while the calls go to the agent's model.
   */
  fell_back: z.object({ step: z.number(), model: z.string(), error: z.string() }).nullable(),
  /** The organization's own provider of the fallback model; null: the installation's provider, or no fallback. */
  fallback_provider: sealedProvider.nullable(),
  inputs: z.array(z.object({ text: z.string(), quoted: z.string().nullable() }).transform(inputText)),
  /** Ids of the files that must be fetched before the model call. */
  unfetched: z.array(z.string()),
});
export type RunView = z.infer<typeof runView>;

const claimRow = z.preprocess(
  camelKeys,
  z.discriminatedUnion('next', [
    ...outcomes,
    z
      .object({
        next: z.literal('idle'),
        deliveries: z.array(delivery).exactOptional(),
        last: outcomeRow.exactOptional(),
        followUpOf: z.string().exactOptional(),
        attempt: z.number().exactOptional(),
      })
      .transform(({ last, followUpOf, attempt, ...idle }) => {
        const silence = last?.next === 'answer' ? silenceAfter({ ...last, followUpOf, attempt }) : undefined;
        return { ...idle, ...(silence && { silence }) };
      }),
    z.object({
      next: z.literal('waiting'),
      deliveries: z.array(delivery).exactOptional(),
      wakeAt: z.number(),
      waitMs: z.number(),
    }),
    z.object({ next: z.literal('superseded') }),
    z.object({ next: z.literal('run'), run: runView, served: z.boolean() }),
  ]),
);
/**
 * A claimed run, or the outcome on which the workflow must act instead. `served` is true if the claiming attempt serves
 * the conversation.
 */
export type Claimed = RunOutcome | { next: 'run'; run: RunView; served: boolean };

/** An attempt of an activity that claims a run, and that may also answer the conversation's next inputs. */
export interface Serving {
  /** Id of the attempt, as `conversations.served_by` stores it. */
  by: string;
  /**
   * The attempt serves the conversation if the claimed run was opened before the previous run's answer, or less than
   * this many milliseconds after it.
   */
  warmMs: number;
  /** True if the attempt has already answered a run. It then claims a run only if it still serves the conversation. */
  lingering: boolean;
}

/** @returns the three parameters of `attemptCte`; nulls without an attempt, so that the statement records none */
function attemptValues(attempt: Attempt | undefined): (string | null)[] {
  return attempt === undefined ? [null, null, null] : [attempt.id, attempt.unit, attempt.worker];
}

/**
 * Builds a CTE that records an attempt, for the statement that claims the work.
 * @param first number of the first of the three parameters of attemptValues()
 */
function attemptCte(first: number): string {
  const [id, unit, worker] = [first, first + 1, first + 2];
  return `begun as (insert into work_attempts (id, unit, worker)
    select $${id}::uuid, $${unit}::text, $${worker}::uuid where $${id}::uuid is not null on conflict do nothing)`;
}

const claim = statement('claim-run', resultRow(claimRow))`
  with ${attemptCte(8)} select claim_run($1, $2, $3, $4, $5, $6, $7) as result`;
const claimFollowUp = statement('claim-follow-up', resultRow(claimRow))`
  with ${attemptCte(7)} select claim_follow_up($1, $2, $3, $4, $5, $6) as result`;
const view = statement('run-view', resultRow(runView.nullable()))`
  with ${attemptCte(2)} select run_view($1) as result`;
const outcome = statement('step-outcome', resultRow(outcomeRow.nullable()))`
  select run_outcome($1, $2) as result`;
const record = statement('record-step', resultRow(recordedRow))`
  with recorded as (select record_step($1, $2) as result)
       , done as (delete from work_attempts where unit = $3 and (select result->>'next' from recorded) <> 'stale')
         select result from recorded`;
/** Fails a run, and deletes its attempts, so that workers lost during this run do not count against the next run. */
const fail = statement('fail-run', resultRow(outcomeRow))`
  with done as (delete from work_attempts where unit in ('run/' || $1::text,
      (select 'turn/' || conversation_id::text from runs where id = $1::text::uuid)))
  select record_step($2, $3) as result`;
const running = statement('running-run', idRow)`
  select id from runs where conversation_id = $1 and state = 'running' order by ordinal limit 1`;

export class Runs {
  readonly #db: Database;
  readonly #now: () => Date | null;
  /** @param now returns the time, for tests; by default, or if it returns null, the database's clock is used */
  constructor(db: Database, now: () => Date | null = () => null) {
    this.#db = db;
    this.#now = now;
  }

  /**
   * Claims the conversation's next run (see `functions/claim_run.sql`).
   * @param claimant the activity; `repeated` is true if an earlier attempt may have claimed a run and lost the result
   * @param flush true to claim the open group before its window ends
   * @param attempt recorded by the statement that claims the run
   * @param serving present if the activity may also answer the conversation's next inputs
   * @returns `run` with the run's data; `idle` if no run is open; `waiting` if the group is still open or deliveries
   * come first; `superseded` if `serving.lingering` is true and the attempt no longer serves the conversation; `gone`
   * if the conversation was erased. If an earlier attempt of the activity has ended a run, and no run is in progress,
   * returns the outcome of the ended run.
   */
  async claim(
    conversationId: string,
    prices: PriceTable,
    claimant: { id: string; repeated: boolean },
    flush = false,
    attempt?: Attempt,
    serving?: Serving,
  ): Promise<Claimed> {
    const serve =
      serving && JSON.stringify({ by: serving.by, warm_ms: serving.warmMs, lingering: serving.lingering });
    const values = [
      conversationId,
      JSON.stringify(prices),
      claimant.id,
      claimant.repeated,
      flush,
      this.#now(),
      serve ?? null,
      ...attemptValues(attempt),
    ];
    return await queryResult(this.#db, claim, values);
  }

  /**
   * Claims follow-up number `attempt` after run `of` (see `functions/claim_follow_up.sql`).
   * @param noted recorded by the statement that claims the follow-up
   * @returns `run` with the follow-up's data, also on a repeated call; the follow-up's outcome if it has already ended;
   * `superseded` if it is no longer due; `gone` if the conversation was erased
   */
  async claimFollowUp(
    conversationId: string,
    of: string,
    attempt: number,
    prices: PriceTable,
    noted?: Attempt,
  ): Promise<Claimed> {
    const followUp = [conversationId, of, attempt, newId(), JSON.stringify(prices), this.#now()];
    const values = [...followUp, ...attemptValues(noted)];
    return await queryResult(this.#db, claimFollowUp, values);
  }

  /** Reads the data of a claimed run, and records the attempt if one is given. @returns null if the run was erased */
  async view(runId: string, attempt?: Attempt): Promise<RunView | null> {
    return await queryResult(this.#db, view, [runId, ...attemptValues(attempt)]);
  }

  /** @returns the outcome of a step; null if the step is not recorded */
  async outcome(runId: string, step: number): Promise<RunOutcome | null> {
    return await queryResult(this.#db, outcome, [runId, step]);
  }

  /**
   * Records a step (see `functions/record_step.sql`). Idempotent: the first call for a step wins, and later calls
   * return the outcome of the recorded step.
   * @param attempt the attempt that made the step. Unless the result is `stale`, the statement also deletes all
   * attempts at its unit of work, and the call sets `done` to true
   * @returns the outcome of the step; `stale` if nothing was recorded, because the run has an input that the model did
   * not receive; `gone` if the run was erased, or ended before the step was recorded
   */
  async record(
    step: NewStep,
    attempt?: Attempt & { done?: boolean },
  ): Promise<RunOutcome | { next: 'stale' }> {
    const ids = { message_id: newId(), delivery_id: newId() };
    const row = { ...step, ...ids, answer_target_of: answerTargetOf, knows_read_only: true };
    const values = [JSON.stringify(row), this.#now(), attempt?.unit ?? null];
    const outcome = await queryResult(this.#db, record, values);
    if (attempt !== undefined && outcome.next !== 'stale') attempt.done = true;
    return outcome;
  }

  /**
   * Fails a run (see `functions/record_step.sql`), and deletes its attempts. Idempotent.
   * @param error default: the run's last model error, or `unknownFailure` if there is none
   * @returns the outcome of the run: `failed`, or the earlier outcome if the run had already ended; `gone` if the run
   * was erased
   */
  async fail(runId: string, error?: string): Promise<RunOutcome> {
    const failure = {
      run_id: runId,
      kind: 'failed',
      error,
      default_error: unknownFailure,
      delivery_id: newId(),
      answer_target_of: answerTargetOf,
    };
    return await queryResult(this.#db, fail, [runId, JSON.stringify(failure), this.#now()]);
  }

  /** Fails the conversation's run in progress. @returns the result of `fail`; undefined if no run is in progress */
  async failRunning(conversationId: string, error: string): Promise<RunOutcome | undefined> {
    const [id] = await queryIds(this.#db, running, [conversationId]);
    return id === undefined ? undefined : await this.fail(id, error);
  }

  /**
   * Counts a failed model call, and stores the details of the step's first `maxFailuresKept` failed calls. Not
   * idempotent.
   * @returns the number of failures of this step, including this one
   */
  async countModelFailure(
    runId: string,
    step: number,
    { error, words, model = null, ms, agent, code }: ModelFailure,
  ): Promise<number> {
    const call = {
      ms: ms ?? null,
      agent_id: agent?.id ?? null,
      agent_version: agent?.version ?? null,
      error,
      model,
    };
    const values = [runId, step, error, words ?? null, model, JSON.stringify(call), code ?? null];
    return (await queryRow(this.#db, countFailure, values))?.count ?? 1;
  }

  /** Replaces the error of the step's last counted failure, which becomes the error of the run. Idempotent. */
  async describeFailure(runId: string, step: number, error: string): Promise<void> {
    await describe(this.#db, runId, step, error);
  }

  /**
   * Records that the run's further calls for the agent go to its fallback model, because the last counted failure of
   * this step was final. Does nothing if text of the step has already been streamed.
   * @returns true if the calls now go to the fallback, also on a repeated call
   */
  async fallBack(runId: string, step: number, failed: FinalFailure): Promise<boolean> {
    const { agentId: agent_id, model, error, words: provider_message = null } = failed;
    const json = JSON.stringify({ agent_id, model, error, provider_message });
    return await fallBack(this.#db, runId, step, json);
  }
}

interface FinalFailure {
  agentId: string;
  /** The model that failed, as `provider/name`. */
  model: string;
  error: string;
  words?: string | undefined;
}

interface ModelFailure {
  error: string;
  /** The provider's error text, shortened and with API keys removed (see `keptWords`). */
  words?: string | undefined;
  model?: string | null;
  /** Duration of the call in milliseconds. */
  ms?: number | undefined;
  agent?: { id: string; version: number } | undefined;
  /** The code that the failed run gets if this failure ends it. */
  code?: FaultCode | undefined;
}

export interface NewStep {
  run_id: string;
  step: number;
  /** Number of the run's inputs that the model received. */
  inputs: number;
  kind: 'tools' | 'transfer' | 'answer';
  text: string;
  /** True if the model's text was cut off. */
  truncated: boolean;
  /** True if the text is JSON that fits the agent's output schema. */
  structured?: boolean;
  model: string;
  input_tokens: number;
  output_tokens: number;
  /** Number of the input tokens that the provider read from its cache. */
  cached_input_tokens?: number;
  credits: number;
  message_credits: number;
  agent_version: number;
  /** `provider/name`, the key of the price table. */
  model_id: string;
  /** Set if the agent's fallback model made the call: the model that failed, and its error. */
  fallback?: { failed_model: string; reason: string };
  /** Duration of the model call in milliseconds. */
  model_ms: number;
  /** Number of earlier messages that the model received. */
  history_turns: number;
  /** True if a text was cut to fit the model's context window. */
  was_cut: boolean;
  transfer_to?: string;
  /** Set if the answer hands the conversation over to a person. */
  hand_over?: { call_id: string; name: string; reason: string };
  calls?: { call_id: string; name: string; input: unknown; result?: string }[];
}

/**
 * Maximum failed model calls whose details are stored per step. A run fails after three failed calls of one step, but
 * more can be made if an operator resets the workflow. Chosen.
 */
const maxFailuresKept = 5;

const countFailure = statement('count-model-failure', z.object({ count: z.number() }))`
  with made as (select jsonb_build_array($6::jsonb || jsonb_build_object('at', clock_timestamp(), 'provider_message', $4::text)) as call)
  insert into model_failures (run_id, step, count, last_error, provider_message, model, calls, code)
    select $1, $2, 1, $3, $4, $5, call, $7 from made
    on conflict (run_id, step) do update set count = model_failures.count + 1, last_error = $3, code = $7,
      provider_message = $4, model = $5, last_at = clock_timestamp(),
      calls = case when jsonb_array_length(model_failures.calls) < ${maxFailuresKept}
        then model_failures.calls || excluded.calls else model_failures.calls end
    returning count`;
type Step = [runId: string, step: number];
const describe = statement('describe-model-failure').write<[...Step, error: string]>`
  update model_failures set last_error = $3 where run_id = $1 and step = $2`;
const fallBack = statement('fall-back').hasRow<[...Step, failed: string]>`
  update model_failures set fell_back = coalesce(fell_back, $3::jsonb) where run_id = $1 and step = $2
      and not exists (select from run_stream_events where run_id = $1 and step = $2 and event = 'delta')
    returning run_id`;
