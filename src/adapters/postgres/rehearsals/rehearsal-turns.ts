/**
 * Reads the turns of a rehearsal for the worker that asks them again, and records the results. Writes only the
 * rehearsal's rows and its credits; the rehearsed conversations do not change.
 */
import { z } from 'zod';
import { channelName } from '../../../contract/conversations/channel-name.ts';
import { rehearsalChecks, type TurnOutcome } from '../../../contract/rehearsals/rehearsals.ts';
import { sealedProvider } from '../../models/models.ts';
import { contentRow, toolPolicyRow } from '../conversations/agent-content.ts';
import { camelRow, queryRow, queryRows, statement, type Database } from '../database.ts';
import { shortened } from './rehearsals.ts';

/**
 * If an activity has not ended this many seconds after its start, recovery starts the rehearsal's workflow again.
 * Longer than `activitySeconds.rehearsal`, so that no running activity counts as lost.
 */
const aliveSeconds = 15 * 60;
/** If no activity starts within this many seconds of the last one's end, recovery starts the workflow again. Chosen. */
const betweenSeconds = 30;

/** A rehearsal in progress, with the content, the model and the provider that the agent uses in it. */
const runningRehearsal = z.object({
  id: z.string(),
  organization_id: z.string(),
  agent: z.object({ id: z.string(), name: z.string() }),
  content: contentRow,
  /** The rehearsal's model, else the content's, else the organization's default; null: the installation's default. */
  model: z.string().nullable(),
  provider: sealedProvider.nullable(),
  runs_read_only_tools: z.boolean(),
  checks: rehearsalChecks,
  /** The organization's own provider of the judge's model; null: the installation's, or there is no judge. */
  judge_provider: sealedProvider.nullable(),
  /** True if a cap on credits may apply to the rehearsal's model calls. */
  is_capped: z.boolean(),
  /** Seconds since the rehearsal was begun or resumed. */
  age_seconds: z.number(),
});
export type RunningRehearsal = z.infer<typeof runningRehearsal>;

const sealed = (alias: string) =>
  `case when ${alias}.id is not null then jsonb_build_object('id', ${alias}.id, 'kind', ${alias}.kind, 'base_url', ${alias}.base_url, 'api_key', ${alias}.api_key) end`;

/** A turn as the conversation recorded it: its inputs, its answer and its tool calls. */
const recordedTurn = z.object({
  run_id: z.string(),
  conversation_id: z.string(),
  ordinal: z.number(),
  channel: channelName,
  inputs: z.array(z.object({ text: z.string(), quoted: z.string().nullable() })),
  text: z.string(),
  transfer_to: z.string().nullable(),
  calls: z.array(
    z.object({
      name: z.string(),
      input: z.unknown(),
      result: z.string().nullable(),
      status: z.string(),
    }),
  ),
  /**
   * The tools and policies of the version with which the agent began the turn, or the agent's current ones if that
   * version is not stored.
   */
  tools: z.array(z.string()),
  tool_policies: z.array(toolPolicyRow),
});
export type RecordedTurn = z.infer<typeof recordedTurn>;

/** The progress of a rehearsal: `done` turns have an outcome, `left` turns have none. */
const progress = z.object({
  done: z.number(),
  left: z.number(),
  /** False if the rehearsal has ended or does not exist. */
  runs: z.boolean(),
});
export type Progress = z.infer<typeof progress>;

/**
 * Reads a rehearsal at the start of an activity, and makes it due for recovery in `aliveSeconds`.
 * @returns undefined if the rehearsal is not in progress
 */
export const beginRehearsing = statement('begin-rehearsing', runningRehearsal).row<[id: string]>`
  with h as (update rehearsals set due_at = clock_timestamp() + interval '${aliveSeconds} s'
      where id = $1 and status = 'running' returning *)
    select h.id, h.organization_id, jsonb_build_object('id', a.id, 'name', a.name) as agent, h.content, m.model,
      ${sealed('p')} as provider, h.checks, ${sealed('j')} as judge_provider, h.runs_read_only_tools, o.credit_caps is not null or a.credit_caps is not null as is_capped,
      extract(epoch from clock_timestamp() - h.begun_at)::double precision as age_seconds
    from h join agents a on a.id = h.agent_id join organizations o on o.id = h.organization_id
      cross join lateral (select coalesce(h.model, h.content->>'model', o.default_model) as model) m
      left join model_providers p on p.organization_id = h.organization_id and p.name = split_part(m.model, '/', 1)
      left join model_providers j on j.organization_id = h.organization_id and j.name = split_part(h.checks->'judge'->>'model', '/', 1)`;

const left = statement('turns-to-rehearse', z.object({ position: z.number() }))`
  select position from rehearsal_turns where rehearsal_id = $1 and outcome is null order by position limit $2`;

/** @returns the positions of the first `limit` turns that have no outcome yet, in order; fewer if fewer are left */
export async function turnsToRehearse(db: Database, id: string, limit: number): Promise<number[]> {
  const rows = await queryRows(db, left, [id, limit]);
  return rows.map(({ position }) => position);
}

/** Reads a turn as it was recorded. @returns undefined if the turn was erased or already has an outcome */
export const findRecordedTurn = statement('recorded-turn', recordedTurn).row<[id: string, position: number]>`
  select r.id as run_id, r.conversation_id, r.ordinal, c.channel, coalesce((select m.text from messages m where m.id = s.message_id), '') as text, v.tools, v.tool_policies,
      case when s.kind = 'transfer' then (select n.agent_id from run_steps n where n.run_id = r.id and n.step = s.step + 1) end as transfer_to,
      coalesce((select jsonb_agg(jsonb_build_object('text', m.text, 'quoted', q.text) order by m.seq)
        from messages m left join messages q on q.id = m.quotes
        where m.conversation_id = r.conversation_id and m.run_ordinal = r.ordinal and m.origin = 'user'), '[]') as inputs,
      coalesce((select jsonb_agg(jsonb_build_object('name', k.name, 'input', k.input, 'result', k.result, 'status', k.status) order by k.step, k.position)
        from tool_calls k where k.run_id = r.id and k.step <= s.step), '[]') as calls
    from rehearsal_turns t join runs r on r.id = t.run_id join conversations c on c.id = r.conversation_id
      join run_steps f on f.run_id = r.id and f.step = 0
      cross join lateral agent_at(f.agent_id, f.agent_version) v
      join lateral (select * from run_steps x where x.run_id = r.id and x.step = coalesce(
        (select min(y.step) from run_steps y where y.run_id = r.id and y.kind = 'transfer'),
        (select max(y.step) from run_steps y where y.run_id = r.id))) s on true
    where t.rehearsal_id = $1 and t.position = $2 and t.outcome is null`;

/** A successful model call of a turn. `model` is `provider/name`. */
export interface ModelCallOfTurn {
  model: string;
  input_tokens: number;
  output_tokens: number;
  cached_input_tokens: number;
}

export interface AskedTurn {
  outcome: TurnOutcome;
  diverged: boolean;
  passed: boolean;
  rehearsed: Parameters<typeof shortened>[0];
  credits: number;
  modelCalls: readonly ModelCallOfTurn[];
  modelMs: number;
}

const record = statement('record-rehearsed-turn')`
  with asked as (update rehearsal_turns set outcome = $3, diverged = $4, passed = $5, rehearsed = $6, credits = $7, model_ms = $8,
        model_calls = $9, asked_at = clock_timestamp()
      where rehearsal_id = $1 and position = $2 and outcome is null
        and exists (select from rehearsals h where h.id = $1 and h.status = 'running') returning organization_id, credits)
    insert into usage_kept (organization_id, token_id, day, messages, runs, credits)
      select organization_id, null, (clock_timestamp() at time zone 'utc')::date, 0, 0, credits from asked where credits > 0
      on conflict (organization_id, day, token_id) do update set credits = usage_kept.credits + excluded.credits`;

/**
 * Records the outcome of a turn, and adds its credits to the organization's usage of the current UTC day. Does nothing
 * if the turn already has an outcome or was erased, or if the rehearsal is not in progress.
 */
export async function recordAskedTurn(
  db: Database,
  id: string,
  position: number,
  { outcome, diverged, passed, rehearsed, credits, modelCalls, modelMs }: AskedTurn,
): Promise<void> {
  const kept = JSON.stringify(shortened(rehearsed));
  const calls = JSON.stringify(modelCalls);
  const values = [id, position, outcome, diverged, passed, kept, credits, Math.round(modelMs), calls];
  await queryRows(db, record, values);
}

const pause = statement('pause-rehearsing', progress)`
  with counted as (select count(*)::integer as turns, (count(*) filter (where outcome is null))::integer as left
      from rehearsal_turns where rehearsal_id = $1)
    , ended as (update rehearsals h set
        status = case when c.left = 0 then 'completed' when $2::text is not null then 'failed' else 'running' end,
        error = case when c.left > 0 then $2 end,
        finished_at = case when c.left = 0 or $2 is not null then clock_timestamp() end,
        due_at = case when c.left > 0 and $2 is null then clock_timestamp() + interval '${betweenSeconds} s' end
      from counted c where h.id = $1 and h.status = 'running' returning h.status)
    select c.turns - c.left as done, c.left, coalesce((select status from ended), 'ended') = 'running' as runs from counted c`;

/**
 * Ends the rehearsal if every turn has an outcome, or if there is a `failure`. Otherwise, makes it due for recovery in
 * `betweenSeconds`. Does not change a rehearsal that has ended.
 * @param failure the error with which the rehearsal fails if turns are left; null: the rehearsal continues
 */
export async function pauseRehearsing(db: Database, id: string, failure: string | null): Promise<Progress> {
  return (await queryRow(db, pause, [id, failure])) ?? { done: 0, left: 0, runs: false };
}

const dueRehearsal = camelRow({ id: z.string(), organizationId: z.string(), agentId: z.string() });

/**
 * Finds rehearsals that are due for recovery, because their workflow may be lost. Makes each due again in
 * `betweenSeconds`, so that other workers do not find it at the same time.
 * @returns at most `limit` rehearsals
 */
export const findDueRehearsals = statement('due-rehearsals', dueRehearsal).rows<[limit: number]>`
  update rehearsals set due_at = clock_timestamp() + interval '${betweenSeconds} s'
    where id = any(array(select id from rehearsals where due_at < clock_timestamp() order by due_at limit $1 for update skip locked))
    returning id, organization_id, agent_id`;
