/** Reads usage by day, token and model, reads monthly limits, and sets limits of tokens. Days and months are in UTC. */
import { z } from 'zod';
import { modelUsage, usage, type MonthlyLimits as LimitsToSet } from '../../../contract/data/usage.ts';
import { creditCaps } from '../../../contract/data/credit-caps.ts';
import type { Allowance } from '../../../domain/data/monthly-limits.ts';
import { settingsText } from '../../../domain/data/settings-text.ts';
import { recordAudit, type Actor } from '../accounts/audit-log.ts';
import { withCapsColumn } from './credit-caps.ts';
import { inTransaction, queryResult, queryRows, resultRow, statement, type Database } from '../database.ts';

const allowance: z.ZodType<Allowance> = z.object({
  limit: z.number().nullable(),
  used: z.number(),
  message_limit: z.number().nullable(),
  messages: z.number(),
});
const allowances = z.object({
  organization: allowance,
  token: allowance.nullable(),
  credit_caps: creditCaps.nullable(),
});
type Allowances = z.infer<typeof allowances>;

const limits = statement('credit-limits', resultRow(allowances.nullable()))`
  select credit_limits($1, $2, date_trunc('month', clock_timestamp(), 'utc')) as result`;

/**
 * Reads the monthly limits of an organization and a token, with their usage in this month.
 * @returns undefined if there is no such organization. `token` is null if no token is given, or the organization has no
 * such token
 */
export async function findAllowances(
  db: Database,
  organizationId: string,
  tokenId: string | undefined,
): Promise<Allowances | undefined> {
  const found = await queryResult(db, limits, [organizationId, tokenId ?? null]);
  return found ?? undefined;
}

/** True if the organization or the token has a monthly limit. Faster than `findAllowances`: it reads no usage. */
const anyLimit = statement('any-monthly-limit', resultRow(z.boolean()))`
  select exists (select from organizations where id = $1 and num_nonnulls(monthly_credit_limit, monthly_message_limit) > 0)
      or exists (select from api_tokens where id = $2 and num_nonnulls(monthly_credit_limit, monthly_message_limit) > 0)
      as result`;

const keptMs = 3000;
/** Maximum cached results. One more result drops them all. Chosen. */
const maxKept = 10_000;

/** Reads monthly limits with their usage, and caches each result for `keptMs`. */
export class MonthlyLimits {
  readonly #db: Database;
  /** Cached results. The key is the token's id or, if the caller gives no token, the organization's id. */
  readonly #known = new Map<string, { found: Promise<Allowances | undefined>; until: number }>();

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Reads the limits as `findAllowances` does, or returns a cached result.
   * @returns undefined also if neither the organization nor the token has a monthly limit
   */
  async find(organizationId: string, tokenId?: string): Promise<Allowances | undefined> {
    const key = tokenId ?? organizationId;
    const now = performance.now();
    let known = this.#known.get(key);
    if (known === undefined || known.until < now) {
      if (this.#known.size >= maxKept) this.#known.clear();
      known = { found: this.#read(organizationId, tokenId), until: now + keptMs };
      known.found.catch(() => this.#known.delete(key));
      this.#known.set(key, known);
    }
    return await known.found;
  }

  async #read(organizationId: string, tokenId: string | undefined): Promise<Allowances | undefined> {
    return (await queryResult(this.#db, anyLimit, [organizationId, tokenId ?? null]))
      ? await findAllowances(this.#db, organizationId, tokenId)
      : undefined;
  }
}

const { element: usedDay } = usage.shape.days;
export type UsedDay = z.infer<typeof usedDay>;

// Generates the days as timestamps without a time zone, because a day in the session's time zone may have 23 or 25 h.
const byDay = statement('usage-by-day', usedDay)`
  with today as (select date_trunc('day', clock_timestamp() at time zone 'utc') as at),
    days as (select generate_series(at - make_interval(days => $2 - 1), at, interval '1 day') as at from today),
    used as (select * from usage_since($1, (select min(at) at time zone 'utc' from days), $3))
  select to_char(d.at, 'YYYY-MM-DD') as day, coalesce(sum(u.messages), 0)::int as messages,
      coalesce(sum(u.runs), 0)::int as runs, coalesce(sum(u.credits), 0) as credits
    from days d left join used u on u.day = d.at::date group by d.at order by d.at`;

/**
 * Reads the usage of an organization, or of one token.
 * @returns one row for each of the last `days` days (UTC), including today, oldest first
 */
export async function findUsedDays(
  db: Database,
  organizationId: string,
  days: number,
  tokenId?: string,
): Promise<UsedDay[]> {
  return await queryRows(db, byDay, [organizationId, days, tokenId ?? null]);
}

/** Days (UTC) as YYYY-MM-DD, both included. Without `from`, begins with this month; without `to`, has no end. */
export interface UsagePeriod {
  from?: string | undefined;
  to?: string | undefined;
}

const dayMs = 24 * 60 * 60 * 1000;

/** @returns $1 to $3: the organization, when the period begins, and when it is over */
function valuesOf(organizationId: string, { from, to }: UsagePeriod): string[] {
  const now = new Date();
  const begin = from === undefined ? Date.UTC(now.getUTCFullYear(), now.getUTCMonth()) : Date.parse(from);
  const end = to === undefined ? 'infinity' : new Date(Date.parse(to) + dayMs).toISOString();
  return [organizationId, new Date(begin).toISOString(), end];
}
const endedIn = 'r.organization_id = $1 and r.finished_at >= $2 and r.finished_at < $3';
const keptIn = `k.organization_id = $1 and k.day >= ($2::timestamptz at time zone 'utc')::date
  and k.day < ($3::timestamptz at time zone 'utc')::date`;

const tokenUsage = z.object({
  token_id: z.string(),
  name: z.string().nullable(),
  messages: z.number(),
  credits: z.number(),
});
const byToken = statement('usage-by-token', tokenUsage)`
  select token_id, coalesce((select t.name from api_tokens t where t.id = token_id),
        (select 'MCP client ' || c.name from mcp_grants g join mcp_clients c on c.id = g.client_id where g.id = token_id)) as name,
      sum(messages)::int as messages, sum(credits) as credits from (
      select (select t.token_id from run_tokens t where t.run_id = r.id) as token_id, r.message_count as messages,
          coalesce((select sum(s.credits) from run_steps s where s.run_id = r.id), 0) as credits
        from runs r where ${endedIn}
      union all
      select k.token_id, k.messages, k.credits from usage_kept k where ${keptIn}
    ) used where token_id is not null group by token_id`;

/** @returns the usage of the period, from ended and erased runs, by the ids of those tokens that have usage */
export async function findUsageByToken(
  db: Database,
  organizationId: string,
  days: UsagePeriod = {},
): Promise<Map<string, { name: string | null; messages: number; credits: number }>> {
  const rows = await queryRows(db, byToken, valuesOf(organizationId, days));
  return new Map(rows.map(({ token_id, ...used }) => [token_id, used]));
}

/** SQL: adds to the rows of `used` what they cost at the saved price of their model; null: the model has none. */
const costed = `priced as (
      select used.*, coalesce(cached, 0) as from_cache, o.model_prices->model_id as price
        from used join organizations o on o.id = $1),
    costed as (
      select priced.*, ((input - from_cache) * (price->>'input')::double precision
        + from_cache * coalesce(price->>'cached_input', price->>'input')::double precision
        + output * (price->>'output')::double precision) / 1000000 as cost
        from priced)`;

const byModel = statement('usage-by-model', modelUsage.shape.data.element)`
  with used as (
    select s.model, s.model_id, count(*) as calls, sum(s.input_tokens) as input, sum(s.output_tokens) as output,
        sum(least(s.cached_input_tokens, s.input_tokens)) as cached, sum(s.credits) as credits
      from runs r join run_steps s on s.run_id = r.id where ${endedIn}
      group by s.model, s.model_id),
    ${costed}
  select model, sum(calls)::int as calls, sum(input)::bigint as input_tokens, sum(output)::bigint as output_tokens,
      sum(credits) as credits, case when bool_and(cost is not null) then sum(cost) end as cost_usd,
      coalesce(json_agg(json_build_object('id', model_id, 'calls', calls, 'credits', credits, 'cost_usd', cost) order by model_id)
        filter (where model_id is not null), '[]') as by_id
    from costed group by model order by credits desc, model limit 50`;

/**
 * @returns the usage of the 50 costliest models, costliest first, in runs that ended in the period and were not erased
 */
export const findUsageByModel = async (db: Database, organizationId: string, days: UsagePeriod = {}) =>
  await queryRows(db, byModel, valuesOf(organizationId, days));

const byAgent = statement('usage-by-agent', modelUsage.shape.agents.element)`
  select a.id, a.name, count(*)::int as calls, sum(s.credits) as credits
    from runs r join run_steps s on s.run_id = r.id join agents a on a.id = s.agent_id where ${endedIn}
    group by a.id, a.name order by credits desc, a.name limit 50`;

/** @returns as `findUsageByModel`, the usage of the 50 agents whose model calls cost most */
export const findUsageByAgent = async (db: Database, organizationId: string, days: UsagePeriod = {}) =>
  await queryRows(db, byAgent, valuesOf(organizationId, days));

/** SQL: the turns of organization $1 that were rehearsed at or after $2 and before $3. */
const rehearsedTurns = `rehearsals h join rehearsal_turns t on t.rehearsal_id = h.id
      where h.organization_id = $1 and t.asked_at >= $2 and t.asked_at < $3
        and (h.finished_at is null or h.finished_at >= $2)`;
const byRehearsalDay = statement('usage-of-rehearsals', modelUsage.shape.rehearsal_days.element)`
  select to_char(t.asked_at at time zone 'utc', 'YYYY-MM-DD') as day, sum(t.credits) as credits
    from ${rehearsedTurns} group by 1 order by 1`;

/** @returns the credits of the rehearsed turns of the period, by day; without days that have none */
export const findUsageOfRehearsals = async (db: Database, organizationId: string, days: UsagePeriod = {}) =>
  await queryRows(db, byRehearsalDay, valuesOf(organizationId, days));

const rehearsedCalls = statement('usage-of-rehearsed-calls', modelUsage.shape.rehearsals.element)`
  with used as (
    select c.model as model_id, count(*) as calls, sum(c.input_tokens) as input, sum(c.output_tokens) as output,
        sum(least(c.cached_input_tokens, c.input_tokens)) as cached
      from (select t.model_calls from ${rehearsedTurns}) turns cross join lateral jsonb_to_recordset(turns.model_calls)
        as c(model text, input_tokens integer, output_tokens integer, cached_input_tokens integer)
      group by c.model),
    ${costed}
  select model_id as id, calls::int, input::bigint as input_tokens, output::bigint as output_tokens, cost as cost_usd
    from costed order by calls desc, model_id limit 50`;

/** @returns the model calls of the rehearsed turns of the period, with those of their judges, by `provider/name` */
export const findCallsOfRehearsals = async (db: Database, organizationId: string, days: UsagePeriod = {}) =>
  await queryRows(db, rehearsedCalls, valuesOf(organizationId, days));

const costByDay = statement('cost-by-day', modelUsage.shape.cost_days.element)`
  with used as (
    select (r.finished_at at time zone 'utc')::date as day, s.model_id, sum(s.input_tokens) as input,
        sum(s.output_tokens) as output, sum(least(s.cached_input_tokens, s.input_tokens)) as cached
      from runs r join run_steps s on s.run_id = r.id where ${endedIn} group by 1, 2
    union all
    select day, c.model, sum(c.input_tokens), sum(c.output_tokens), sum(least(c.cached_input_tokens, c.input_tokens))
      from (select (t.asked_at at time zone 'utc')::date as day, t.model_calls from ${rehearsedTurns}) turns
        cross join lateral jsonb_to_recordset(turns.model_calls)
          as c(model text, input_tokens integer, output_tokens integer, cached_input_tokens integer)
      group by 1, 2),
    ${costed}
  select to_char(day, 'YYYY-MM-DD') as day, sum(cost) as cost_usd from costed
    group by costed.day having sum(cost) is not null order by 1`;

/** @returns the known costs of the period's model calls, with those of rehearsals, by day; without days that have none */
export const findCostByDay = async (db: Database, organizationId: string, days: UsagePeriod = {}) =>
  await queryRows(db, costByDay, valuesOf(organizationId, days));

const withoutModel = statement('usage-without-model', resultRow(modelUsage.shape.other))`
  with rehearsed as (select coalesce(sum(t.credits), 0) as credits from ${rehearsedTurns}),
    kept as (select coalesce(sum(k.credits), 0) as credits from usage_kept k where ${keptIn})
  select json_build_object('rehearsals', rehearsed.credits,
      'erased', greatest(round((kept.credits - rehearsed.credits)::numeric, 6), 0)) as result
    from rehearsed, kept`;

/**
 * @returns the credits of the period that `findUsageByModel` does not count; rounded, because a difference of two sums
 * of floating-point numbers can be a little more than 0
 */
export const findUsageWithoutModel = async (db: Database, organizationId: string, days: UsagePeriod = {}) =>
  await queryResult(db, withoutModel, valuesOf(organizationId, days));

const lockToken = statement(
  'lock-token',
  z.object({
    name: z.string(),
    monthly_credit_limit: z.number().nullable(),
    monthly_message_limit: z.number().nullable(),
    credit_caps: creditCaps.nullable(),
  }),
).row<[organizationId: string, id: string]>`
  select name, monthly_credit_limit, monthly_message_limit, credit_caps
    from api_tokens where organization_id = $1 and id = $2 for no key update`;

/**
 * Sets the given monthly limits and caps of a token, and writes the audit event, in one transaction. Null removes a
 * limit or all caps. Limits that are not given do not change.
 * @returns false if there is no such token
 */
export async function setTokenLimit(
  db: Database,
  organizationId: string,
  token: string,
  set: LimitsToSet,
  actor: Actor,
): Promise<boolean> {
  return await inTransaction(db, async (tx) => {
    const before = await lockToken(tx, organizationId, token);
    if (before === undefined) return false;
    await tx
      .knex('api_tokens')
      .where({ id: token, organization_id: organizationId })
      .update({ name: before.name, ...withCapsColumn(set) });
    const target = `${before.name}: ${settingsText(before, set)}`;
    await recordAudit(tx, { ...actor, organizationId }, 'token_limited', target);
    return true;
  });
}
