/** Recovery of stalled work: soon, for many at a time, and however slow the other upkeep is. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import pg from 'pg';
import { v7 as newId } from 'uuid';
import { recoverActivity } from '../../activities/upkeep/recover.ts';
import type { ActivityDeps, WorkflowLookup } from '../../src/app/deps.ts';
import { connectDatabase, type Database } from '../../src/adapters/postgres/database.ts';
import { acceptInput } from '../../src/adapters/postgres/conversations/inputs.ts';
import { createOrganization } from '../../src/adapters/postgres/accounts/organizations.ts';
import { Runs } from '../../src/adapters/postgres/conversations/runs.ts';
import type { WorkflowState } from '../../src/adapters/temporal/conversation-workflows.ts';
import {
  channelWorkflow,
  conversationWorkflow,
  conversationWorkflowId,
  nudgeSignal,
  type Workflows,
} from '../../src/contract/workflows.ts';
import { createLog } from '../../src/log.ts';
import { aroundActivities } from '../../src/worker/around-activities.ts';
import { backing } from '../support/backing.ts';
import { useSharedStack, useStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

describe('A conversation whose workflow is stuck', () => {
  const stack = useSharedStack();
  /** A minute of patience, looks every two seconds, and what a busy machine takes. */
  const healedMs = 150_000;

  /** Each takes more than a minute, all of it waiting: they wait together. */
  let answered: { unreadable: Promise<void>; deaf: Promise<void> };

  before(() => {
    answered = { unreadable: afterUnreadableSignal(), deaf: inPlaceOfDeafWorkflow() };
    // Each is awaited in its test.
    for (const one of Object.values(answered)) one.catch(() => undefined);
  });

  async function afterUnreadableSignal(): Promise<void> {
    const { api, temporal } = stack();
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    const { conversation_id } = await api.send(agent.id, { message: '1' });
    await api.settled(conversation_id, 1);
    const { client, namespace } = temporal;
    const execution = { workflowId: conversationWorkflowId(conversation_id) };
    await client.workflowService.signalWorkflowExecution({
      ...{ namespace, workflowExecution: execution, signalName: nudgeSignal.name, requestId: randomUUID() },
      input: { payloads: [{ metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('{no') }] },
    });
    const { runId } = await client.workflow.getHandle(execution.workflowId).describe();
    await api.send(agent.id, { message: '2', conversation_id });
    await api.settled(conversation_id, 2, healedMs);
    const before = await client.workflow.getHandle(execution.workflowId, runId).describe();
    assert.equal(before.status.name, 'TERMINATED');
  }

  async function inPlaceOfDeafWorkflow(): Promise<void> {
    const { api, temporal, db, organizationId } = stack();
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    // The state after a lost nudge. The workflow that runs under the conversation's id is no conversation.
    const id = await accepted(db, organizationId, agent.id);
    await temporal.client.workflow.start<Workflows['channel']>(channelWorkflow, {
      workflowId: conversationWorkflowId(id),
      taskQueue: 'agents',
      args: [{ idleMs: 80_000_000 }],
    });
    await api.settled(id, 1, healedMs);
    const { type } = await temporal.client.workflow.getHandle(conversationWorkflowId(id)).describe();
    assert.equal(type, conversationWorkflow);
  }

  it('is answered by a new workflow if an unreadable signal fails every task', async () => {
    await answered.unreadable;
  });

  it('is answered by a new workflow if the workflow ignores its signals', async () => {
    await answered.deaf;
  });
});

describe('Recovery', () => {
  describe('beside slow cleanup and erasure', () => {
    const stack = useStack();

    it('nudges a conversation whose nudge was lost while no cleanup and no erasure completes', async () => {
      const { api, db, organizationId } = stack();
      const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
      // Not of our pools, whose transactions may not be idle for so long.
      const client = new pg.Client({ connectionString: stack().databaseUrl });
      await client.connect();
      try {
        await client.query('begin');
        await client.query('lock table tool_steps, erasures in access exclusive mode');
        const id = await accepted(db, organizationId, agent.id);
        const answered = async () => {
          const { rows } = await db.pool.query(
            'select from messages where conversation_id = $1 and origin = $2',
            [id, 'agent'],
          );
          return rows.length > 0;
        };
        await until('the answer', answered);
      } finally {
        await client.end();
      }
    });
  });

  describe('for each state of the rows and of the workflow', () => {
    let db: Database;
    let organizationId: string;
    let agentId: string;
    let beats = 0;
    before(async () => {
      db = connectDatabase(await (await backing()).freshDatabase(), 4);
      ({ id: organizationId } = await createOrganization(db, 'an organization'));
      agentId = randomUUID();
      await db
        .knex('agents')
        .insert({ id: agentId, organization_id: organizationId, name: 'a', inbox_id: randomUUID() });
    });
    after(async () => {
      await db.close();
    });
    beforeEach(async () => {
      await db.pool.query('truncate conversations, recoveries cascade');
    });

    const running = (what: { failing?: boolean; idle?: boolean } = {}): WorkflowState => ({
      ...{ kind: 'running', failing: false, idle: false },
      ...what,
    });
    const none: WorkflowState = { kind: 'none' };
    const stopped: WorkflowState = { kind: 'stopped_by_operator' };
    type Rows = 'a group' | 'a run' | 'a reply' | 'a run and its reply';
    type Done = 'nothing' | 'nudged' | 'failed and nudged' | 'replaced';
    const cases: [rows: Rows, workflow: WorkflowState, what: string, first: Done, later: Done][] = [
      ['a group', running(), 'at work', 'nudged', 'nudged'],
      ['a group', running({ idle: true }), 'that waits', 'nudged', 'replaced'],
      ['a group', running({ failing: true }), 'that fails', 'nudged', 'replaced'],
      ['a group', none, 'that has ended', 'nudged', 'nudged'],
      ['a group', stopped, 'that was terminated', 'nudged', 'nudged'],
      ['a run', running(), 'at work', 'nothing', 'nothing'],
      ['a run', running({ idle: true }), 'that waits', 'nudged', 'replaced'],
      ['a run', running({ failing: true }), 'that fails', 'nothing', 'replaced'],
      ['a run', none, 'that has ended', 'nudged', 'nudged'],
      ['a run', stopped, 'that was terminated', 'failed and nudged', 'failed and nudged'],
      ['a reply', running({ idle: true }), 'that waits for the gateway', 'nudged', 'nudged'],
      ['a reply', running({ failing: true }), 'that fails', 'nudged', 'replaced'],
      ['a run and its reply', running({ idle: true }), 'that waits for the gateway', 'nothing', 'nothing'],
      ['a run and its reply', running({ failing: true }), 'that fails', 'nothing', 'replaced'],
    ];
    for (const [rows, workflow, what, first, later] of cases) {
      it(`${rows} and a workflow ${what}: ${first} at first, ${later} after a minute`, async () => {
        const looked = async () => {
          await left(rows);
          return await lookAt(workflow);
        };
        assert.equal(await looked(), first);
        assert.equal(await lookAt(workflow), await again(first));
        await db.pool.query("update recoveries set since = since - interval '1 minute'");
        await lookAt(workflow);
        assert.equal(await lookAt(workflow), await again(later));
        if (later !== 'replaced') return;
        await db.pool.query("update recoveries set since = since - interval '1 minute', times_found = 9");
        assert.notEqual(await lookAt(workflow), 'replaced', 'a second time it waits twice as long');
        await db.pool.query("update recoveries set since = since - interval '1 minute', times_found = 9");
        assert.equal(await lookAt(workflow), 'replaced');
      });
    }

    /** A run that was ended is not found again. */
    async function again(done: Done): Promise<Done> {
      return await Promise.resolve(done === 'failed and nudged' ? 'nothing' : done);
    }

    async function left(rows: Rows): Promise<void> {
      const id = await accepted(db, organizationId, agentId);
      if (rows === 'a group') {
        await db.knex('runs').update({ closes_at: new Date(Date.now() - 6000) });
        return;
      }
      const runs = new Runs(db);
      await runs.claim(id, {}, { id: 'a claimant', repeated: false });
      await db.knex('runs').update({ claimed_at: new Date(Date.now() - 21_000) });
      if (rows === 'a run') return;
      const [{ id: run_id }] = (await db.knex('runs')) as [{ id: string }];
      await db.knex('deliveries').insert({
        ...{
          id: newId(),
          organization_id: organizationId,
          conversation_id: id,
          run_id,
          of_agent_id: agentId,
        },
        ...{
          event: 'message.completed',
          kind: 'channel_reply',
          recipient: '1',
          created_at: new Date(Date.now() - 21_000),
        },
      });
      if (rows === 'a reply') await db.knex('runs').update({ state: 'answered', finished_at: new Date() });
    }

    async function lookAt(workflow: WorkflowState): Promise<Done> {
      const done: string[] = [];
      const { failed } = await look({
        state: () => Promise.resolve(workflow),
        nudge: (_, replace) => {
          done.push(replace === true ? 'replaced' : 'nudged');
          return Promise.resolve();
        },
      });
      if (failed > 0) done.unshift('failed');
      return (done.join(' and ') || 'nothing') as Done;
    }

    it('checks a thousand conversations, sixteen at a time, with heartbeats', async () => {
      await db.pool.query(
        `insert into conversations (id, organization_id, target_id, agent_id) select gen_random_uuid(), $1, $2, $2 from generate_series(1, 1000)`,
        [organizationId, agentId],
      );
      await db.pool.query(
        `insert into runs (id, organization_id, conversation_id, ordinal, mode, state, opened_at, closes_at, cap_at)
           select gen_random_uuid(), organization_id, id, 1, 'single', 'ready', now(), now() - interval '1 minute', now() from conversations`,
      );
      let [atOnce, most, nudged] = [0, 0, 0];
      const began = performance.now();
      await look({
        state: () => Promise.resolve(none),
        nudge: async () => {
          most = Math.max(most, (atOnce += 1));
          await new Promise((resolve) => setTimeout(resolve, 60));
          atOnce -= 1;
          nudged += 1;
        },
      });
      const seconds = (performance.now() - began) / 1000;
      assert.ok(beats > 0);
      assert.deepEqual([nudged, most], [1000, 16]);
      assert.ok(seconds < 15, `one after the other it would be a minute; it was ${seconds.toFixed(1)} s`);
    });

    it('continues if one conversation cannot be recovered, and fails if none can', async () => {
      const add = async (count: number) => {
        for (let n = 0; n < count; n += 1) await left('a group');
      };
      await add(3);
      let calls = 0;
      const nudge = () =>
        (calls += 1) === 1 ? Promise.reject(new Error('not this one')) : Promise.resolve();
      assert.equal((await look({ state: () => Promise.resolve(none), nudge })).nudged, 2);
      await add(30);
      const away = () => Promise.reject(new Error('Temporal is away'));
      await assert.rejects(look({ state: away, nudge: away }), /its message is in the worker's log/);
    });

    async function look(workflows: WorkflowLookup): Promise<{ nudged: number; failed: number }> {
      const runs = new Runs(db);
      const warn = () => undefined;
      const deps = { db, workflows, runs, warn, callbackTimeoutMs: 1000 } as unknown as ActivityDeps;
      const environment = new MockActivityEnvironment();
      environment.on('heartbeat', () => (beats += 1));
      const recover = recoverActivity(deps);
      const { inbound } = aroundActivities(createLog('test', 'silent'))(environment.context);
      const run = async () => await inbound?.execute?.({ args: [], headers: {} }, recover);
      return await environment.run(run as typeof recover);
    }
  });
});

async function accepted(db: Database, organizationId: string, targetId: string): Promise<string> {
  const input = await acceptInput(db, {
    caller: { kind: 'system' },
    organizationId,
    targetId,
    text: 'hello',
    sync: false,
  });
  assert.ok('conversation_id' in input);
  return input.conversation_id;
}
