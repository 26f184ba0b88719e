/** Counts the recent calls of each tool and the agents that have it, and finds its last call. Lists the tools that were ever called. */
import { maxCalledTools } from '../../../contract/conversations/timeline.ts';
import { toolActivity, type ToolActivity } from '../../../contract/data/tool-activity.ts';
import { firstIdAt } from '../cursor.ts';
import { queryRows, statement, type Database } from '../database.ts';

/** Maximum executions that are counted, newest first. Chosen: small, because consoles poll this statement. */
const maxCalls = 5000;
/** Maximum agents whose tools are read, oldest first. Chosen. */
const maxAgents = 1000;
/** Maximum agents that are listed for one tool. Chosen. */
const maxListed = 5;
/** Maximum characters of the error of a tool's last call. Chosen: its first sentence or two. */
const maxProblemChars = 200;

/**
 * Counts calls and agents by tool. $2: the smallest id that counts; ids of executions begin with the time of their
 * creation. $3: the prefix of the names of document actions. The row whose tool is this prefix counts the agents that
 * have at least one document action. The bounds on ids and on actions also contain the organization. Otherwise, Postgres
 * might read newer rows of other organizations or tools. The last call of each tool is one row of an index.
 */
const activity = statement('tool-activity', toolActivity.shape.data.element)`
  with recent as (
      select action, status from tool_executions
        where (organization_id, id) >= ($1, $2) and (organization_id, id) <= ($1, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
        order by organization_id desc, id desc limit ${maxCalls}),
    called as (
      select action as tool, count(*)::integer as calls, count(*) filter (where status in ('failed', 'unknown'))::integer as failed
        from recent group by action),
    naming as (
      select t.tool, count(*)::integer as agents,
          (array_agg(json_build_object('id', a.id, 'name', a.name) order by a.name))[1:${maxListed}] as first_agents
        from (select id, name, tools from agents where organization_id = $1 and deleted_at is null order by organization_id, id limit ${maxAgents}) a
          cross join lateral (
            select tool from unnest(a.tools) as tool
            union all select $3 where exists (select from unnest(a.tools) as tool where starts_with(tool, $3))) as t
        group by t.tool)
    select tool, coalesce(calls, 0) as calls, coalesce(failed, 0) as failed, coalesce(agents, 0) as agents,
        coalesce(to_json(first_agents), '[]') as first_agents, last
      from called full join naming using (tool)
        left join lateral (
          select json_build_object('at', to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'status', e.status,
              'conversation_id', e.conversation_id, 'problem', left(e.error, ${maxProblemChars})) as last
            from tool_executions e where (e.organization_id, e.action) >= ($1, tool) and (e.organization_id, e.action) <= ($1, tool)
            order by e.organization_id desc, e.action desc, e.id desc limit 1) newest on true`;

const actionPrefix = 'DOCS_';

/**
 * Finds the tools that were called since a time, and the tools that agents have. Reads only the newest `maxCalls` calls
 * and at most `maxAgents` agents.
 * @returns `is_complete` is false if there may be more calls than were counted
 */
export async function findToolActivity(
  db: Database,
  organizationId: string,
  since: Date,
): Promise<ToolActivity> {
  const first = firstIdAt(since.getTime());
  const values = [organizationId, first, actionPrefix];
  const rows = await queryRows(db, activity, values);
  const data = rows.filter(({ tool }) => tool !== actionPrefix);
  const { agents = 0, first_agents = [] } = rows.find(({ tool }) => tool === actionPrefix) ?? {};
  const actions = data.filter(({ tool }) => tool.startsWith(actionPrefix));
  const sum = (rowsOf: typeof data, count: 'calls' | 'failed') =>
    rowsOf.reduce((total, row) => total + row[count], 0);
  return {
    data,
    workspace: { calls: sum(actions, 'calls'), failed: sum(actions, 'failed'), agents, first_agents },
    is_complete: sum(data, 'calls') < maxCalls,
  };
}

/**
 * Reads one row of the index for each name, however often the tools were called.
 * @returns the names of the tools that were called in conversations, the first `maxCalledTools` in alphabetical order
 */
export const findCalledTools = statement('called-tools').ids<[organizationId: string]>`
  with recursive called as (
      (select action from tool_executions where organization_id = $1 and conversation_id is not null order by action limit 1)
      union all
      select (select e.action from tool_executions e
                where e.organization_id = $1 and e.conversation_id is not null and e.action > c.action order by e.action limit 1)
        from called c where c.action is not null)
    select action as id from called where action is not null limit ${maxCalledTools}`;
