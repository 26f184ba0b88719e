/** Task queues split by settings: what one kind of work waits for, another does not. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newDocsCaller, startDocsStack, type DocsStack } from '../support/docs-stack.ts';
import { startOwnProcess, type OwnProcess } from '../support/own-process.ts';
import { until } from '../support/until.ts';

describe('With TOOL_TASK_QUEUE and WORKER_TASK_QUEUES', () => {
  let docs: DocsStack;
  let folder: string;
  let tools: OwnProcess | undefined;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-queues-'));
    docs = await startDocsStack({ TOOL_TASK_QUEUE: 'tools', WORKER_TASK_QUEUES: 'agents' });
  });
  after(async () => {
    await tools?.kill();
    await docs.stack.stop();
    await Promise.all([docs.emulator.stop(), docs.model.close()]);
    rmSync(folder, { recursive: true });
  });

  it('tool runs wait for a worker of their queue, and conversations do not wait for them', async () => {
    const { stack, emulator } = docs;
    const caller = await newDocsCaller(docs);
    let done = false;
    const run = caller.ok('DOCS_RETRIEVE_PAGE', { page_id: emulator.ids.home }).finally(() => {
      done = true;
    });
    const waiting = await until('the run', async () => {
      const { client } = stack.temporal;
      for await (const one of client.workflow.list({ query: "ExecutionStatus = 'Running'" })) {
        if (one.workflowId.startsWith('tool')) return one;
      }
      return undefined;
    });
    assert.equal(waiting.taskQueue, 'tools');
    const agent = await caller.api.createAgent({ script: [{ when: '^(.*)$', reply: 'echo: $1' }] });
    const { conversation_id } = await caller.api.send(agent.id, { message: 'hello' });
    await caller.api.settled(conversation_id);
    assert.equal((await caller.api.messages(conversation_id)).at(-1)?.text, 'echo: hello');
    assert.equal(done, false, 'nobody has run the tool');

    const env = { ...stack.env, WORKER_TASK_QUEUES: 'tools' };
    tools = await startOwnProcess('worker', env, join(folder, 'tools.log'));
    assert.equal((await run)['id'], emulator.ids.home);
  });
});
