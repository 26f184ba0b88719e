/**
 * The job as a Mastra workflow: a model proposes a refund, a person approves it, the tool makes it. The suspension and the
 * tool are one step, as Mastra's documentation has it; snapshots are in a LibSQL file. After a start, active runs are
 * restarted. HARNESS is the URL of the model and the tool.
 */
import { createServer } from 'node:http';
import { Mastra } from '@mastra/core/mastra';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { LibSQLStore } from '@mastra/libsql';
import { z } from 'zod';

const { HARNESS, PORT, STORE } = process.env;

async function post(path, body) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${HARNESS}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return await answer.json();
}

const call = z.object({ case: z.string(), amount: z.number() });
const model = createStep({
  id: 'model',
  inputSchema: z.object({ case: z.string() }),
  outputSchema: call,
  execute: async ({ inputData }) => await post('/model', inputData),
});
const tool = createStep({
  id: 'tool',
  inputSchema: call,
  outputSchema: z.object({ result: z.string() }),
  suspendSchema: call,
  resumeSchema: z.object({ decision: z.string() }),
  execute: async ({ inputData, resumeData, suspend }) => {
    if (resumeData === undefined) return await suspend(inputData);
    if (resumeData.decision !== 'approve') return { result: 'refused' };
    await post('/refund', inputData);
    return { result: 'executed' };
  },
});
const refund = createWorkflow({
  id: 'refund',
  inputSchema: z.object({ case: z.string() }),
  outputSchema: z.object({ result: z.string() }),
})
  .then(model)
  .then(tool)
  .commit();
const mastra = new Mastra({
  workflows: { refund },
  storage: new LibSQLStore({ id: 'store', url: `file:${STORE}` }),
});
const workflow = mastra.getWorkflow('refund');

/** @returns the status of a run, and the call that it shows while it is suspended */
async function stateOf(runId) {
  const run = await workflow.getWorkflowRunById(runId);
  const step = run?.steps?.tool;
  return {
    status: run?.status ?? 'gone',
    call: step?.status === 'suspended' ? step.suspendPayload : undefined,
  };
}

async function bodyOf(request) {
  let text = '';
  for await (const piece of request) text += piece;
  return text === '' ? {} : JSON.parse(text);
}

const routes = {
  'POST /cases': async (id) => {
    const run = await workflow.createRun({ runId: id });
    void run.start({ inputData: { case: id } }).catch((error) => console.error(id, error.message));
    return {};
  },
  'GET /cases': stateOf,
  'POST /decisions': async (id, { decision }) => {
    const run = await workflow.createRun({ runId: id });
    return { status: (await run.resume({ step: 'tool', resumeData: { decision } })).status };
  },
};

await workflow.restartAllActiveWorkflowRuns();
createServer(async (request, response) => {
  const [, kind, id] = request.url.split('/');
  try {
    const answer = await routes[`${request.method} /${kind}`](id, await bodyOf(request));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  } catch (error) {
    console.error(id, error.message);
    response.writeHead(409).end(String(error.message));
  }
}).listen(Number(PORT), '127.0.0.1', () => console.log('listening'));
