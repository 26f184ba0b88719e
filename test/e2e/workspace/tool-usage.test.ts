/** The cost of an action's own model calls: on the answer of the agent that asked for it, and in the overview. */
import assert from 'node:assert/strict';
import { findOverview } from '../../../src/adapters/postgres/data/overview.ts';
import { rowPlan } from '../../workspace/actions/support/every-action.ts';
import { newDocsCaller, useDocsStack } from '../../support/docs-stack.ts';

const usage = { prompt_tokens: 1200, completion_tokens: 300 };

describe('Model calls of an action', () => {
  const docs = useDocsStack();

  /** A database, and a model whose first plan for a row of this description does not fit it. */
  const prepare = async () => {
    const { emulator, model } = docs();
    const caller = await newDocsCaller(docs());
    const database = await caller.ok('DOCS_CREATE_DATABASE', {
      title: 'Tasks',
      parent_id: emulator.ids.home,
      properties: [
        { name: 'Name', type: 'title' },
        { name: 'Priority', type: 'select', options: ['High'] },
      ],
    });
    const nl_query = `Buy milk ${crypto.randomUUID()}`;
    const asked: string[] = [];
    model.answerWhere(({ messages }) => {
      const text = JSON.stringify(messages);
      if (!text.includes(nl_query) || !text.includes('Fill a database row')) return undefined;
      asked.push(text);
      return {
        kind: 'stream',
        usage,
        text: asked.length === 1 ? '[{"name":"Colour","value":"red"}]' : rowPlan,
      };
    });
    return { caller, input: { database_id: database['id'], nl_query }, asked };
  };
  const spentIn = async (organizationId: string) => {
    const { totals, days } = await findOverview(docs().stack.db, organizationId, 2);
    return [totals.credits, days.reduce((sum, { credits }) => sum + credits, 0)];
  };

  it('are counted once for an agent: in the credits of its answer, its run and the overview', async () => {
    const { caller, input, asked } = await prepare();
    const agent = await caller.api.createAgent({
      model: 'scripted/default',
      tools: ['DOCS_INSERT_ROW_FROM_NL'],
      script: [
        { when: 'add', tool: { action: 'DOCS_INSERT_ROW_FROM_NL', input } },
        { on: 'tool_result', reply: 'Added.' },
      ],
    });
    const answer = await caller.api.ask(agent.id, { message: 'add it' });
    assert.equal(answer.response, 'Added.');
    assert.equal(asked.length, 2);
    assert.equal(answer.credits_used, 3);
    assert.deepEqual(await spentIn(caller.organizationId), [3, 3]);
    const steps = await docs()
      .stack.db.knex('run_steps as s')
      .join('runs as r', 'r.id', 's.run_id')
      .where('r.conversation_id', answer.conversation_id)
      .orderBy('s.step')
      .select('s.input_tokens', 's.output_tokens', 's.credits');
    assert.deepEqual(steps, [
      { input_tokens: 2400, output_tokens: 600, credits: 3 },
      { input_tokens: 0, output_tokens: 0, credits: 0 },
    ]);
  });

  it('are counted for a direct call too, even if every plan is invalid, and after the execution is deleted', async () => {
    const { caller, input } = await prepare();
    await caller.ok('DOCS_INSERT_ROW_FROM_NL', input);
    assert.deepEqual(await spentIn(caller.organizationId), [3, 3]);
    const { model, stack } = docs();
    const nl_query = `Never fits ${crypto.randomUUID()}`;
    model.answerWhere(({ messages }) =>
      JSON.stringify(messages).includes(nl_query) ? { kind: 'stream', usage, text: 'no plan' } : undefined,
    );
    const refused = await caller.run('DOCS_INSERT_ROW_FROM_NL', { ...input, nl_query });
    assert.match(refused.error ?? '', /nothing was written/);
    await stack.db.knex('tool_executions').where({ organization_id: caller.organizationId }).delete();
    assert.deepEqual(await spentIn(caller.organizationId), [6, 6]);
  });
});
