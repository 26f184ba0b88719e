/** Runs: claimed, stepped and ended by one statement each (the files of `../functions` say what they guarantee). */
import { v7 as newId } from 'uuid';
import type { ScriptRule } from '../../../contract/conversations/agents.ts';
import type { Silence, StepOutcome } from '../../../domain/conversations/run-outcome.ts';
import type { PriceTable } from '../../../domain/conversations/price.ts';
import { attemptValues, noting, type Attempt } from '../attempts.ts';
import { queryResult, queryRows, type Database, type Statement } from '../database.ts';

export interface RunView {
  id: string;
  conversation_id: string;
  organization_id: string;
  ordinal: number;
  mode: 'single' | 'window' | 'sync' | 'follow_up';
  state: string;
  transfers: number;
  follow_up_attempt: number | null;
  channel: string;
  prices: PriceTable;
  /** A reader streams the run. */
  streamed: boolean;
  /** Milliseconds since its first input was accepted. */
  age_ms: number;
  /** Milliseconds from when it was due until it was claimed. */
  lag_ms: number;
  /** Recorded steps, which is the number of the next step. */
  steps: number;
  agent: {
    id: string;
    name: string;
    instructions: string;
    model: string | null;
    script: ScriptRule[] | null;
    transfers_to: string[];
    tools: string[];
    follow_ups: { after_seconds: number; instructions: string }[];
  };
  inputs: string[];
  unfetched: string[];
}

export type Claim =
  | { kind: 'gone' | 'superseded' }
  | { kind: 'idle'; silence?: Silence }
  | { kind: 'waiting'; wake_at: number; wait_ms: number }
  | { kind: 'deliver'; delivery_id: string }
  /** An earlier attempt completed the run, but its result was lost. */
  | { kind: 'ended'; outcome: StepOutcome }
  | { kind: 'run'; run: RunView };

const claim: Statement = {
  name: 'claim-run',
  text: `with ${noting(7)} select claim_run($1, $2, $3, $4, $5, $6) as result`,
};
const claimFollowUp: Statement = {
  name: 'claim-follow-up',
  text: `with ${noting(7)} select claim_follow_up($1, $2, $3, $4, $5, $6) as result`,
};
const view: Statement = { name: 'run-view', text: `with ${noting(2)} select run_view($1) as result` };
const outcome: Statement = { name: 'step-outcome', text: 'select run_outcome($1, $2) as result' };
const record: Statement = {
  name: 'record-step',
  text: `with recorded as (select record_step($1, $2) as result)
       , done as (delete from work_attempts where unit = $3 and (select result->>'next' from recorded) <> 'stale')
         select result from recorded`,
};
/** Workers lost at this run do not count for the conversation's next work. */
const fail: Statement = {
  name: 'fail-run',
  text: `with done as (delete from work_attempts where unit in ('run/' || $1::text,
             (select 'turn/' || conversation_id::text from runs where id = $1::text::uuid)))
         select fail_run($1::text::uuid, $2, $3, $4) as result`,
};
const running: Statement = {
  name: 'running-run',
  text: `select id from runs where conversation_id = $1 and state = 'running' order by ordinal limit 1`,
};

export class Runs {
  readonly #db: Database;
  readonly #now: () => Date | null;
  /** @param now for tests with a clock of their own; default: the database's clock */
  constructor(db: Database, now: () => Date | null = () => null) {
    this.#db = db;
    this.#now = now;
  }

  /**
   * @param claimant identifies the attempt; `repeated`: it may have claimed before and lost the result
   * @param flush true: the open group does not wait for its window
   */
  async claim(
    conversationId: string,
    prices: PriceTable,
    claimant: { id: string; repeated: boolean },
    flush = false,
    attempt?: Attempt,
  ): Promise<Claim> {
    const values = [
      conversationId,
      JSON.stringify(prices),
      claimant.id,
      claimant.repeated,
      flush,
      this.#now(),
      ...attemptValues(attempt),
    ];
    return await queryResult(this.#db, claim, values);
  }

  async claimFollowUp(
    conversationId: string,
    of: string,
    attempt: number,
    prices: PriceTable,
    noted?: Attempt,
  ): Promise<Claim> {
    const claimed = [conversationId, of, attempt, newId(), JSON.stringify(prices), this.#now()];
    const values = [...claimed, ...attemptValues(noted)];
    return await queryResult(this.#db, claimFollowUp, values);
  }

  async view(runId: string, attempt?: Attempt): Promise<RunView | null> {
    return await queryResult(this.#db, view, [runId, ...attemptValues(attempt)]);
  }

  /** @returns the decision of a recorded step, or null */
  async outcome(runId: string, step: number): Promise<StepOutcome | null> {
    return await queryResult(this.#db, outcome, [runId, step]);
  }

  /** @returns `stale` if nothing was recorded, because the run got an input that the model did not see */
  async record(
    step: NewStep,
    attempt?: Attempt & { done?: boolean },
  ): Promise<StepOutcome | { next: 'stale' }> {
    const row = { ...step, message_id: newId(), delivery_id: newId() };
    const values = [JSON.stringify(row), this.#now(), attempt?.unit ?? null];
    const outcome = await queryResult<StepOutcome | { next: 'stale' }>(this.#db, record, values);
    if (attempt !== undefined && outcome.next !== 'stale') attempt.done = true;
    return outcome;
  }

  /** @param error the reason; default: the last failure of its model */
  async fail(runId: string, error?: string): Promise<StepOutcome> {
    return await queryResult(this.#db, fail, [runId, error ?? null, newId(), this.#now()]);
  }

  /** Fails the conversation's run in progress. @returns undefined if there is none */
  async failRunning(conversationId: string, error: string): Promise<StepOutcome | undefined> {
    const [run] = await queryRows<{ id: string }>(this.#db, running, [conversationId]);
    return run && (await this.fail(run.id, error));
  }

  /**
   * Counts a failed model call. @returns the number of failures of this step
   * @param words the provider's own text, shortened and without keys
   */
  async countModelFailure(runId: string, step: number, error: string, words?: string): Promise<number> {
    const values = [runId, step, error, words ?? null];
    const [row] = await queryRows<{ count: number }>(this.#db, countFailure, values);
    return row?.count ?? 1;
  }
}

export interface NewStep {
  run_id: string;
  conversation_id: string;
  step: number;
  /** How many inputs the model received. */
  inputs: number;
  kind: 'tools' | 'transfer' | 'answer';
  text: string;
  /** The model's text was cut off. */
  truncated: boolean;
  model: string;
  input_tokens: number;
  output_tokens: number;
  credits: number;
  message_credits: number;
  transfer_to?: string;
  calls?: { call_id: string; name: string; input: unknown; result?: string }[];
}

const countFailure: Statement = {
  name: 'count-model-failure',
  text: `insert into model_failures (run_id, step, count, last_error, provider_words) values ($1, $2, 1, $3, $4)
           on conflict (run_id, step) do update set count = model_failures.count + 1, last_error = $3,
             provider_words = $4, last_at = clock_timestamp() returning count`,
};
