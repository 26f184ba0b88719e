/** Starts, lists, cancels and resumes rehearsals, and reads their reports. Workers use `rehearsal-turns.ts`. */
import { z } from 'zod';
import { versionedFields } from '../../../contract/conversations/agent-versions.ts';
import {
  maxFailingRead,
  maxRunning,
  rehearsal,
  rehearsalChecks,
  rehearsalTurn,
  turnCall,
  turnOutcome,
  type Rehearsal,
  type RehearsalChecks,
  type RehearsalTurn,
  type TurnOutcome,
} from '../../../contract/rehearsals/rehearsals.ts';
import { actorName, identityOf, type Actor } from '../accounts/audit-log.ts';
import type { AgentKey } from '../conversations/agent-versions.ts';
import { decodeCursor, idBelow, pageFrom, type Page, type PageQuery } from '../cursor.ts';
import {
  isoDate,
  queryRow,
  queryRows,
  sparseRow,
  statement,
  type Database,
  type Transaction,
} from '../database.ts';

/**
 * Number of an agent's rehearsals that are kept, including the new one. Older ones are deleted when a rehearsal starts,
 * unless they are in progress. Chosen.
 */
const maxKept = 50;
/** Seconds until recovery starts the workflow of a new or resumed rehearsal, if its first start was lost. Chosen. */
const startSeconds = 10;

/** SQL expression for the last step of a turn, in run `r`: the first transfer or, without one, the run's last step. */
const lastStep = `coalesce((select min(x.step) from run_steps x where x.run_id = r.id and x.kind = 'transfer'),
  (select max(x.step) from run_steps x where x.run_id = r.id))`;

const start = statement('start-rehearsal')`
  insert into rehearsals (id, organization_id, agent_id, version, content, model, source, runs_read_only_tools, checks, turns,
      author_id, author, created_at, begun_at, due_at)
    select $1, a.organization_id, a.id, $4, jsonb_build_object(${versionedFields.map((field) => `'${field}', v.${field}`).join(', ')})
        || case when $5 then d.content else '{}' end, $6, $7, $8, $9, 0, $11, ${actorName('$10', '$11', '$12')},
        clock_timestamp(), clock_timestamp(), clock_timestamp() + interval '${startSeconds} s'
      from agents a cross join lateral agent_at(a.id, $4::integer) v left join agent_drafts d on d.agent_id = a.id
      where a.id = $2 and a.organization_id = $3 and a.deleted_at is null and (d.agent_id is not null or not $5)
    returning id`;
const lockOrganization = statement('lock-organization-of-rehearsal')`
  select id from organizations where id = $1 for no key update`;
const rehearsalRow = sparseRow(
  rehearsal.omit({ rules: true, accepts: true, judge: true, passed: true }).extend({
    version: rehearsal.shape.version.default('draft'),
    checks: rehearsalChecks,
    created_at: isoDate,
    finished_at: isoDate.optional(),
    outcomes: z.partialRecord(turnOutcome, z.number()).optional(),
  }),
);

/** The agent's answer in the rehearsal, as the column `rehearsal_turns.rehearsed` stores it. */
const rehearsed = z.object({
  text: z.string(),
  calls: z.array(turnCall),
  transfer_to: z.string().nullable(),
  error: z.string().exactOptional(),
  broken_rules: z.array(z.number()).exactOptional(),
  judgement: rehearsalTurn.shape.judgement,
});
export type Rehearsed = z.infer<typeof rehearsed>;

const turnRow = rehearsalTurn
  .omit({ error: true, broken_rules: true, judgement: true, recorded: true })
  .extend({
    rehearsed: rehearsed.nullable(),
    credits: z.number(),
    model_ms: z.number(),
    recorded_credits: z.number(),
    recorded_ms: z.number(),
    text: z.string().nullable(),
    transfer_to: z.string().nullable(),
    calls: z.array(turnCall),
  });

const countRunning = statement('count-running-rehearsals', z.object({ count: z.number() }))`
  select count(*)::integer as count from rehearsals where organization_id = $1 and status = 'running'`;
const forget = statement('forget-old-rehearsals')`
  delete from rehearsals where agent_id = $1 and organization_id = $2 and status <> 'running' and id < (
    select id from rehearsals where agent_id = $1 and organization_id = $2 order by id desc offset ${maxKept - 1} limit 1)`;

/**
 * SQL for the turns of the agent $2 of the organization $3: runs that the agent began with a model call, that have
 * answered a message, and that belong to no trial.
 */
export const turnsOfAgent = `run_steps s join runs r on r.id = s.run_id join conversations c on c.id = r.conversation_id
  where s.agent_id = $2 and s.step = 0 and s.model <> 'none' and r.organization_id = $3 and r.state = 'answered' and r.mode <> 'follow_up'
    and c.tries_run is null and exists (select from messages m
      where m.conversation_id = r.conversation_id and m.run_ordinal = r.ordinal and m.origin = 'user')`;
const addTurns = (name: string, runs: string) => statement(name, z.object({ turns: z.number() }))`
  with added as (insert into rehearsal_turns (rehearsal_id, position, organization_id, run_id, recorded_credits, recorded_ms)
      select $1, row_number() over (order by r.id) - 1, r.organization_id, r.id,
          coalesce(sum.credits, 0), coalesce(sum.ms, 0)
        from (${runs}) chosen join runs r on r.id = chosen.id cross join lateral (
          select sum(x.credits) as credits, sum(x.model_ms)::integer as ms from run_steps x
            where x.run_id = r.id and x.step <= ${lastStep}) sum
      returning 1)
    update rehearsals set turns = (select count(*) from added) where id = $1 returning turns`;
const addRecent = addTurns(
  'add-recent-turns',
  `select r.id from ${turnsOfAgent} and not c.is_test order by s.run_id desc limit $4`,
);
const addTestSet = addTurns(
  'add-turns-of-test-set',
  'select t.run_id as id from test_turns t where t.agent_id = $2 and t.organization_id = $3 order by t.created_at desc, t.run_id desc limit $4',
);

export interface NewRehearsal {
  id: string;
  /** The version to rehearse; null: the draft. */
  version: number | null;
  model: string | null;
  source: Rehearsal['source'];
  runsReadOnlyTools: boolean;
  checks: RehearsalChecks;
  maxTurns: number;
}

/**
 * Records a rehearsal with its turns. Deletes the agent's ended rehearsals beyond the newest `maxKept`.
 * @returns the number of turns; `busy` if the organization has `maxRunning` rehearsals in progress; `gone` if there
 * is no such agent or draft; `empty` if the source has no turn of the agent. After `empty`, the caller must roll back
 */
export async function startRehearsal(
  tx: Transaction,
  actor: Actor,
  { id: agentId, organizationId }: AgentKey,
  made: NewRehearsal,
): Promise<number | 'busy' | 'gone' | 'empty'> {
  if (!(await mayRun(tx, organizationId))) return 'busy';
  const by = identityOf(actor);
  const row = await queryRow(tx, start, [
    made.id,
    agentId,
    organizationId,
    made.version,
    made.version === null,
    made.model,
    made.source,
    made.runsReadOnlyTools,
    JSON.stringify(made.checks),
    actor.kind,
    by.id,
    by.name,
  ]);
  if (row === undefined) return 'gone';
  const add = made.source === 'recent' ? addRecent : addTestSet;
  const added = await queryRow(tx, add, [made.id, agentId, organizationId, made.maxTurns]);
  await queryRows(tx, forget, [agentId, organizationId]);
  return added === undefined || added.turns === 0 ? 'empty' : added.turns;
}

/**
 * Locks the organization until the transaction ends, so that concurrent starts count each other.
 * @returns false if the organization has `maxRunning` rehearsals in progress
 */
async function mayRun(tx: Transaction, organizationId: string): Promise<boolean> {
  await queryRows(tx, lockOrganization, [organizationId]);
  const running = await queryRow(tx, countRunning, [organizationId]);
  return (running?.count ?? 0) < maxRunning;
}

const columns = `h.id, h.agent_id, h.status, h.version, h.model, h.source, h.runs_read_only_tools as run_read_only_tools, h.checks, h.author, h.error, h.created_at, h.finished_at, t.*, f.*`;
const withTurns = `cross join lateral (
  select coalesce(sum(n), 0)::integer as turns, coalesce(sum(n) filter (where outcome is not null), 0)::integer as done,
         coalesce(sum(passed), 0)::integer as passed_turns, jsonb_object_agg(outcome, n) filter (where outcome is not null) as outcomes,
         coalesce(sum(diverged), 0)::integer as diverged, coalesce(sum(credits), 0)::double precision as credits,
         coalesce(sum(recorded_credits), 0)::double precision as recorded_credits,
         coalesce(sum(model_ms), 0)::double precision as model_ms, coalesce(sum(recorded_ms), 0)::double precision as recorded_model_ms
    from (select outcome, count(*) as n, count(*) filter (where passed) as passed, count(*) filter (where diverged) as diverged,
                 sum(credits) as credits, sum(recorded_credits) as recorded_credits, sum(model_ms) as model_ms, sum(recorded_ms) as recorded_ms
            from rehearsal_turns where rehearsal_id = h.id group by outcome) by_outcome) t
  cross join lateral (
    select coalesce(array_agg(distinct rule::integer) filter (where rule is not null), '{}') as broken_rules,
           coalesce(bool_or(failing.verdict = 'worse'), false) as judged_worse
      from (select rehearsed->'broken_rules' as rules, rehearsed->'judgement'->>'verdict' as verdict from rehearsal_turns
              where rehearsal_id = h.id and not passed order by position limit ${maxFailingRead}) failing
        left join lateral jsonb_array_elements_text(failing.rules) rule on true) f`;
const find = statement('find-rehearsal', rehearsalRow)`
  select ${columns} from rehearsals h ${withTurns} where h.id = $3 and h.agent_id = $1 and h.organization_id = $2`;
const list = statement('list-rehearsals', rehearsalRow)`
  select ${columns} from rehearsals h ${withTurns}
    where h.agent_id = $1 and h.organization_id = $2 and h.id < $3 order by h.agent_id desc, h.organization_id desc, h.id desc limit $4`;

/** Finds a rehearsal with its results. @returns undefined if the agent or the rehearsal does not exist */
export async function findRehearsal(
  db: Database,
  { id, organizationId }: AgentKey,
  rehearsalId: string,
): Promise<Rehearsal | undefined> {
  const row = await queryRow(db, find, [id, organizationId, rehearsalId]);
  return row && rehearsalFrom(row);
}

/**
 * Lists the rehearsals of an agent with their results, newest first.
 * @throws PublicError validation_failed if the cursor is malformed
 */
export async function listRehearsals(
  db: Database,
  { id, organizationId }: AgentKey,
  { limit, cursor }: PageQuery,
): Promise<Page<Rehearsal>> {
  const rows = await queryRows(db, list, [id, organizationId, idBelow(cursor), limit + 1]);
  return pageFrom(rows.map(rehearsalFrom), limit, (row) => row.id);
}

const noTurns = rehearsal.shape.outcomes.parse(
  Object.fromEntries(turnOutcome.options.map((outcome) => [outcome, 0])),
);

const millionths = (credits: number) => Math.round(credits * 1e6) / 1e6;

function rehearsalFrom({ checks, outcomes, ...row }: z.infer<typeof rehearsalRow>): Rehearsal {
  const { judge, ...rules } = checks;
  return {
    ...row,
    ...rules,
    ...(judge && { judge }),
    passed: row.status === 'completed' && row.done > 0 && row.passed_turns === row.done,
    outcomes: { ...noTurns, ...outcomes },
    credits: millionths(row.credits),
    recorded_credits: millionths(row.recorded_credits),
  };
}

/**
 * Limits of a turn in a report: characters of the input, characters of the answer, number of tool calls, and characters
 * of one call's arguments as JSON. Chosen.
 */
const shown = { input: 4000, text: 20_000, calls: 20, argument: 2000 };

const turns = statement('list-rehearsal-turns', turnRow)`
  select t.position, r.conversation_id, t.run_id, t.outcome, t.diverged, t.passed, t.rehearsed, t.credits, t.model_ms, t.recorded_credits,
      t.recorded_ms, left(coalesce((select string_agg(left(m.text, ${shown.input}), E'\\n' order by m.seq) from messages m
        where m.conversation_id = r.conversation_id and m.run_ordinal = r.ordinal and m.origin = 'user'), ''), ${shown.input}) as input,
      (select x.agent_version from run_steps x where x.run_id = r.id and x.step = 0) as recorded_version,
      (select left(m.text, ${shown.text}) from run_steps x join messages m on m.id = x.message_id where x.run_id = r.id and x.step = last.step) as text,
      (select n.agent_id from run_steps x join run_steps n on n.run_id = x.run_id and n.step = x.step + 1
        where x.run_id = r.id and x.step = last.step and x.kind = 'transfer') as transfer_to,
      coalesce((select jsonb_agg(jsonb_build_object('name', k.name, 'arguments', case when char_length(k.input::text) > ${shown.argument}
          then to_jsonb(left(k.input::text, ${shown.argument})) else k.input end) order by k.step, k.position)
        from (select * from tool_calls k where k.run_id = r.id and k.step <= last.step order by k.step, k.position limit ${shown.calls}) k), '[]') as calls
    from rehearsals h join rehearsal_turns t on t.rehearsal_id = h.id join runs r on r.id = t.run_id
      cross join lateral (select ${lastStep} as step) last
    where h.id = $3 and h.agent_id = $1 and h.organization_id = $2 and t.position > $4 and ($5::text is null or t.outcome = $5)
      and ($6::boolean is null or t.passed = $6)
    order by t.position limit $7`;

type Shortened = Omit<Rehearsed, 'calls'> & { calls: { name: string; arguments: unknown }[] };

/** Shortens the agent's answer to the limits of a report, so that its row stays small. */
export function shortened({ text, calls, ...rest }: Shortened): Shortened {
  return {
    ...rest,
    text: text.slice(0, shown.text).toWellFormed(),
    calls: calls.slice(0, shown.calls).map(({ name, arguments: given }) => {
      const json = JSON.stringify(given);
      const isLong = json.length > shown.argument;
      return { name, arguments: isLong ? json.slice(0, shown.argument).toWellFormed() : given };
    }),
  };
}

/**
 * Lists the turns of a rehearsal by position, with the recorded answer and the agent's answer in the rehearsal.
 * Returns an empty page if there is no such rehearsal.
 * @param query.outcome lists only turns with this outcome
 * @param query.passed lists only turns that meet the checks, or only those that do not
 * @throws PublicError validation_failed if the cursor is malformed
 */
export async function listRehearsalTurns(
  db: Database,
  { id, organizationId }: AgentKey,
  rehearsalId: string,
  query: PageQuery & { outcome?: TurnOutcome | undefined; passed?: boolean | undefined },
): Promise<Page<RehearsalTurn>> {
  const { limit, cursor, outcome = null, passed = null } = query;
  const after = decodeCursor(cursor, /^\d{1,6}$/) ?? '-1';
  const values = [id, organizationId, rehearsalId, after, outcome, passed, limit + 1];
  const rows = await queryRows(db, turns, values);
  return pageFrom(rows.map(turnFrom), limit, (row) => row.position);
}

function turnFrom(row: z.infer<typeof turnRow>): RehearsalTurn {
  const { rehearsed, text, calls, transfer_to, credits, model_ms, recorded_credits, recorded_ms, ...turn } =
    row;
  return {
    ...turn,
    ...(rehearsed?.error !== undefined && { error: rehearsed.error }),
    broken_rules: rehearsed?.broken_rules ?? [],
    ...(rehearsed?.judgement && { judgement: rehearsed.judgement }),
    recorded: {
      text: text ?? '',
      calls,
      transfer_to,
      credits: millionths(recorded_credits),
      model_ms: recorded_ms,
    },
    rehearsed: rehearsed && {
      text: rehearsed.text,
      calls: rehearsed.calls,
      transfer_to: rehearsed.transfer_to,
      credits: millionths(credits),
      model_ms,
    },
  };
}

const cancel = statement('cancel-rehearsal')`
  update rehearsals set status = 'cancelled', due_at = null, finished_at = clock_timestamp()
    where id = $3 and agent_id = $1 and organization_id = $2 and status = 'running' returning id`;

/** Cancels a rehearsal in progress. @returns false if the rehearsal has ended or does not exist */
export async function cancelRehearsal(
  db: Database,
  { id, organizationId }: AgentKey,
  rehearsalId: string,
): Promise<boolean> {
  return (await queryRow(db, cancel, [id, organizationId, rehearsalId])) !== undefined;
}

const resume = statement('resume-rehearsal')`
  with resumed as (update rehearsals set status = 'running', error = null, finished_at = null, begun_at = clock_timestamp(),
        due_at = clock_timestamp() + interval '${startSeconds} s'
      where id = $3 and agent_id = $1 and organization_id = $2 and status <> 'running'
        and exists (select from rehearsal_turns t where t.rehearsal_id = $3 and (t.outcome is null or t.outcome = 'failed')) returning id)
    , again as (update rehearsal_turns set outcome = null, diverged = false, passed = null, rehearsed = null, credits = 0, model_ms = 0, model_calls = '[]'
      where rehearsal_id in (select id from resumed) and outcome = 'failed')
    select id from resumed`;

/**
 * Resumes an ended rehearsal: its workflow asks the turns that have no outcome, and asks failed turns again.
 * @returns true if the rehearsal is in progress again; `busy` if the organization has `maxRunning` rehearsals in
 * progress; false if the rehearsal was in progress already, has no such turn, or does not exist
 */
export async function resumeRehearsal(
  tx: Transaction,
  { id, organizationId }: AgentKey,
  rehearsalId: string,
): Promise<boolean | 'busy'> {
  if (!(await mayRun(tx, organizationId))) return 'busy';
  return (await queryRow(tx, resume, [id, organizationId, rehearsalId])) !== undefined;
}
