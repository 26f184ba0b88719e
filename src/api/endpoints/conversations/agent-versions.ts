/** Endpoints for the versions of an agent: list, read, compare and roll back. */
import { recordAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import {
  describeVersion,
  findAgentVersion,
  listAgentVersions as findVersions,
  type AgentKey,
} from '../../../adapters/postgres/conversations/agent-versions.ts';
import { findAgent, updateAgent } from '../../../adapters/postgres/conversations/agents.ts';
import { inTransaction, type Database } from '../../../adapters/postgres/database.ts';
import { checkAgent } from '../../../app/conversations/check-agent.ts';
import {
  agentVersion,
  agentVersionDetail,
  ofAgentVersion,
  rollBack,
  versionQuery,
  versionsQuery,
  type AgentVersionDetail,
} from '../../../contract/conversations/agent-versions.ts';
import { invalidField, PublicError } from '../../../contract/errors.ts';
import { pageOf } from '../../../contract/page.ts';
import { demandEach, demandTools } from '../../admit.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { ofAgent } from './agents.ts';

export const listAgentVersions = defineEndpoint({
  auth: 'token',
  scope: 'agents.view',
  agents: 'agent',
  method: 'get',
  path: '/agents/{id}/versions',
  tag: 'Agents',
  summary: 'List the versions of an agent',
  description:
    'Newest first. Each change of its instructions, model, script, follow-ups, transfers, tools or connections is a version. Kept are the newest 50 of at most 4 MiB, and older ones with which a kept conversation was answered, up to 1,000 and 64 MiB.',
  ...ofAgent,
  query: versionsQuery,
  answers: { 200: pageOf(agentVersion) },
  errors: ['not_found'],
  handle: async ({ params, query, caller: { organizationId } }, { db }, respond) => {
    if ((await findAgent(db, organizationId, params.id)) === undefined) throw new PublicError('not_found');
    return respond(200, await findVersions(db, { id: params.id, organizationId }, query));
  },
});

export const getAgentVersion = defineEndpoint({
  auth: 'token',
  scope: 'agents.view',
  agents: 'agent',
  method: 'get',
  path: '/agents/{id}/versions/{version}',
  tag: 'Agents',
  summary: 'Read a version of an agent, and how it differs from another',
  description: 'A version never changes. `changes` names the fields that differ, with both values.',
  params: ofAgentVersion,
  query: versionQuery,
  answers: { 200: agentVersionDetail },
  errors: ['not_found'],
  handle: async ({ params, query, caller: { organizationId } }, { db }, respond) => {
    const agent = { id: params.id, organizationId };
    const found = await findAgentVersion(db, agent, params.version, query.compare_with);
    if (found === undefined) throw new PublicError('not_found');
    return respond(200, found);
  },
});

export const rollBackAgent = defineEndpoint({
  auth: 'token',
  scope: 'agents.manage',
  agents: 'agent',
  method: 'post',
  path: '/agents/{id}/rollback',
  sometimes: '`tools.manage`, if the tools or connections of an agent change',
  tag: 'Agents',
  summary: 'Publish an earlier version of an agent again',
  description:
    'Its content becomes a new version, so that the numbers still tell the order of what answered when. If the agent has that content already, nothing changes. A version whose tools, agents, connections or model no longer exist is refused. Runs in progress keep their version.',
  ...ofAgent,
  body: rollBack,
  answers: { 200: agentVersionDetail },
  takesIfMatch: true,
  errors: ['not_found', 'version_conflict'],
  handle: async ({ params, body, caller, ifMatch }, deps, respond) => {
    const { organizationId } = caller;
    const key = { id: params.id, organizationId };
    const known = await findAgent(deps.db, organizationId, params.id);
    if (known === undefined) throw new PublicError('not_found');
    const wanted = await findAgentVersion(deps.db, key, body.version, known.version);
    if (wanted === undefined) throw invalidField('version', 'is not a kept version of this agent');
    demandTools(caller, known, wanted.content);
    demandEach(caller, wanted.content.transfers_to);
    await checkAgent(deps, organizationId, wanted.content);
    const published = await inTransaction(deps.db, async (tx) => {
      // The agent must not have changed since the checks above.
      const row = await updateAgent(
        tx,
        organizationId,
        params.id,
        wanted.content,
        ifMatch ?? known.updated_at,
      );
      if (row === undefined) throw new PublicError('version_conflict');
      if (row.version !== known.version) {
        await describeVersion(tx, caller, row, { note: body.note, restores: body.version });
        await recordAudit(
          tx,
          caller,
          'agent_rolled_back',
          `${row.name} (version ${row.version}, the content of version ${body.version})`,
        );
      }
      return row.version;
    });
    return respond(200, await versionOf(deps.db, key, published));
  },
});

async function versionOf(db: Database, agent: AgentKey, version: number): Promise<AgentVersionDetail> {
  const found = await findAgentVersion(db, agent, version);
  if (found === undefined) throw new PublicError('not_found');
  return found;
}
