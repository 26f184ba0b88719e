/** The console's endpoints that return the details of a run, and that answer its messages again as a trial. */
import { z } from 'zod';
import { handOverTool, transferTool } from '../../../adapters/models/model.ts';
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
import { inputCaller } from './post-chat.ts';
import { defineEndpoint } from '../../endpoint.ts';

const ownSummaries = new Map([
  [transferTool, 'Hands the conversation over to another agent.'],
  [handOverTool, 'Hands the conversation over to a person.'],
]);

const ofRun = {
  auth: 'session',
  capability: 'conversations.view',
  params: z.object({ id: z.uuid() }),
  query: runDetailQuery,
} as const;

/**
 * Returns a run to every member who may view conversations. It includes the agent's instructions, which all members
 * may view.
 */
export const getRun = defineEndpoint({
  ...ofRun,
  request: 'GET /runs/{id}',
  answers: { 200: runDetail },
  handle: async ({ caller, params: { id }, query: { cursor } }, { db, tools }, respond) => {
    const summaries = new Map(tools.definitions.map(({ action, summary }) => [action, summary]));
    const does = (name: string) => ownSummaries.get(name) ?? summaries.get(name);
    return respond(200, orNotFound(await findRunDetail(db, caller.organizationId, id, { cursor, does })));
  },
});

export const getRunHistory = defineEndpoint({
  ...ofRun,
  request: 'GET /runs/{id}/history',
  answers: { 200: runHistory },
  handle: async ({ caller, params: { id }, query: { cursor } }, { db }, respond) => {
    return respond(200, orNotFound(await findRunHistory(db, caller.organizationId, id, cursor)));
  },
});

/** Maximum trials of one run. Chosen: low, because erasing the run's conversation also erases its trials. */
const maxTrials = 50;

/**
 * Starts a trial: answers the messages of a run again with other instructions, in a new test conversation. The answer
 * is not sent anywhere, because this conversation is not on WhatsApp and has no webhook_url. A trial executes only
 * tools that do not change data.
 */
export const tryRunAgain = defineEndpoint({
  auth: 'session',
  request: 'POST /runs/{id}/try',
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
    // There is no text to answer again: the run is a follow-up, or its messages contain only files.
    if (tried.text === '') throw new PublicError('invalid_state');
    const { conversation_id, run_id } = await deps.conversations.accept({
      organizationId,
      targetId: tried.agent_id,
      text: tried.text,
      sync: true,
      caller: inputCaller(caller),
      ...(body.draft === true && { triesDraft: true }),
      ...(tried.earlier_turns.length > 0 && { earlierTurns: tried.earlier_turns }),
      tries: {
        conversationId: tried.conversation_id,
        runId: tried.run_id,
        instructions: body.instructions,
      },
    });
    return respond(202, { conversation_id, run_id });
  },
});
