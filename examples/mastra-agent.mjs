/**
 * A Mastra agent that answers behind Parley, as an agent that runs elsewhere (docs/external-agents.md). Its model is any
 * OpenAI-compatible server. After `npm install @mastra/core`; plain JavaScript, so that it needs no types of Mastra.
 */
import { timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { Agent } from '@mastra/core/agent';

const { env } = process;
const agentKey = env['AGENT_KEY'];
const modelUrl = env['MODEL_BASE_URL'];
const modelName = env['MODEL_NAME'];
if (!agentKey || !modelUrl || !modelName) {
  console.error('Set AGENT_KEY, MODEL_BASE_URL and MODEL_NAME; examples/README.md says how.');
  process.exit(1);
}
const maxBodyBytes = 4 * 1024 * 1024;

const agent = new Agent({
  id: 'support',
  name: 'Support',
  instructions: 'You answer for a shop.',
  model: { id: `custom/${modelName}`, url: modelUrl, apiKey: env['MODEL_API_KEY'] ?? '' },
});

/**
 * Answers by idempotency key: Parley repeats a request after a broken connection, and the agent must not run twice. In
 * production, keep them where they outlive the process.
 */
const answers = new Map();

async function answer({ agent: settings, messages }) {
  const { text, usage } = await agent.generate(
    messages.map(({ role, text: content }) => ({ role, content })),
    // What the agent's form in Parley says.
    settings.instructions === '' ? {} : { instructions: settings.instructions },
  );
  const tokens = { input_tokens: usage?.inputTokens ?? 0, output_tokens: usage?.outputTokens ?? 0 };
  return { text, usage: tokens };
}

function isAllowed({ authorization = '' }) {
  const [given, wanted] = [Buffer.from(authorization), Buffer.from(`Bearer ${agentKey}`)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function bodyOf(request) {
  const parts = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes > maxBodyBytes) throw new Error('The body is too large.');
    parts.push(part);
  }
  return JSON.parse(Buffer.concat(parts).toString('utf8'));
}

const server = createServer(async (request, response) => {
  const respond = (status, body) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (!isAllowed(request.headers)) return respond(401, { error: 'wrong key' });
  try {
    const body = await bodyOf(request);
    const key = body.idempotency_key;
    if (!answers.has(key)) answers.set(key, answer(body));
    respond(
      200,
      await answers.get(key).catch((error) => {
        answers.delete(key);
        throw error;
      }),
    );
  } catch (error) {
    console.error(error.message);
    respond(500, { error: 'The agent failed.' });
  }
});
server.listen(Number(env['PORT'] ?? '4100'), '127.0.0.1', () => {
  console.log(`listening: http://127.0.0.1:${server.address().port}/`);
});
