import { recordAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import { inTransaction } from '../../../adapters/postgres/database.ts';
import { z } from 'zod';
import { findConversation } from '../../../adapters/postgres/conversations/history.ts';
import { cancelRuns as cancel } from '../../../adapters/postgres/conversations/cancel-runs.ts';
import { PublicError } from '../../../contract/errors.ts';
import { countCancelled } from '../../../observability/api-metrics.ts';
import { defineEndpoint } from '../../endpoint.ts';

export const cancelRuns = defineEndpoint({
  auth: 'token',
  method: 'post',
  path: '/conversations/{conversationId}/cancel',
  tag: 'Conversations',
  summary: 'Cancel all unanswered messages',
  description:
    'Ends the run in progress and every waiting message at once, with status `cancelled`, without an answer and without a callback. A synchronous call that waits for them gets 409 `cancelled`. What is already recorded stays: a message before a transfer with its callback, and what tools have done. The messages stay in the history, where the next answer can use them; new messages are answered as usual. Repeatable: with nothing to cancel, the list is empty.',
  params: z.object({ conversationId: z.uuid().describe('Identifier of the conversation') }),
  answers: {
    200: z
      .object({
        conversation_id: z.uuid().describe('The conversation'),
        cancelled: z.array(z.uuid()).describe('The messages that will not be answered, in order'),
      })
      .meta({ id: 'Cancelled', description: 'What was cancelled' }),
  },
  errors: ['not_found'],
  handle: async ({ params, caller }, { db }, respond) => {
    const found = await findConversation(db, caller.organizationId, params.conversationId);
    if (found === undefined) throw new PublicError('not_found');
    const cancelled = await inTransaction(db, async (tx) => {
      const ids = await cancel(tx, found.id);
      if (ids.length > 0) await recordAudit(tx, caller, 'runs_cancelled', found.id);
      return ids;
    });
    countCancelled({}, cancelled.length);
    return respond(200, { conversation_id: found.id, cancelled });
  },
});
