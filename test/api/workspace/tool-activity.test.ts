/** How often each tool was called, and which agents name it, as the console shows it. */
import assert from 'node:assert/strict';
import { v7 as newId } from 'uuid';
import type { ToolActivity } from '../../../src/contract/data/tool-activity.ts';
import { signIn } from '../../support/console-person.ts';
import { useSharedStack } from '../../support/stack.ts';

const hourMs = 60 * 60 * 1000;

describe('The activity of tools', () => {
  const stack = useSharedStack();

  async function organization() {
    const own = { ...stack(), ...(await stack().stranger()) };
    const { call } = await signIn(own, []);
    const called = async (action: string, status: string, agoMs: number) => {
      const at = new Date(Date.now() - agoMs);
      const id = newId({ msecs: at.getTime() });
      const requested_by = JSON.stringify({ kind: 'system' });
      await own.db.knex('tool_executions').insert({
        ...{ id, organization_id: own.organizationId, origin: id, action, input: '{}', status },
        requested_by,
        created_at: at,
      });
    };
    const activity = async (sinceMs: number) => {
      const since = new Date(Date.now() - sinceMs).toISOString();
      const { status, body } = await call('GET', `/tool-activity?since=${encodeURIComponent(since)}`);
      assert.equal(status, 200, JSON.stringify(body));
      return body as ToolActivity;
    };
    return { ...own, call, called, activity };
  }

  it('counts calls since a time, at most the last 25 hours, and failed and unknown ones as failed', async () => {
    const { called, activity } = await organization();
    const other = await organization();
    for (const [status, agoMs] of [
      ...[
        ['succeeded', 0],
        ['failed', hourMs],
        ['unknown', hourMs],
        ['pending', 2 * hourMs],
      ],
      ...[
        ['failed', 24 * hourMs],
        ['failed', 26 * hourMs],
      ],
    ] as const)
      await called('find_order', status, agoMs);
    await other.called('find_order', 'failed', 0);
    const recent = await activity(3 * hourMs);
    const line = { tool: 'find_order', agents: 0, first_agents: [], last: recent.data[0]?.last };
    assert.deepEqual(recent, {
      data: [{ ...line, calls: 4, failed: 2 }],
      workspace: { calls: 0, failed: 0, agents: 0, first_agents: [] },
      is_complete: true,
    });
    assert.deepEqual((await activity(100 * hourMs)).data, [{ ...line, calls: 5, failed: 3 }]);
    assert.deepEqual((await activity(-hourMs)).data, []);
  });

  it('lists the first agents that name a tool, and counts all; deleted ones are left out', async () => {
    const { api, activity } = await organization();
    const names = ['Echo', 'Alma', 'Dora', 'Boris', 'Cleo', 'Finn', 'Gone'];
    const made: { id: string; name: string }[] = [];
    for (const name of names) {
      const { id } = await api.createAgent({ name, tools: ['DOCS_LIST_USERS'] });
      made.push({ id, name });
    }
    await api.call('DELETE', `/agents/${made.at(-1)?.id}`);
    const [found, another] = (await activity(hourMs)).data;
    assert.equal(another, undefined);
    assert.ok(found);
    assert.deepEqual([found.tool, found.calls, found.agents], ['DOCS_LIST_USERS', 0, 6]);
    const listed = [1, 3, 4, 2, 0].map((index) => made[index]);
    assert.deepEqual(found.first_agents, listed);
  });

  it('finds the last call of each tool, however old, and none of a tool that was never called', async () => {
    const { api, called, activity } = await organization();
    const other = await organization();
    await other.called('DOCS_LIST_USERS', 'failed', 0);
    await api.createAgent({ name: 'Doctor', tools: ['DOCS_FETCH_ROW', 'DOCS_LIST_USERS'] });
    await called('DOCS_LIST_USERS', 'failed', 50 * hourMs);
    await called('DOCS_LIST_USERS', 'succeeded', 40 * hourMs);
    const lasts = (await activity(hourMs)).data.map(({ tool, calls, last }) => [tool, calls, last?.status]);
    assert.deepEqual(lasts.sort(), [
      ['DOCS_FETCH_ROW', 0, undefined],
      ['DOCS_LIST_USERS', 0, 'succeeded'],
    ]);
  });

  it('shows the error and the conversation of the last call to those who may view conversations', async () => {
    const { api, db, organizationId, call, called } = await organization();
    const reader = await signIn({ ...stack(), organizationId }, ['conversations.view']);
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    const { conversation_id } = await api.ask(agent.id, { message: 'hello' });
    await called('find_order', 'failed', 0);
    const error = 'The server answered 500: '.padEnd(300, 'x');
    await db
      .knex('tool_executions')
      .where({ organization_id: organizationId })
      .update({ conversation_id, error });
    const path = `/tool-activity?since=${encodeURIComponent(new Date(Date.now() - hourMs).toISOString())}`;
    const lastFor = async (person: { call: typeof call }) => {
      const { at: _, ...last } = ((await person.call('GET', path)).body as ToolActivity).data[0]?.last ?? {
        at: undefined,
      };
      return last;
    };
    assert.deepEqual(await lastFor(reader), {
      status: 'failed',
      conversation_id,
      problem: error.slice(0, 200),
    });
    assert.deepEqual(await lastFor({ call }), { status: 'failed', conversation_id: null, problem: null });
  });

  it('counts all document actions together, and an agent with several of them once', async () => {
    const { api, called, activity } = await organization();
    const other = await organization();
    await other.api.createAgent({ name: 'Of another', tools: ['DOCS_LIST_USERS'] });
    await other.called('DOCS_LIST_USERS', 'failed', 0);
    const doctor = await api.createAgent({
      name: 'Plant doctor',
      tools: ['DOCS_LIST_USERS', 'DOCS_FETCH_DATA'],
    });
    const zoe = await api.createAgent({ name: 'Zoe', tools: ['DOCS_FETCH_ROW'] });
    await api.createAgent({ name: 'Without tools' });
    await called('DOCS_LIST_USERS', 'succeeded', 0);
    await called('DOCS_LIST_USERS', 'unknown', 0);
    await called('DOCS_FETCH_DATA', 'failed', 0);
    await called('DOCS_FETCH_DATA', 'pending', 0);
    await called('find_order', 'failed', 0);
    const { data, workspace } = await activity(hourMs);
    assert.deepEqual(data.map(({ tool }) => tool).sort(), [
      ...['DOCS_FETCH_DATA', 'DOCS_FETCH_ROW', 'DOCS_LIST_USERS', 'find_order'],
    ]);
    assert.deepEqual(workspace, {
      ...{ calls: 4, failed: 2, agents: 2 },
      first_agents: [
        { id: doctor.id, name: 'Plant doctor' },
        { id: zoe.id, name: 'Zoe' },
      ],
    });
  });

  it('stops counting after 5,000 calls, and is_complete is false', async () => {
    const { db, organizationId, activity } = await organization();
    const ids = Array.from({ length: 5001 }, () => newId());
    await db.pool.query(
      `insert into tool_executions (id, organization_id, origin, action, input, status, requested_by)
         select id, $1, id::text, 'busy', '{}', 'succeeded', '{}' from unnest($2::uuid[]) id`,
      [organizationId, ids],
    );
    const { data, is_complete } = await activity(hourMs);
    assert.deepEqual([data[0]?.calls, is_complete], [5000, false]);
  });
});
