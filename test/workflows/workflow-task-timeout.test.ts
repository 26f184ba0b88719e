/**
 * A workflow task that is lost on its way to a worker is delivered again once its timeout ends: each workflow is
 * started with a shorter one than the server's ten seconds.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { channelWorkflows } from '../../src/adapters/temporal/channel-workflows.ts';
import { conversationWorkflows } from '../../src/adapters/temporal/conversation-workflows.ts';
import { needsEagerActivitiesSetting } from '../../src/adapters/temporal/eager-activities.ts';
import { ensureSchedule } from '../../src/adapters/temporal/schedules.ts';
import { toolWorkflows } from '../../src/adapters/temporal/tool-workflows.ts';
import * as contract from '../../src/contract/workflows.ts';
import { backing } from '../support/backing.ts';
import { until } from '../support/until.ts';

describe('The timeout of workflow tasks', () => {
  const taskQueue = 'nobody-polls';
  let connection: Connection;
  let client: Client;
  let namespace: string;

  before(async () => {
    const shared = await backing();
    namespace = await shared.freshNamespace();
    connection = await Connection.connect({ address: shared.temporalAddress });
    client = new Client({ connection, namespace });
  });
  after(() => connection.close());

  it('is 5 seconds wherever a workflow is started', async () => {
    const ids = { id: randomUUID(), organizationId: randomUUID(), agentId: randomUUID() };
    const options = { client, namespace, taskQueue, idleMs: 1000, deadlineMs: 10_000 };
    await conversationWorkflows(options).nudge({ ...ids, channel: 'api' }, Date.now());
    await toolWorkflows(options).start(ids.id, ids.organizationId, 'an action');
    // The update waits for a worker, and there is none; the workflow is started nevertheless.
    await assert.rejects(channelWorkflows({ ...options, deadlineMs: 5000 }).check(ids, randomUUID()));
    await ensureSchedule(client, { taskQueue, workflow: contract.recoveryWorkflow, everySeconds: 10 });
    await ensureSchedule(client, { taskQueue, workflow: contract.watchWorkflow, everySeconds: 10 });

    const timeouts = await until('all workflows to be started', async () => {
      const found: Record<string, number> = {};
      for await (const { type, workflowId } of client.workflow.list()) {
        const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
        const started = events?.[0]?.workflowExecutionStartedEventAttributes;
        found[type] = Number(started?.workflowTaskTimeout?.seconds);
      }
      return Object.keys(found).length === 5 && found;
    });
    const { conversationWorkflow, channelWorkflow, toolActionWorkflow, recoveryWorkflow, watchWorkflow } =
      contract;
    assert.deepEqual(timeouts, {
      [conversationWorkflow]: 5,
      [channelWorkflow]: 5,
      [toolActionWorkflow]: 5,
      [recoveryWorkflow]: 5,
      [watchWorkflow]: 5,
    });
  });
});

describe('A Temporal server', () => {
  const versions: [version: string, needsSetting: boolean][] = [
    ['1.31.2', true],
    ['1.9.0', true],
    ['v1.29.0', true],
    ['0.21.0', true],
    ['1.32.0', false],
    ['1.32.0-rc.1', false],
    ['1.100.0', false],
    ['2.0.0', false],
    ['', false],
    ['unknown', false],
  ];
  for (const [version, needsSetting] of versions) {
    it(`of version '${version}' ${needsSetting ? 'needs' : 'does not need'} the setting for eager activities`, () => {
      assert.equal(needsEagerActivitiesSetting(version), needsSetting);
    });
  }
});
