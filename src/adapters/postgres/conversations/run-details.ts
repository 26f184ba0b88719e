/** Reads how a run produced its answer: the model's input, each model and tool call, and the times. */
import { z } from 'zod';
import {
  runDetail,
  runHistory,
  timePart,
  type RunDetail,
  type RunHistory,
} from '../../../contract/conversations/run-detail.ts';
import { timesOf, type TimedRun } from '../../../domain/conversations/answer-times.ts';
import { inputText, joinInputs } from '../../../domain/conversations/model-call.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import { idRow, queryIds, queryRow, queryRows, statement, type Database } from '../database.ts';
import { earlierTurn } from '../../../contract/conversations/earlier-turns.ts';
import { maxHistoryTurns, messagesBeforeRun } from './transcript.ts';

/** Maximum steps per page. Equals `maxSteps` of model-call.ts, so that one page holds all steps of a run. */
const stepsAtOnce = 12;
/** Maximum tool calls per page. Chosen: a page then has at most 1.2 million characters of arguments and results. */
const callsAtOnce = 200;
/** Maximum characters of a call's arguments and of its result. The timeline shows longer ones. Chosen. */
const callChars = 3000;
/** Maximum characters of a message. Chosen. */
const messageChars = 4000;
const inputsShown = 20;
/**
 * Maximum tool calls, and maximum steps, whose times are added up. The time of further ones counts as `other`. Chosen.
 */
const callsTimed = 2000;
const turnsAtOnce = 20;

const runRow = runDetail
  .pick({
    id: true,
    conversation_id: true,
    mode: true,
    state: true,
    channel: true,
    is_test: true,
    follow_up_attempt: true,
    error: true,
  })
  .extend({
    organization_id: z.string(),
    ordinal: z.number(),
    opened_at: z.date(),
    closes_at: z.date(),
    claimed_at: z.date().nullable(),
    finished_at: z.date().nullable(),
    prices: z.record(z.string(), z.unknown()).nullable(),
    message_count: z.number(),
    /** The run that the trial answers again; null if this run belongs to no trial. */
    tries_run: z.string().nullable(),
    inputs_at: z.number(),
  });
type RunRow = z.infer<typeof runRow>;

/**
 * SQL: selects the run $2 of the organization $1 as `r`, and its conversation as `c`. If the run's answer was
 * regenerated, `n` is the run to which the inputs were moved.
 */
const runWithMoved = `from runs r join conversations c on c.id = r.conversation_id
      left join lateral (select m.replaced_by from messages m where m.conversation_id = r.conversation_id
        and m.run_ordinal = r.ordinal and m.origin = 'agent' and r.mode <> 'follow_up' limit 1) own on true
      left join runs n on n.id = own.replaced_by
    where r.organization_id = $1 and r.id = $2`;

const of = runDetail.shape;
const inputRow = of.inputs.element.extend({ at: z.date() });
const answerRow = of.answers.element.extend({ at: z.date() });

const deliveryRow = of.deliveries.element.omit({ ms: true }).extend({
  resent: z.boolean(),
  created_at: z.date(),
  finished_at: z.date().nullable(),
});
type DeliveryRow = z.infer<typeof deliveryRow>;

const totalsRow = runDetail.pick({
  model_calls: true,
  failed_model_calls: true,
  tool_calls: true,
  input_tokens: true,
  output_tokens: true,
  credits: true,
});

const keptCalls = z.array(
  z.object({
    at: z.string(),
    ms: z.number().nullable(),
    error: z.string(),
    provider_message: z.string().nullable(),
    agent_id: z.string().nullable(),
    agent_version: z.number().nullable(),
    /** Absent in calls that an earlier version of Parley recorded. */
    model: z.string().nullable().default(null),
  }),
);

const timedStepRow = z.object({
  step: z.number(),
  at: z.date().nullable(),
  model_ms: z.number().nullable(),
  calls: keptCalls.nullable(),
});
type TimedStepRow = z.infer<typeof timedStepRow>;

const timedCallRow = z.object({
  step: z.number(),
  started_at: z.date().nullable(),
  finished_at: z.date().nullable(),
});
type TimedCallRow = z.infer<typeof timedCallRow>;

const agentRow = of.agents.element.extend({
  /** Empty if the version is no longer stored. */
  tools: z
    .array(z.string())
    .nullable()
    .transform((tools) => tools ?? []),
  follow_ups: z.array(z.object({ after_seconds: z.number(), instructions: z.string() })).nullable(),
});

/** A recorded step, the failed model calls of a step, or both. The columns of a missing part are null. */
const stepRow = of.steps.element
  .pick({
    step: true,
    agent_id: true,
    agent_version: true,
    model: true,
    model_id: true,
    fallback: true,
    model_ms: true,
    history_turns: true,
  })
  .extend({
    kind: of.steps.element.shape.kind.exclude(['failed']).nullable(),
    at: z.date().nullable(),
    input_tokens: z.number().nullable(),
    output_tokens: z.number().nullable(),
    credits: z.number().nullable(),
    was_cut: z.boolean().nullable(),
    text: z.string().nullable(),
    is_cut: z.boolean().nullable(),
    failure_count: z.number().nullable(),
    last_error: z.string().nullable(),
    provider_message: z.string().nullable(),
    last_at: z.date().nullable(),
    calls: keptCalls.nullable(),
    failed_model: z.string().nullable(),
  });
type StepRow = z.infer<typeof stepRow>;

const callRow = of.steps.element.shape.calls.element
  .pick({ position: true, name: true, status: true })
  .extend({
    step: z.number(),
    started_at: z.date().nullable(),
    finished_at: z.date().nullable(),
    input: z.string(),
    input_is_cut: z.boolean(),
    result: z.string().nullable(),
    result_is_cut: z.boolean().nullable(),
  });

const turnRow = runHistory.shape.data.element.extend({ at: z.date() });

/** A run that a trial can answer again. */
const triedRun = z.object({
  /** The run's conversation; for a run of a trial, the conversation of the run that the trial tries. */
  conversation_id: z.string(),
  run_id: z.string(),
  /** The agent that made the run's first model call; without such a call, the agent of the run or its conversation. */
  agent_id: z.string(),
  /**
   * The texts of the run's newest inputs and of the messages that they quote, joined as for a model: at most
   * `inputsShown` inputs, and the last `maxTriedChars` characters. Empty for a follow-up.
   */
  text: z.string(),
  /** The earlier turns that callers gave with the run's inputs. */
  earlier_turns: z.array(earlierTurn),
  /** Number of stored trials of the run `run_id`. */
  trials: z.number(),
});
export type TriedRun = z.infer<typeof triedRun>;

const triedRow = triedRun.omit({ text: true }).extend({
  inputs: z.array(z.object({ text: z.string(), quoted: z.string().nullable() })),
});

const run = statement('run-detail', runRow)`
  select r.id, r.conversation_id, r.organization_id, r.ordinal, r.mode, r.state, c.channel, c.is_test, r.follow_up_attempt, r.error,
      r.opened_at, r.closes_at, r.claimed_at, r.finished_at, r.prices, r.message_count, c.tries_run,
      case when n.ordinal is null then r.ordinal else n.ordinal end as inputs_at
    ${runWithMoved}`;

/** SQL expression: the text of message `m` as it was at the time `at`. */
const textAt = (at: string) => `case when m.edits is null then m.text else coalesce((
  select e.value->>'text' from jsonb_array_elements(m.edits) with ordinality e(value, place)
    where (e.value->>'replaced_at')::timestamptz > ${at} order by e.place limit 1), m.text) end`;

const inputs = statement('run-detail-inputs', inputRow)`
  select x.id, x.at, left(x.text, ${messageChars}) as text, char_length(x.text) > ${messageChars} as is_cut,
      array(select coalesce(f.filename, f.content_type, 'file') from attachments f where f.message_id = x.id order by f.position) as files
    from (select m.id, m.created_at as at, m.seq, ${textAt('$3')} as text from messages m
      where m.conversation_id = $1 and m.run_ordinal = $2 and m.origin = 'user' order by m.seq desc limit ${inputsShown}) x
    order by x.seq`;
const answers = statement('run-detail-answers', answerRow)`
  select m.id, m.created_at as at, left(m.text, ${messageChars}) as text, char_length(m.text) > ${messageChars} as is_cut,
      m.agent_name, m.pre_transfer, m.truncated, m.replaced_by is not null as replaced
    from messages m where m.conversation_id = $1 and m.run_ordinal = $2 and m.origin = 'agent' order by m.seq limit 50`;
const deliveries = statement('run-detail-deliveries', deliveryRow)`
  select id, kind, status, host, error, resend_of is not null as resent, created_at, finished_at
    from deliveries where run_id = $1 order by id limit 50`;
const totals = statement('run-detail-totals', totalsRow)`
  select count(*)::integer as model_calls, coalesce(sum(input_tokens), 0)::double precision as input_tokens,
      coalesce(sum(output_tokens), 0)::double precision as output_tokens, coalesce(sum(credits), 0)::double precision as credits,
      (select coalesce(sum(count), 0)::integer from model_failures where run_id = $1) as failed_model_calls,
      (select count(*)::integer from tool_calls where run_id = $1) as tool_calls
    from run_steps where run_id = $1`;
const timedSteps = statement('run-detail-times', timedStepRow)`
  select case when s.step is null then f.step else s.step end as step, s.created_at as at, s.model_ms, f.calls
    from (select * from run_steps where run_id = $1) s
      full join (select * from model_failures where run_id = $1) f on f.step = s.step order by 1 limit ${callsTimed}`;
const timedCalls = statement('run-detail-call-times', timedCallRow)`
  select step, started_at, finished_at from tool_calls where run_id = $1 order by step, position limit ${callsTimed}`;
/**
 * The settings of each agent for which the run called a model: those of the version that the call recorded, or the
 * current ones if it recorded none. In a trial, the tried agent has the trial's instructions. A negative version number
 * identifies a draft. draft_to_try may have deleted the draft's row of agent_versions; the settings from that row are
 * then null.
 */
const agents = statement('run-detail-agents', agentRow)`
  select x.agent_id, a.name, case when x.agent_version > 0 then x.agent_version end as version,
      coalesce(x.agent_version < 0, false) as is_draft, a.deleted_at is not null as is_deleted,
      x.agent_version is not distinct from a.version and not x.is_trial as is_current, x.is_trial,
      case when x.is_trial then x.trial_instructions when x.agent_version is null or x.agent_version = a.version then a.instructions else v.instructions end as instructions,
      case when x.agent_version is null or x.agent_version = a.version then a.tools else v.tools end as tools,
      case when x.agent_version is null or x.agent_version = a.version then a.follow_ups else v.follow_ups end as follow_ups,
      array(select t.name from agents t where t.organization_id = a.organization_id
        and t.id = any(case when x.agent_version is null or x.agent_version = a.version then a.transfers_to else v.transfers_to end)
        order by t.name) as transfers_to
    from (select read.agent_id, read.agent_version, min(read.step) as first, c.trial_instructions,
        c.trial_instructions is not null and read.agent_id = c.target_id as is_trial from (
        select s.agent_id, s.agent_version, s.step from run_steps s where s.run_id = $1
        union all select (e->>'agent_id')::uuid, (e->>'agent_version')::integer, f.step
          from model_failures f, jsonb_array_elements(f.calls) e where f.run_id = $1 and e->>'agent_id' is not null) read
        join runs r on r.id = $1 join conversations c on c.id = r.conversation_id
        group by read.agent_id, read.agent_version, c.id order by first limit ${stepsAtOnce}) x
      join agents a on a.id = x.agent_id
      left join agent_versions v on v.agent_id = x.agent_id and v.version = x.agent_version
    order by x.first`;
const steps = statement('run-detail-steps', stepRow)`
  select x.step, s.kind, s.agent_id, case when not s.of_draft then s.agent_version end as agent_version, s.model, s.model_id, s.fallback, s.created_at as at, s.model_ms,
      s.input_tokens, s.output_tokens, s.credits, s.history_turns, s.was_cut,
      left(s.text, ${messageChars}) as text, char_length(s.text) > ${messageChars} as is_cut,
      f.count as failure_count, f.last_error, f.provider_message, f.last_at, f.calls, f.model as failed_model
    from (select step from run_steps where run_id = $1 union select step from model_failures where run_id = $1) x
      left join run_steps s on s.run_id = $1 and s.step = x.step
      left join model_failures f on f.run_id = $1 and f.step = x.step
    where x.step >= $2 order by x.step limit ${stepsAtOnce + 1}`;
const toolCalls = statement('run-detail-tool-calls', callRow)`
  select step, position, name, status, started_at, finished_at, left(input::text, ${callChars}) as input,
      char_length(input::text) > ${callChars} as input_is_cut, left(result, ${callChars}) as result,
      char_length(result) > ${callChars} as result_is_cut
    from tool_calls where run_id = $1 and (step, position) > ($2, $3) and step <= $4
    order by step, position limit ${callsAtOnce + 1}`;
const names = statement('run-detail-names', z.object({ id: z.string(), name: z.string() }))`
  select id, name from agents where organization_id = $1 and id = any($2)`;
const httpTools = statement('run-detail-http-tools', z.object({ name: z.string(), description: z.string() }))`
  select name, description from http_tools where organization_id = $1 and lower(name) = any($2)
  union all select name, description from mcp_tools where organization_id = $1 and name = any($3)`;

/** Order in which the parts of the time are listed, roughly the order in which they occur. */
const partOrder = timePart.options;

/**
 * Reads one run with a page of its steps. Long texts are cut. A page has at most `stepsAtOnce` steps and `callsAtOnce`
 * tool calls.
 * @param does returns the description of a built-in tool; undefined for other tools
 * @returns undefined if the organization has no such run
 * @throws PublicError validation_failed if the cursor is malformed
 */
export async function findRunDetail(
  db: Database,
  organizationId: string,
  id: string,
  { cursor, does }: { cursor?: string | undefined; does: (name: string) => string | undefined },
): Promise<RunDetail | undefined> {
  const after = (decodeCursor(cursor, /^\d{1,9}\.-?\d{1,9}$/) ?? '0.-1').split('.').map(Number);
  const found = await queryRow(db, run, [organizationId, id]);
  if (found === undefined) return undefined;
  const asOf = found.claimed_at ?? new Date();
  const { conversation_id, ordinal } = found;
  const [said, made, sent, sums, timed, callTimes, read, page] = await Promise.all([
    queryRows(db, inputs, [conversation_id, found.inputs_at, asOf]),
    queryRows(db, answers, [conversation_id, ordinal]),
    queryRows(db, deliveries, [id]),
    queryRow(db, totals, [id]),
    queryRows(db, timedSteps, [id]),
    queryRows(db, timedCalls, [id]),
    queryRows(db, agents, [id]),
    stepsFrom(db, found, after, does),
  ]);
  const times = timesOf(timedRun(found, timed, callTimes, sent), Date.now());
  const { mode, state, channel, is_test, follow_up_attempt, error } = found;
  const shown = read.map(({ follow_ups: _, ...agent }) => agent);
  return {
    id,
    conversation_id,
    mode,
    state,
    channel,
    is_test,
    follow_up_attempt,
    error,
    follow_up_instructions: read[0]?.follow_ups?.[(follow_up_attempt ?? 0) - 1]?.instructions ?? null,
    opened_at: found.opened_at.toISOString(),
    finished_at: found.finished_at?.toISOString() ?? null,
    times: times.toSorted((a, b) => partOrder.indexOf(a.part) - partOrder.indexOf(b.part)),
    total_ms: times.reduce((sum, { ms }) => sum + ms, 0),
    ...(sums ?? { model_calls: 0, failed_model_calls: 0, tool_calls: 0 }),
    input_tokens: sums?.input_tokens ?? 0,
    output_tokens: sums?.output_tokens ?? 0,
    credits: Math.round((sums?.credits ?? 0) * 1e6) / 1e6,
    inputs: said.map((row) => ({ ...row, at: row.at.toISOString() })),
    input_count: found.message_count,
    answers: made.map((row) => ({ ...row, at: row.at.toISOString() })),
    deliveries: sent.map(({ resent: _, created_at, finished_at, ...delivery }) => ({
      ...delivery,
      ms: finished_at && finished_at.getTime() - created_at.getTime(),
    })),
    agents: shown,
    ...page,
  };
}

function timedRun(
  { opened_at, closes_at, claimed_at, finished_at }: RunRow,
  timed: readonly TimedStepRow[],
  calls: readonly TimedCallRow[],
  sent: readonly DeliveryRow[],
): TimedRun {
  const callsOf = Map.groupBy(calls, ({ step }) => step);
  return {
    openedAt: opened_at.getTime(),
    closesAt: closes_at.getTime(),
    claimedAt: claimed_at?.getTime() ?? null,
    finishedAt: finished_at?.getTime() ?? null,
    steps: timed.map(({ step, at, model_ms, calls: failures }) => ({
      at: at?.getTime() ?? null,
      modelMs: model_ms,
      failures: (failures ?? []).map((one) => ({ at: Date.parse(one.at), ms: one.ms })),
      calls: (callsOf.get(step) ?? []).map((call) => ({
        startedAt: call.started_at?.getTime() ?? null,
        finishedAt: call.finished_at?.getTime() ?? null,
      })),
    })),
    // Excludes resent callbacks, because they do not delay the answer.
    deliveries: sent
      .filter(({ resent }) => !resent)
      .map(({ created_at, finished_at: end }) => ({
        from: created_at.getTime(),
        to: end?.getTime() ?? null,
      })),
  };
}

async function stepsFrom(
  db: Database,
  { id, organization_id, prices }: RunRow,
  [fromStep = 0, fromCall = -1]: readonly number[],
  does: (name: string) => string | undefined,
): Promise<Pick<RunDetail, 'steps' | 'next_cursor'>> {
  const rows = await queryRows(db, steps, [id, fromStep]);
  const last = rows[stepsAtOnce - 1] ?? rows.at(-1);
  const lastStep = last?.step ?? fromStep;
  const found = await queryRows(db, toolCalls, [id, fromStep, fromCall, lastStep]);
  const calls = found.slice(0, callsAtOnce);
  const next = found[callsAtOnce] === undefined ? undefined : calls.at(-1);
  const shown = rows.slice(0, stepsAtOnce).filter(({ step }) => next === undefined || step <= next.step);
  const [agentNames, described] = await Promise.all([
    queryRows(db, names, [organization_id, shown.flatMap(agentIdsOf)]),
    queryRows(db, httpTools, [
      organization_id,
      [...new Set(calls.map(({ name }) => name.toLowerCase()))],
      [...new Set(calls.map(({ name }) => name))],
    ]),
  ]);
  const nameOf = new Map(agentNames.map((row) => [row.id, row.name]));
  const descriptions = new Map(described.map((row) => [row.name.toLowerCase(), row.description]));
  const callsOf = Map.groupBy(calls, ({ step }) => step);
  const following = rows[stepsAtOnce];
  return {
    steps: shown.map((row) => {
      const failures = row.calls ?? [];
      const agent_id = row.agent_id ?? failures.at(-1)?.agent_id ?? null;
      return {
        step: row.step,
        kind: row.kind ?? 'failed',
        agent_id,
        agent_name: (agent_id === null ? undefined : nameOf.get(agent_id)) ?? null,
        agent_version: row.agent_version ?? failures.at(-1)?.agent_version ?? null,
        model: row.model,
        model_id: row.model_id ?? row.failed_model,
        fallback: row.fallback,
        at: (row.at ?? row.last_at ?? new Date(0)).toISOString(),
        model_ms: row.model_ms,
        input_tokens: row.input_tokens ?? 0,
        output_tokens: row.output_tokens ?? 0,
        credits: row.credits ?? 0,
        has_price: row.model_id !== null && prices?.[row.model_id] !== undefined,
        history_turns: row.history_turns,
        was_cut: row.was_cut === true,
        text: { text: row.text ?? '', is_cut: row.is_cut === true },
        failures:
          failures.length > 0 || row.last_error === null
            ? failures.map(({ at, ms, error, provider_message, model }) => ({
                at: new Date(at).toISOString(),
                ms,
                error,
                provider_message,
                model,
              }))
            : [lastFailure(row, row.last_error)],
        failure_count: row.failure_count ?? 0,
        calls: (callsOf.get(row.step) ?? []).map((call) => ({
          position: call.position,
          name: call.name,
          does: does(call.name) ?? descriptions.get(call.name.toLowerCase()) ?? null,
          arguments: { text: call.input, is_cut: call.input_is_cut },
          result: call.result === null ? null : { text: call.result, is_cut: call.result_is_cut === true },
          status: call.status,
          started_at: call.started_at?.toISOString() ?? null,
          finished_at: call.finished_at?.toISOString() ?? null,
        })),
      };
    }),
    next_cursor:
      next !== undefined
        ? encodeCursor(`${String(next.step)}.${String(next.position)}`)
        : following === undefined
          ? null
          : encodeCursor(`${String(following.step)}.-1`),
  };
}

const agentIdsOf = ({ agent_id, calls }: StepRow): string[] =>
  [agent_id, ...(calls ?? []).map((one) => one.agent_id)].filter((one) => one !== null);

/** Builds the view of a failed call recorded by an older version of Parley, which stored only a step's last failure. */
function lastFailure({ last_at, provider_message, failed_model: model }: StepRow, error: string) {
  return { at: (last_at ?? new Date(0)).toISOString(), ms: null, error, provider_message, model };
}

const turns = statement('run-detail-turns', idRow)`${messagesBeforeRun('m.id')}`;
const turnsOfEarlier = statement('run-detail-earlier-turns', idRow)`
  with recursive earlier as (
      select id from conversations where continued_by = $1
      union select c.id from conversations c join earlier e on c.continued_by = e.id)
    select m.id from earlier e cross join lateral (
      select id, created_at, seq from messages where conversation_id = e.id and replaced_by is null order by seq desc limit $2) m
    order by m.created_at desc, m.seq desc limit $2`;
const turnTexts = statement('run-detail-turn-texts', turnRow)`
  select x.id, x.origin, x.at, x.agent_name, left(x.text, ${messageChars}) as text, char_length(x.text) > ${messageChars} as is_cut
    from (select m.id, m.origin, m.created_at as at, m.agent_name, ${textAt('$2')} as text from messages m where m.id = any($1)) x`;
const turnCount = statement('run-detail-turn-count', z.object({ history_turns: z.number().nullable() }))`
  select history_turns from run_steps where run_id = $1 and step = 0`;

/**
 * Lists the earlier messages that the model received in the run's first call, newest first, in pages of `turnsAtOnce`.
 * If their number was not recorded, lists all messages that the model could have received.
 * @returns undefined if the organization has no such run
 * @throws PublicError validation_failed if the cursor is malformed
 */
export async function findRunHistory(
  db: Database,
  organizationId: string,
  id: string,
  cursor?: string,
): Promise<RunHistory | undefined> {
  const offset = Number(decodeCursor(cursor, /^\d{1,3}$/) ?? 0);
  const found = await queryRow(db, run, [organizationId, id]);
  if (found === undefined) return undefined;
  const { conversation_id, channel, claimed_at, tries_run } = found;
  const counted = await queryRow(db, turnCount, [id]);
  const limit = Math.min(counted?.history_turns ?? maxHistoryTurns, maxHistoryTurns);
  const own = await queryIds(db, turns, [id, limit]);
  const room = limit - own.length;
  const ofTried = tries_run !== null && room > 0 ? await queryIds(db, turns, [tries_run, room]) : [];
  const ofContact =
    channel !== 'api' && room > 0 ? await queryIds(db, turnsOfEarlier, [conversation_id, room]) : [];
  const ids = [...own, ...ofTried, ...ofContact];
  const shown = ids.slice(offset, offset + turnsAtOnce);
  const rows = await queryRows(db, turnTexts, [shown, claimed_at ?? new Date()]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return {
    data: shown.flatMap((one) => byId.get(one) ?? []).map((row) => ({ ...row, at: row.at.toISOString() })),
    next_cursor: ids.length > offset + turnsAtOnce ? encodeCursor(offset + turnsAtOnce) : null,
  };
}

const maxTriedChars = 100_000;
const tried = statement('tried-run', triedRow)`
  select case when c.tries_conversation is null then c.id else c.tries_conversation end as conversation_id,
      case when c.tries_conversation is null then r.id else c.tries_run end as run_id,
      coalesce((select s.agent_id from run_steps s where s.run_id = r.id order by s.step limit 1),
        (select (f.calls->0->>'agent_id')::uuid from model_failures f where f.run_id = r.id order by f.step limit 1),
        r.agent_id, c.agent_id) as agent_id,
      coalesce((select jsonb_agg(jsonb_build_object('text', x.text, 'quoted', x.quoted) order by x.seq) from (
        select right(m.text, ${maxTriedChars}) as text, left(q.text, 1000) as quoted, m.seq
          from messages m left join messages q on q.id = m.quotes
          where m.conversation_id = r.conversation_id and m.origin = 'user' and m.text <> ''
            and m.run_ordinal = case when n.ordinal is null then r.ordinal else n.ordinal end
          order by m.seq desc limit ${inputsShown}) x), '[]') as inputs,
      (select coalesce(jsonb_agg(t.turn order by m.seq, t.place), '[]')
         from messages m cross join lateral jsonb_array_elements(m.earlier_turns) with ordinality as t(turn, place)
         where m.conversation_id = r.conversation_id and m.origin = 'user'
           and m.run_ordinal = case when n.ordinal is null then r.ordinal else n.ordinal end) as earlier_turns,
      (select count(*)::int from conversations t where t.tries_conversation = coalesce(c.tries_conversation, c.id)
        and t.tries_run = coalesce(c.tries_run, r.id)) as trials
    ${runWithMoved}`;

/** Finds a run that a trial can answer again. @returns undefined if the organization has no such run */
export async function findTriedRun(
  db: Database,
  organizationId: string,
  id: string,
): Promise<TriedRun | undefined> {
  const row = await queryRow(db, tried, [organizationId, id]);
  if (row === undefined) return undefined;
  const { inputs: given, ...rest } = row;
  // Cuts off the oldest part. Removes half of a surrogate pair that the cut may leave at the beginning.
  const text = joinInputs(given.map(inputText)).slice(-maxTriedChars);
  return { ...rest, text: text.replace(/^[\uDC00-\uDFFF]/, '') };
}
