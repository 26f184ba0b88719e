/**
 * Reads the facts from which judgeHealth() judges an organization. Each statement limits how many runs, deliveries and
 * conversations it reads.
 */
import { z } from 'zod';
import { scriptedModelId } from '../../../contract/models/scripted.ts';
import type { HealthFacts } from '../../../domain/data/judge-health.ts';
import { firstIdAt } from '../cursor.ts';
import { queryRows, statement, type Database } from '../database.ts';

const dayMs = 24 * 60 * 60 * 1000;
/**
 * Maximum runs, and maximum deliveries, that a statement reads, newest first. Chosen: small, because consoles poll
 * these statements.
 */
const maxRuns = 200;
const maxCallbacks = 1000;
/** Maximum rows that each list contains: providers, workspace connections, and channels. Chosen. */
const maxListed = 20;
/** Maximum hosts that are listed. Needed because callers can choose a new host for each webhook. Chosen. */
const maxHosts = 20;

const modelOutcome = z.object({
  provider: z.string(),
  failed: z.boolean(),
  error: z.string().nullable(),
  provider_message: z.string().nullable(),
  at: z.date(),
  saved_at: z.date().nullable(),
});
const channelRow = z.object({
  agent_id: z.string(),
  agent_name: z.string(),
  state: z.string(),
  message: z.string().nullable(),
  last_inbound_at: z.date().nullable(),
});
const hostOutcome = z.object({
  host: z.string(),
  attempts: z.number(),
  failed: z.number(),
  blocked: z.number(),
  newest: z.array(z.string()),
  failure: z.string().nullable(),
  failed_at: z.date().nullable(),
  refusal: z.string().nullable(),
  blocked_at: z.date().nullable(),
});
const partsRow = z.object({
  has_default: z.boolean(),
  needs_model: z.boolean(),
  names_model: z.boolean(),
  failed_tests: z.array(
    z.object({
      provider: z.string(),
      used: z.boolean(),
      error: z.string(),
      at: z.string().transform((at) => new Date(at)),
    }),
  ),
  connections: z.array(z.object({ name: z.string().nullable(), error: z.string().nullable() })),
  waiting: z.number(),
  waiting_since: z.date().nullable(),
  backlog: z.number(),
  backlog_since: z.date().nullable(),
  used_bytes: z.number(),
  limit_bytes: z.number().nullable(),
});

/**
 * SQL: the providers that an active agent of organization $1 uses, perhaps for its fallback.
 * @param usual the provider of the installation's default model
 */
const usedProviders = (usual: string) => `
      select distinct coalesce(split_part(m.model, '/', 1), ${usual}) as provider
        from agents a join organizations o on o.id = a.organization_id
          cross join lateral (select coalesce(a.model, o.default_model) as model
            union all select a.fallback_model where a.fallback_model is not null) m
        where a.organization_id = $1 and a.deleted_at is null and a.active`;

/**
 * Finds, among the newest $3 runs that ended since $2, the newest outcome of each provider that an active agent uses. A
 * failed run counts for the model of its last failed call, an answered run for the model that its agent has now or, if
 * its fallback model answered, for that one. The model that a run gave up for its fallback has failed.
 * $4: the provider of the installation's default model.
 */
const models = statement('health-models', modelOutcome)`
  with used as (${usedProviders('$4')}),
    ended as (
      select id, agent_id, organization_id, state, finished_at from runs
        where organization_id = $1 and finished_at >= $2 order by finished_at desc limit $3),
    outcome as (
      select coalesce(split_part(case when f.run_id is null then coalesce(s.model_id, a.model, o.default_model) else f.model end, '/', 1), $4) as provider,
          e.state = 'failed' as failed, f.last_error as error, f.provider_message, e.finished_at as at
        from ended e join agents a on a.id = e.agent_id join organizations o on o.id = e.organization_id
          left join lateral (select * from model_failures m where m.run_id = e.id order by m.step desc limit 1) f on e.state = 'failed'
          left join lateral (select model_id from run_steps x where x.run_id = e.id and x.fallback is not null
            order by x.step desc limit 1) s on e.state = 'answered'
        where e.state = 'answered' or f.run_id is not null
      union all
      select split_part(g.fell_back->>'model', '/', 1), true, g.fell_back->>'error', g.fell_back->>'provider_message', e.finished_at
        from ended e cross join lateral (select fell_back from model_failures m where m.run_id = e.id and m.fell_back is not null
          order by m.step limit 5) g)
    select distinct on (u.provider) u.provider, c.failed, c.error, c.provider_message, c.at, p.updated_at as saved_at
      from used u join outcome c on c.provider = u.provider
        left join model_providers p on p.organization_id = $1 and p.name = u.provider
      where u.provider <> 'scripted'
      order by u.provider, c.at desc, c.failed desc limit ${maxListed}`;

/** $2: the provider of the installation's default model. */
const parts = statement('health-parts', partsRow)`
  select
    (select default_model is not null from organizations where id = $1) as has_default,
    exists (select from agents where organization_id = $1 and deleted_at is null and active and model is null
      and (script is null or script = '[]')) as needs_model,
    exists (select from agents where organization_id = $1 and deleted_at is null and active
      and model not like 'scripted/%') as names_model,
    (select coalesce(json_agg(p), '[]') from (
       select name as provider, name in (${usedProviders('$2')}) as used, test_error as error, tested_at as at from model_providers
         where organization_id = $1 and test_error is not null order by name limit ${maxListed}) p) as failed_tests,
    (select coalesce(json_agg(w), '[]') from (
       select s.name, s.error from (
         select coalesce(t.workspace_name, t.integration_name) as name, t.last_error as error
           from tool_connections t where t.organization_id = $1 and t.status = 'needs_reconnect'
           order by t.id limit ${maxListed}) s) w) as connections,
    (select count(*)::integer from (select from conversations where organization_id = $1 and waiting_since is not null
       and not is_test and waiting_since < clock_timestamp() - interval '10 minutes' limit 1000) x) as waiting,
    (select min(waiting_since) from (select waiting_since from conversations where organization_id = $1
       and waiting_since is not null and not is_test and waiting_since < clock_timestamp() - interval '10 minutes' limit 1000) x) as waiting_since,
    (select count(*)::integer from (select from runs where organization_id = $1 and state in ('collecting', 'ready')
       and closes_at < clock_timestamp() - interval '30 s' limit 1000) x) as backlog,
    (select closes_at from runs where organization_id = $1 and state in ('collecting', 'ready')
       and closes_at < clock_timestamp() - interval '30 s' order by closes_at limit 1) as backlog_since,
    coalesce((select bytes from storage_used where organization_id = $1), 0) as used_bytes,
    storage_limit($1) as limit_bytes`;

const channels = statement('health-channels', channelRow)`
  select c.agent_id, a.name as agent_name, c.state, c.last_error->>'message' as message, c.last_inbound_at
    from agents a join channels c on c.agent_id = a.id
    where a.organization_id = $1 and a.deleted_at is null
      and (c.state = 'connected' and c.last_error is not null or c.state = 'awaiting_webhook')
    order by c.state desc, a.name limit ${maxListed}`;

/**
 * Selects among the newest `maxCallbacks` deliveries of organization $1. $2: the smallest id that counts; ids of
 * deliveries begin with the time of their creation. Both bounds compare two columns at once. Otherwise, Postgres might
 * read newer rows of other organizations.
 */
const hosts = statement('delivery-hosts', hostOutcome)`
  with recent as (select id, status, error, created_at, host
      from (select * from deliveries where (organization_id, id) >= ($1, $2) and (organization_id, id) <= ($1, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
              order by organization_id desc, id desc limit ${maxCallbacks}) d
      where d.host is not null and d.status in ('delivered', 'failed', 'unknown', 'blocked'))
    select host, count(*)::integer as attempts,
        count(*) filter (where status in ('failed', 'unknown'))::integer as failed,
        count(*) filter (where status = 'blocked')::integer as blocked,
        (array_agg(status order by id desc))[1:5] as newest,
        (array_agg(error order by id desc) filter (where status in ('failed', 'unknown')))[1] as failure,
        max(created_at) filter (where status in ('failed', 'unknown')) as failed_at,
        (array_agg(error order by id desc) filter (where status = 'blocked'))[1] as refusal,
        max(created_at) filter (where status = 'blocked') as blocked_at
      from recent group by host
      order by bool_and(status = 'delivered'), max(id::text) desc limit ${maxHosts}`;

/**
 * Counts the ended callbacks and alerts of the last day by host. Reads only the newest `maxCallbacks` deliveries.
 * @returns at most `maxHosts` hosts: those with a delivery that was not delivered come first
 */
export async function findDeliveryHosts(
  db: Database,
  organizationId: string,
): Promise<z.infer<typeof hostOutcome>[]> {
  const first = firstIdAt(Date.now() - dayMs);
  return await queryRows(db, hosts, [organizationId, first]);
}

const providerOf = (model: string): string => model.split('/')[0] ?? '';

/**
 * Finds the newest outcome of each provider that an active agent uses, among the newest `maxRuns` runs that ended since
 * `since`.
 * @param usualModel `provider/name` of the installation's default model
 */
export const findModelOutcomes = async (
  db: Database,
  organizationId: string,
  since: Date,
  usualModel: string,
): Promise<z.infer<typeof modelOutcome>[]> =>
  await queryRows(db, models, [organizationId, since, maxRuns, providerOf(usualModel)]);

/**
 * Reads all facts that judgeHealth() judges, except the monthly limits, the caps and the sign-ins at MCP servers.
 * @param usualModel `provider/name` of the installation's default model
 */
export async function findHealthFacts(
  db: Database,
  organizationId: string,
  usualModel: string,
): Promise<Omit<HealthFacts, 'allowed' | 'caps' | 'signIns'>> {
  const since = Date.now() - dayMs;
  const [modelRows, [found], channelRows, hostRows] = await Promise.all([
    findModelOutcomes(db, organizationId, new Date(since), usualModel),
    queryRows(db, parts, [organizationId, providerOf(usualModel)]),
    queryRows(db, channels, [organizationId]),
    findDeliveryHosts(db, organizationId),
  ]);
  return {
    withoutDefault:
      found === undefined || found.has_default || usualModel !== scriptedModelId
        ? undefined
        : { needed: found.needs_model, named: found.names_model },
    models: modelRows,
    failedTests: found?.failed_tests ?? [],
    channels: channelRows,
    connections: found?.connections ?? [],
    hosts: hostRows,
    waiting: { conversations: found?.waiting ?? 0, since: found?.waiting_since ?? null },
    backlog: { messages: found?.backlog ?? 0, since: found?.backlog_since ?? null },
    storage: { used_bytes: found?.used_bytes ?? 0, limit_bytes: found?.limit_bytes ?? null },
  };
}
