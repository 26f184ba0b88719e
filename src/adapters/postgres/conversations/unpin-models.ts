/** Agents whose model nobody chose follow the default again. The console's form used to store the default that it
 *  showed with every change, so that such an agent kept it when the installation got another one. */
import type { Database } from '../database.ts';
import { acrossOrganizations } from '../organization-scope.ts';

const done = 'models_unpinned';

/**
 * Works once for an installation; may be called by several processes at a time, and again.
 * Nobody chose the scripted model for an agent without a script, which it can only refuse to answer; nor the present
 * default, if the agent was changed in the console and never through the API or a file, which store what they are given.
 * @param defaultModel what agents without a model of their own use
 */
export async function unpinModels(db: Database, defaultModel: string): Promise<void> {
  await acrossOrganizations(() => db.pool.query({ text: unpin, values: [done, defaultModel] }));
}

const unpin = `
  with first as (
    insert into installation (name, value) values ($1, now()::text) on conflict do nothing returning name
  )
  update agents a set model = null from first
    where (a.model = 'scripted/default' and (a.script is null or a.script = '[]'))
       or (a.model = $2
           and exists (select from audit_log l where l.organization_id = a.organization_id
             and l.action = 'agent_changed' and l.target = a.name and l.actor not like 'API token %')
           and not exists (select from audit_log l where l.organization_id = a.organization_id
             and ((l.action in ('agent_created', 'agent_changed') and l.target = a.name and l.actor like 'API token %')
               or (l.action = 'agents_imported' and position(a.name in l.target) > 0))))`;
