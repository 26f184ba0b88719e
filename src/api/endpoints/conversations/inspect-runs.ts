/** The console's endpoints that show the details of a run, and that try other instructions on its messages. */
import { z } from 'zod';
import { transferTool } from '../../../adapters/models/model.ts';
import {
  findRunDetail,
  findRunHistory,
  findTriedRun,
} from '../../../adapters/postgres/conversations/run-details.ts';
import { orNotFound, PublicError } from '../../../contract/errors.ts';
import {
  runDetail,
  runDetailQuery,
  runHistory,
  startedTrial,
  trialForm,
} from '../../../contract/conversations/run-detail.ts';
import { idOf } from '../../admit.ts';
import { defineEndpoint } from '../../endpoint.ts';

const transferSummary = 'Hands the conversation over to another agent.';

const ofRun = {
  auth: 'session',
  method: 'get',
  capability: 'conversations.view',
  params: z.object({ id: z.uuid() }),
  query: runDetailQuery,
} as const;

/**
 * Returns a run to everyone who may view conversations. It includes the agent's instructions, because every member may
 * view agents.
 */
export const getRun = defineEndpoint({
  ...ofRun,
  path: '/runs/{id}',
  answers: { 200: runDetail },
  handle: async ({ caller, params: { id }, query: { cursor } }, { db, tools }, respond) => {
    const summaries = new Map(tools.definitions.map(({ action, summary }) => [action, summary]));
    const does = (name: string) => (name === transferTool ? transferSummary : summaries.get(name));
    return respond(200, orNotFound(await findRunDetail(db, caller.organizationId, id, { cursor, does })));
  },
});

export const getRunHistory = defineEndpoint({
  ...ofRun,
  path: '/runs/{id}/history',
  answers: { 200: runHistory },
  handle: async ({ caller, params: { id }, query: { cursor } }, { db }, respond) => {
    return respond(200, orNotFound(await findRunHistory(db, caller.organizationId, id, cursor)));
  },
});

/** Maximum trials of one run, so that erasing its conversation does not take too long. Chosen. */
const maxTrials = 50;

/**
 * Answers the messages of a run again with other instructions, in a test conversation. Nothing is sent: the test
 * conversation is not on WhatsApp and has no webhook_url, and only tools that read are executed.
 */
export const tryRunAgain = defineEndpoint({
  auth: 'session',
  method: 'post',
  path: '/runs/{id}/try',
  capability: 'agents.manage',
  also: 'conversations.view',
  params: z.object({ id: z.uuid() }),
  body: trialForm,
  answers: { 202: startedTrial },
  handle: async ({ caller, params: { id }, body }, deps, respond) => {
    const { organizationId } = caller;
    const tried = orNotFound(await findTriedRun(deps.db, organizationId, id));
    if (tried.trials >= maxTrials) {
      const sentence = `This answer has been tried ${maxTrials} times, which is the maximum. Try a later answer.`;
      throw new PublicError('invalid_state', { sentence });
    }
    // A follow-up answers no message, so there is nothing to answer again.
    if (tried.text === '') throw new PublicError('invalid_state');
    const { conversation_id, run_id } = await deps.conversations.accept({
      ...{ organizationId, targetId: tried.agent_id, text: tried.text, sync: true, isTest: true },
      callerId: idOf(caller),
      ...(body.draft === true && { triesDraft: true }),
      ...(tried.earlierTurns.length > 0 && { earlierTurns: tried.earlierTurns }),
      tries: {
        conversationId: tried.conversation_id,
        runId: tried.run_id,
        instructions: body.instructions,
      },
    });
    return respond(202, { conversation_id, run_id });
  },
});
