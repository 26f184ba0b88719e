/** Endpoints for the test set of an agent: the recorded turns that its rehearsals can ask again. */
import { recordAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import { inTransaction } from '../../../adapters/postgres/database.ts';
import {
  addTestTurns as add,
  countTestTurns,
  listTestTurns as findTestTurns,
  removeTestTurn as remove,
} from '../../../adapters/postgres/rehearsals/test-turns.ts';
import { PublicError } from '../../../contract/errors.ts';
import { agentTarget } from '../../../domain/conversations/agent-changes.ts';
import { pageOf, pageQuery } from '../../../contract/page.ts';
import {
  addedTestTurns,
  addTestTurns as addForm,
  maxTurns,
  ofTestTurn,
  testTurn,
} from '../../../contract/rehearsals/rehearsals.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { agentOf } from '../conversations/agent-versions.ts';
import { ofAgent } from '../conversations/agents.ts';

const ofTestSet = { auth: 'token', agents: 'agent', tag: 'Rehearsals' } as const;
const changing = { ...ofTestSet, scope: 'agents.manage', also: 'conversations.view' } as const;

export const listTestTurns = defineEndpoint({
  ...ofTestSet,
  scope: 'conversations.view',
  request: 'GET /agents/{id}/test-turns',
  summary: 'List the test set of an agent',
  description:
    'The turns that a rehearsal with source `test_set` asks again. A turn is erased with its conversation.',
  ...ofAgent,
  query: pageQuery,
  answers: { 200: pageOf(testTurn) },
  handle: async ({ params, query, caller }, { db }, respond) => {
    const { key } = await agentOf(db, caller, params);
    return respond(200, await findTestTurns(db, key, query));
  },
});

export const addTestTurns = defineEndpoint({
  ...changing,
  request: 'POST /agents/{id}/test-turns',
  summary: 'Add turns to the test set of an agent',
  description: `Of one run, or all that the agent began in a conversation. A turn is a run that answered a message. At most ${maxTurns} turns. If there is no such turn: 404.`,
  ...ofAgent,
  body: addForm,
  answers: { 200: addedTestTurns },
  errors: ['invalid_state'],
  handle: async ({ params, body, caller }, { db }, respond) => {
    const { key, known } = await agentOf(db, caller, params);
    const of = 'run_id' in body ? { runId: body.run_id } : { conversationId: body.conversation_id };
    const added = await inTransaction(db, async (tx) => {
      const before = await countTestTurns(tx, key);
      if (before >= maxTurns)
        throw new PublicError('invalid_state', {
          sentence: `The test set has ${maxTurns} turns, which is the maximum. Remove some first.`,
        });
      const made = await add(tx, caller, key, of, maxTurns - before);
      if (made === undefined) throw new PublicError('not_found');
      if (made > 0) await recordAudit(tx, caller, 'test_set_changed', agentTarget(known, [`${made} added`]));
      return made;
    });
    return respond(200, { added, turns: await countTestTurns(db, key) });
  },
});

export const removeTestTurn = defineEndpoint({
  ...changing,
  request: 'DELETE /agents/{id}/test-turns/{turnId}',
  summary: 'Remove a turn from the test set of an agent',
  description: 'Later rehearsals of the test set do not ask it; the recorded conversation stays as it is.',
  params: ofTestTurn,
  handle: async ({ params, caller }, { db }) => {
    const { key, known } = await agentOf(db, caller, params);
    await inTransaction(db, async (tx) => {
      if (!(await remove(tx, key, params.turnId))) throw new PublicError('not_found');
      await recordAudit(tx, caller, 'test_set_changed', agentTarget(known, ['1 removed']));
    });
  },
});
