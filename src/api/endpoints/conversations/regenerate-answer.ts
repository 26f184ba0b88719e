import { recordAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import { inTransaction } from '../../../adapters/postgres/database.ts';
import { z } from 'zod';
import { findConversation } from '../../../adapters/postgres/conversations/history.ts';
import { regenerateAnswer as regenerate } from '../../../adapters/postgres/conversations/regenerate-answer.ts';
import { keepRunTrace } from '../../../adapters/postgres/conversations/run-traces.ts';
import { orNotFound, PublicError } from '../../../contract/errors.ts';
import { takenOver } from '../../../app/conversations/accept-input.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { EventStream } from '../../event-stream.ts';
import { WaitingAnswer } from '../../waiting-answer.ts';
import { endOf, followRun } from '../../conversations/follow-run.ts';
import { answeredByRun, demandWithinLimits, inputCaller, runErrors } from './post-chat.ts';

export const regenerateAnswer = defineEndpoint({
  auth: 'token',
  scope: 'conversations.take_over',
  agents: 'conversation',
  request: 'POST /conversations/{conversationId}/regenerate',
  also: 'conversations.view',
  tag: 'Conversations',
  summary: 'Regenerate the last answer',
  description:
    'Starts a new run over the same messages, with the history before them, also if the last run failed or was cancelled. Its answer is a new message with a new message_id and its own callback to the webhook_url of the messages. The replaced message stays in the history as `replaced`; no model reads it again, and its callback is never sent again. The current agent of the conversation answers. Synchronous and streamed as in POST /chat/{id}. 409 `invalid_state` while a run is in progress or a message waits, if no message was sent yet, while a person has taken over the conversation, and for conversations of a channel. A token also needs the scope conversations.view.',
  params: z.object({ conversationId: z.uuid().describe('Identifier of the conversation') }),
  body: z
    .strictObject({
      sync: z.boolean().default(false).describe('true: this call waits for the answer and returns it'),
    })
    .meta({ id: 'RegenerateAnswer', description: 'How the new answer is returned' }),
  ...answeredByRun,
  errors: [...runErrors, 'invalid_state'],
  handle: async ({ params, body, caller, wantsEvents }, deps, respond) => {
    const { organizationId } = caller;
    await demandWithinLimits({ organizationId, caller: inputCaller(caller) }, deps);
    const callerTokenId = caller.kind === 'token' ? caller.tokenId : undefined;
    const found = orNotFound(await findConversation(deps.db, organizationId, params.conversationId));
    const streamed = body.sync && wantsEvents;
    const made = await inTransaction(deps.db, async (tx) => {
      const result = await regenerate(tx, found.id, { sync: body.sync, streamed, callerTokenId });
      if (result.outcome === 'accepted') await recordAudit(tx, caller, 'answer_regenerated', found.id);
      return result;
    });
    if (made.outcome === 'paused') throw takenOver(found.id);
    if (made.outcome !== 'accepted')
      throw new PublicError(made.outcome === 'inactive' ? 'agent_inactive' : made.outcome);
    await keepRunTrace(deps.db, made.run_id);
    const { id: conversationId, channel } = found;
    const address = { id: conversationId, organizationId, agentId: made.agent_id, channel };
    await deps.conversations.nudge(address);
    const run = { organizationId, conversationId, runId: made.run_id, messageId: made.message_id };
    if (streamed) return new EventStream((signal) => followRun(deps, run, undefined, signal));
    if (!body.sync) return respond(202, { status: 'processing', conversation_id: conversationId });
    return new WaitingAnswer(async (left) => {
      const ended = await deps.answers.waitFor(run.runId, deps.config.SYNC_TIMEOUT_SECONDS * 1000, left);
      return await endOf(deps, run, ended);
    });
  },
});
