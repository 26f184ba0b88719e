import { recordAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import { inTransaction } from '../../../adapters/postgres/database.ts';
import { z } from 'zod';
import { findAgent, updateAgent as changeAgent } from '../../../adapters/postgres/conversations/agents.ts';
import { agent, updateAgent as updateAgentBody } from '../../../contract/conversations/agents.ts';
import { PublicError } from '../../../contract/errors.ts';
import { agentView } from '../../conversations/agent-view.ts';
import { checkAgent } from '../../../app/conversations/check-agent.ts';
import { defineEndpoint } from '../../endpoint.ts';

export const updateAgent = defineEndpoint({
  auth: 'token',
  method: 'patch',
  path: '/agents/{id}',
  tag: 'Agents',
  summary: 'Change an agent',
  description:
    'Absent fields stay as they are. Null resets an optional setting to its default. With `If-Match`, nothing changes if someone else has changed the agent since.',
  params: z.object({ id: z.uuid().describe('Identifier of the agent') }),
  body: updateAgentBody,
  answers: { 200: agent },
  takesIfMatch: true,
  errors: ['not_found', 'conflict', 'version_conflict'],
  handle: async ({ params, body, caller, ifMatch }, deps, respond) => {
    const { organizationId } = caller;
    if ((await findAgent(deps.db, organizationId, params.id)) === undefined)
      throw new PublicError('not_found');
    await checkAgent(deps, organizationId, body);
    const row = await inTransaction(deps.db, async (tx) => {
      const changed = await changeAgent(tx, organizationId, params.id, body, ifMatch);
      if (changed !== undefined) await recordAudit(tx, caller, 'agent_changed', changed.name);
      return changed;
    });
    if (row === undefined) {
      const isGone = (await findAgent(deps.db, organizationId, params.id)) === undefined;
      throw new PublicError(isGone ? 'not_found' : 'version_conflict');
    }
    return respond(200, agentView(row, deps.defaultModel));
  },
});
