import { recordAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import { inTransaction } from '../../../adapters/postgres/database.ts';
import { z } from 'zod';
import { deleteAgent as removeAgent } from '../../../adapters/postgres/conversations/agents.ts';
import { PublicError } from '../../../contract/errors.ts';
import { defineEndpoint } from '../../endpoint.ts';

export const deleteAgent = defineEndpoint({
  auth: 'token',
  method: 'delete',
  path: '/agents/{id}',
  tag: 'Agents',
  summary: 'Delete an agent',
  description: 'Its conversations stay readable, and messages that were already accepted are still answered.',
  params: z.object({ id: z.uuid().describe('Identifier of the agent') }),
  answers: { 204: z.undefined() },
  errors: ['not_found'],
  handle: async ({ params, caller }, { db }, respond) => {
    await inTransaction(db, async (tx) => {
      if (!(await removeAgent(tx, caller.organizationId, params.id))) throw new PublicError('not_found');
      await recordAudit(tx, caller, 'agent_deleted', params.id);
    });
    return respond(204, undefined);
  },
});
