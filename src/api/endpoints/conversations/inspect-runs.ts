/** The console's endpoints that show how an answer came about. */
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
  params: z.object({ id: z.uuid() }),
  query: runDetailQuery,
  errors: ['not_found', 'validation_failed'],
} as const;

/** Requires the capability to view conversations only, because every member may view agents. */
export const getRun = defineEndpoint({
  auth: 'session',
  method: 'get',
  path: '/runs/{id}',
  capability: 'conversations.view',
  ...ofRun,
  answers: { 200: runDetail },
  handle: async ({ caller, params: { id }, query: { cursor } }, { db, tools }, respond) => {
    const summaries = new Map(tools.definitions.map(({ action, summary }) => [action, summary]));
    const does = (name: string) => (name === transferTool ? transferSummary : summaries.get(name));
    const found = orNotFound(await findRunDetail(db, caller.organizationId, id, { cursor, does }));
    return respond(200, found);
  },
});

export const getRunHistory = defineEndpoint({
  auth: 'session',
  method: 'get',
  path: '/runs/{id}/history',
  capability: 'conversations.view',
  ...ofRun,
  answers: { 200: runHistory },
  handle: async ({ caller, params: { id }, query: { cursor } }, { db }, respond) => {
    const found = orNotFound(await findRunHistory(db, caller.organizationId, id, cursor));
    return respond(200, found);
  },
});

/** Maximum trials kept of one run, so that their conversation can be erased in time. Chosen. */
const maxTrials = 50;

/**
 * Answers the messages of a run again with other instructions, in a test conversation. Nothing is sent: the conversation
 * has no channel and no webhook_url, and only tools that read are executed.
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
  errors: ['not_found', 'invalid_state', 'agent_inactive', 'validation_failed'],
  handle: async ({ caller, params: { id }, body }, deps, respond) => {
    const { organizationId } = caller;
    const tried = orNotFound(await findTriedRun(deps.db, organizationId, id));
    if (tried.trials >= maxTrials) {
      const sentence = `This answer has been tried ${maxTrials} times, which is the maximum. Try a later answer.`;
      throw new PublicError('invalid_state', { sentence });
    }
    // A follow-up answers no message.
    if (tried.text === '') throw new PublicError('invalid_state');
    const { conversation_id, run_id } = await deps.conversations.accept({
      ...{ organizationId, targetId: tried.agent_id, text: tried.text, sync: true, isTest: true },
      callerId: idOf(caller),
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
