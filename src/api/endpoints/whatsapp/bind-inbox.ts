import { recordAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import { inTransaction } from '../../../adapters/postgres/database.ts';
import { z } from 'zod';
import {
  bindInbox as bind,
  findInbox,
  missingAgents,
} from '../../../adapters/postgres/conversations/agents.ts';
import { bindInbox as bindInboxBody, inbox } from '../../../contract/conversations/agents.ts';
import { invalidField, PublicError } from '../../../contract/errors.ts';
import { defineEndpoint } from '../../endpoint.ts';

export const bindInbox = defineEndpoint({
  auth: 'token',
  method: 'patch',
  path: '/inboxes/{id}',
  tag: 'Agents',
  summary: 'Bind an API inbox to another agent',
  description: 'That agent answers new conversations of the inbox.',
  params: z.object({ id: z.uuid().describe('Identifier of the inbox') }),
  body: bindInboxBody,
  answers: { 200: inbox },
  errors: ['not_found'],
  handle: async ({ params, body, caller }, { db }, respond) => {
    const { organizationId } = caller;
    if (!(await findInbox(db, organizationId, params.id))) throw new PublicError('not_found');
    const missing = await missingAgents(db, organizationId, [body.agent_id]);
    if (missing.length > 0) throw invalidField('agent_id', 'is no agent of this organization');
    const row = await inTransaction(db, async (tx) => {
      const bound = await bind(tx, organizationId, params.id, body.agent_id);
      if (bound === undefined) throw new PublicError('not_found');
      await recordAudit(tx, caller, 'inbox_bound', `${bound.id} to ${body.agent_id}`);
      return bound;
    });
    return respond(200, row);
  },
});
