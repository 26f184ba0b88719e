/**
 * Real processes: a worker killed while its writes are on the way, and a workspace that asks for 90 seconds of peace.
 */
import assert from 'node:assert/strict';
import { startDocsStack, newDocsCaller, type DocsCaller, type DocsStack } from '../support/docs-stack.ts';
import { everyAction, rowPlan } from '../workspace/actions/support/every-action.ts';
import { startOwnProcess } from '../support/own-process.ts';
import { until } from '../support/until.ts';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const creating: Record<string, [method: string, path: RegExp]> = {
  DOCS_ADD_MULTIPLE_PAGE_CONTENT: ['PATCH', /\/children$/],
  DOCS_REPLACE_PAGE_CONTENT: ['PATCH', /\/children$/],
  DOCS_CREATE_DOCS_PAGE: ['POST', /^\/v1\/pages$/],
  DOCS_DUPLICATE_PAGE: ['POST', /^\/v1\/pages$/],
  DOCS_INSERT_ROW_DATABASE: ['POST', /^\/v1\/pages$/],
  DOCS_INSERT_ROW_FROM_NL: ['POST', /^\/v1\/pages$/],
  DOCS_CREATE_DATABASE: ['POST', /^\/v1\/databases$/],
  DOCS_CREATE_COMMENT: ['POST', /^\/v1\/comments$/],
  DOCS_CREATE_FILE_UPLOAD: ['POST', /^\/v1\/file_uploads$/],
};

describe('Actions whose worker dies, or whose workspace asks for a pause', () => {
  let docs: DocsStack;
  before(async () => {
    // Long enough that the first request still waits when the last has landed.
    docs = await startDocsStack({ DOCS_TIMEOUT_SECONDS: '30' });
  });
  after(async () => {
    await docs.stack.stop();
    await Promise.all([docs.emulator.stop(), docs.model.close()]);
  });

  type Inputs = Record<string, Record<string, unknown>>;
  /** The same actions twice, on pages of their own. */
  const prepare = async (): Promise<{ caller: DocsCaller; inputs: Inputs; others: Inputs }> => {
    docs.emulator.reset();
    docs.model.answerWhere((body) =>
      JSON.stringify(body.messages).includes('Fill a database row')
        ? { kind: 'stream', text: rowPlan }
        : undefined,
    );
    const caller = await newDocsCaller(docs);
    const { home } = docs.emulator.ids;
    const other = await caller.ok('DOCS_CREATE_DOCS_PAGE', { title: 'Second home', parent_id: home });
    const [inputs, others] = [
      await inputsUnder(caller, home),
      await inputsUnder(caller, String(other['id'])),
    ];
    others['DOCS_CREATE_FILE_UPLOAD'] = { ...others['DOCS_CREATE_FILE_UPLOAD'], filename: 'other.pdf' };
    return { caller, inputs, others };
  };
  const inputsUnder = async (caller: DocsCaller, home: string): Promise<Inputs> => {
    const { inputs } = await everyAction(caller.ok, home, docs.emulator.ids.person);
    // A page that no other action changes meanwhile.
    inputs['DOCS_DUPLICATE_PAGE'] = { page_id: inputs['DOCS_MOVE_PAGE']!['page_id'], parent_id: home };
    return inputs;
  };
  const size = () => {
    const { entities, comments, uploads } = docs.emulator.snapshot();
    const alive = [...entities.values()].filter((one) => !('inTrash' in one && one.inTrash));
    return alive.length + comments.size + uploads.size;
  };

  /** Resets the activity as an operator does in the Temporal UI: the next attempt begins at once. */
  const tryNow = async (executionId: string) => {
    const { client, namespace } = docs.stack.temporal;
    const request = { namespace, execution: { workflowId: `tool/${executionId}` }, type: 'runToolAction' };
    await until('the attempt to begin', async () => {
      const row = await docs.stack.db.knex('tool_executions').where({ id: executionId, status: 'pending' });
      if (row.length === 0) return true;
      // Not there before the workflow's first task, nor while an attempt runs.
      return await client.workflowService.resetActivity(request).then(
        () => true,
        () => false,
      );
    });
  };

  it('the worker is killed while every creating action, of the API and of an agent, waits for the answer to a write that landed: each is made once, and its result shows it', async () => {
    const { caller, inputs, others } = await prepare();
    const start = docs.emulator.snapshot();
    for (const action of Object.keys(creating)) {
      await caller.ok(action, inputs[action]);
      await caller.ok(action, others[action]);
    }
    const wanted = size();
    docs.emulator.restore(start);
    docs.emulator.requests.length = 0;
    // One answer of each kind of write never comes.
    const kinds = new Map(
      Object.values(creating).map(([method, path]) => [`${method} ${path.source}`, { method, path }]),
    );
    const count = (method: string, path: RegExp) =>
      2 * Object.values(creating).filter(([m, p]) => m === method && p.source === path.source).length;
    const armed = [...kinds.values()].map(({ method, path }) =>
      docs.emulator.faults.add({
        method,
        path,
        times: count(method, path),
        fault: { kind: 'hang', committed: true },
      }),
    );
    const running = Object.keys(creating).map((action) => caller.run(action, inputs[action]));
    const agent = await caller.api.createAgent({
      model: 'scripted/default',
      tools: Object.keys(creating),
      script: Object.keys(creating).map((action) => ({
        when: `^${action}$`,
        tool: { action, input: others[action]! },
      })),
    });
    const asked = Object.keys(creating).map((message) => caller.api.ask(agent.id, { message }));
    await until(
      'a write of each action to have landed',
      () => armed.reduce((sum, { hits }) => sum + hits, 0) >= 2 * Object.keys(creating).length,
    );
    await docs.stack.worker.kill();
    await docs.stack.worker.start();
    for (const result of await Promise.all(running)) assert.ok(result.successful, result.error);
    for (const { response } of await Promise.all(asked)) assert.match(response, /^\{/, response);
    assert.equal(size(), wanted);
    // All of them were on their way when the worker died.
    assert.equal(
      docs.emulator.requests.filter(({ fault }) => fault === 'hang').length,
      2 * Object.keys(creating).length,
    );
  });

  it('429 with 90 s: no worker sends anything more to that workspace, and the action resumes when the time is over', async () => {
    const { caller } = await prepare();
    const { home } = docs.emulator.ids;
    const second = await startOwnProcess(
      'worker',
      docs.stack.env,
      join(tmpdir(), 'parley-second-worker.log'),
    );
    try {
      docs.emulator.faults.add({
        method: 'POST',
        path: '/v1/pages',
        fault: { kind: 'rate-limited', retryAfter: 90 },
      });
      const input = { title: 'Later', parent_id: home };
      const first = caller.run('DOCS_CREATE_DOCS_PAGE', input);
      await until('the workspace to have asked for a pause', () =>
        docs.emulator.requests.some(({ status }) => status === 429),
      );
      const blocked = async () => {
        const row = await docs.stack.db
          .knex('paces')
          .where({ key: `workspace:${docs.emulator.ids.workspace}` })
          .first<{ left: number } | undefined>(
            docs.stack.db.knex.raw('extract(epoch from blocked_until - now())::float as left'),
          );
        return row?.left ?? 0;
      };
      const left = await until('the pause to be known to all workers', async () => {
        const seconds = await blocked();
        return seconds > 0 && seconds;
      });
      assert.ok(left > 60 && left <= 90, String(left));
      docs.emulator.requests.length = 0;
      const others = Array.from({ length: 4 }, () => caller.run('DOCS_RETRIEVE_PAGE', { page_id: home }));
      const [row] = await docs.stack.db
        .knex<{ id: string; action: string; status: string }>('tool_executions')
        .where({ action: 'DOCS_CREATE_DOCS_PAGE', status: 'pending' });
      const next = await until('the action to wait for its next attempt', async () => {
        const description = await docs.stack.temporal.client.workflow.getHandle(`tool/${row!.id}`).describe();
        const time = description.raw.pendingActivities?.[0]?.scheduledTime?.seconds;
        const inSeconds = Number(time ?? 0) - Date.now() / 1000;
        return inSeconds > 30 && inSeconds;
      });
      assert.ok(next <= 91, String(next));
      await until('the others to have been held back', async () => {
        const found = await docs.stack.db
          .knex('tool_executions')
          .where({ action: 'DOCS_RETRIEVE_PAGE', status: 'pending' });
        return found.length === 4;
      });
      assert.equal(docs.emulator.requests.length, 0);
      // The time is over.
      await docs.stack.db.knex('paces').update({ blocked_until: new Date() });
      const waiting = await docs.stack.db
        .knex<{ id: string; status: string }>('tool_executions')
        .where({ status: 'pending' });
      await Promise.all(waiting.map(({ id }) => tryNow(id)));
      assert.ok((await first).successful);
      for (const { successful, error } of await Promise.all(others)) assert.ok(successful, error);
      const made = docs.emulator.requests.filter(
        ({ method, path }) => `${method} ${path}` === 'POST /v1/pages',
      );
      assert.deepEqual(
        made.map(({ status }) => status),
        [200],
      );
    } finally {
      await second.kill();
    }
  });
});
