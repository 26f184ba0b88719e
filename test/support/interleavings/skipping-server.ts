/** The time-skipping server with a worker of the real workflow on it, whose histories are long soon. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { IllegalStateError, WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { DefaultLogger, makeTelemetryFilterString, Runtime, Worker } from '@temporalio/worker';
import type { Activities } from '../../../activities/index.ts';
import { conversationWorkflow, searchAttributes } from '../../../src/contract/workflows.ts';
import { ensureTestServer } from '../test-server.ts';
import { ensureWorkflowBundle } from '../../../src/local/workflow-bundle.ts';
import { until } from '../until.ts';
import { applyPlant } from './load-simulated.ts';

/** Activities fail here by design; what goes wrong shows in the verdicts. */
function quieten(): void {
  const filter = makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' });
  const logger = new DefaultLogger('ERROR', () => undefined);
  try {
    Runtime.install({ logger, telemetryOptions: { logging: { filter, forward: {} } } });
  } catch (error) {
    // Another test of this process has made it, as it is by default: then it is not quiet.
    if (!(error instanceof IllegalStateError)) throw error;
  }
}

export interface SkippingServer {
  /** Epoch ms, as the server has it. */
  now: () => Promise<number>;
  /** Advances the server's time to this moment; otherwise it only advances with real time. */
  runTo: (at: number) => Promise<void>;
  /** Signals the workflow, and starts it where none runs. */
  signal: (workflowId: string, state: unknown, name: string, ...args: unknown[]) => Promise<void>;
  close: () => Promise<void>;
}

const keyword = 2;

/** @param longHistory events after which a conversation continues as new; the product's own number when absent */
export async function startSkippingServer(
  activities: Activities,
  longHistory?: number,
): Promise<SkippingServer> {
  quieten();
  const bundle = await readFile(await ensureWorkflowBundle(), 'utf8');
  const shorter = {
    file: 'the bundle',
    find: 'longHistory = 2000',
    put: `longHistory = ${longHistory ?? 2000}`,
  };
  const environment = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path: await ensureTestServer() } },
  });
  await environment.connection.operatorService.addSearchAttributes({
    namespace: environment.namespace ?? 'default',
    searchAttributes: Object.fromEntries([[searchAttributes.state.name, keyword]]),
  });
  const taskQueue = randomUUID();
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    taskQueue,
    workflowBundle: { code: applyPlant(bundle, shorter) },
    activities,
    maxConcurrentActivityTaskExecutions: 1000,
    maxCachedWorkflows: 500,
  });
  const running = worker.run();
  return {
    now: async () => await environment.currentTimeMs(),
    runTo: async (at) => {
      const left = at - (await environment.currentTimeMs());
      if (left > 0) await environment.sleep(left);
    },
    signal: async (workflowId, state, name, ...args) => {
      const options = { workflowId, taskQueue, args: [state], signal: name, signalArgs: args };
      // This server, unlike the real one, refuses where the workflow completes or is started at the same moment.
      await until('a signal to be taken', async () => {
        try {
          return await environment.client.workflow.signalWithStart(conversationWorkflow, options);
        } catch (error) {
          if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
          throw error;
        }
      });
    },
    close: async () => {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await running;
      await environment.teardown();
    },
  };
}
