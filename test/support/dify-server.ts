/**
 * A double of a Dify app's API, as its documentation describes it: `POST /chat-messages` in streaming mode, with Dify's
 * own conversation identifiers, its events and its errors.
 */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { readJson } from './model-server.ts';

const chatRequest = z.strictObject({
  inputs: z.record(z.string(), z.unknown()),
  query: z.string().min(1),
  response_mode: z.enum(['streaming', 'blocking']),
  conversation_id: z.string(),
  user: z.string().min(1),
});
type ChatRequest = z.output<typeof chatRequest>;

/** The answer to a query; others get an answer in two pieces. */
export type DifyBehaviour =
  'agent' | 'moderated' | 'failed flow' | 'error event' | 'paused' | 'cut' | 'not set up' | 'busy once';

export interface DifyServer {
  url: string;
  behave: (query: string, behaviour: DifyBehaviour) => void;
  callsFor: (query: string) => ChatRequest[];
  close: () => Promise<void>;
}

export async function startDifyServer(key: string): Promise<DifyServer> {
  const calls: ChatRequest[] = [];
  const behaviours = new Map<string, DifyBehaviour>();
  /** The user of each conversation: another user does not see it. */
  const conversations = new Map<string, string>();
  const callsFor = (query: string) => calls.filter((call) => call.query === query);
  const server = createServer((request, response) => {
    const refuse = (status: number, code: string, message: string) =>
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ code, message, status }));
    const answer = (value: unknown) => {
      if (request.headers.authorization !== `Bearer ${key}`)
        return refuse(401, 'unauthorized', 'Access token is invalid');
      if (request.method !== 'POST' || request.url !== '/v1/chat-messages')
        return refuse(404, 'not_found', 'Not found');
      const parsed = chatRequest.safeParse(value);
      if (!parsed.success) return refuse(400, 'invalid_param', parsed.error.message);
      const call = parsed.data;
      const behaviour = behaviours.get(call.query);
      calls.push(call);
      if (call.conversation_id !== '' && conversations.get(call.conversation_id) !== call.user)
        return refuse(404, 'not_found', 'Conversation Not Exists.');
      if (behaviour === 'not set up')
        return refuse(400, 'provider_not_initialize', 'No valid model provider credentials found.');
      if (behaviour === 'busy once' && callsFor(call.query).length === 1)
        return refuse(429, 'too_many_requests', 'Too many requests.');
      if (behaviour === 'agent' && call.response_mode === 'blocking')
        return refuse(400, 'invalid_param', 'Agent Chat App does not support blocking mode');
      const conversation = call.conversation_id === '' ? crypto.randomUUID() : call.conversation_id;
      conversations.set(conversation, call.user);
      stream(response, conversation, call.query, behaviour);
      return undefined;
    };
    void readJson(request).then(answer, () => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    behave: (query, behaviour) => behaviours.set(query, behaviour),
    callsFor,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function stream(
  response: ServerResponse,
  conversation_id: string,
  query: string,
  behaviour: DifyBehaviour | undefined,
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  const ids = { task_id: crypto.randomUUID(), message_id: crypto.randomUUID(), conversation_id };
  const send = (event: string, more: object = {}) =>
    response.write(`data: ${JSON.stringify({ event, ...ids, created_at: 1705395332, ...more })}\n\n`);
  const finished = (status: string) =>
    send('workflow_finished', { workflow_run_id: 'run', data: { status, total_tokens: 20 } });
  send('workflow_started', { workflow_run_id: 'run', data: { inputs: {} } });
  response.write('event: ping\n\n');
  const piece = behaviour === 'agent' ? 'agent_message' : 'message';
  if (behaviour === 'agent') send('agent_thought', { thought: 'I think.' });
  send(piece, { answer: 'Dify: ' });
  if (behaviour === 'cut') {
    // Once what was written has left.
    response.write('data: {"event": "mess', () => response.destroy());
    return;
  }
  if (behaviour === 'failed flow') {
    finished('failed');
    send('error', { status: 400, code: 'invalid_param', message: 'The node failed.' });
  } else if (behaviour === 'error event') {
    send('error', { status: 500, code: 'internal_server_error', message: 'Something failed.' });
  } else if (behaviour === 'paused') {
    send('human_input_required', { workflow_run_id: 'run', data: { form_token: 'token' } });
    send('workflow_paused', { workflow_run_id: 'run', data: { paused_nodes: ['approval'] } });
  } else {
    if (behaviour === 'moderated') send('message_replace', { answer: 'Moderated.', reason: 'moderation' });
    else send(piece, { answer: query });
    const usage = { prompt_tokens: 12, completion_tokens: 8, total_tokens: 20 };
    send('message_end', { metadata: { usage } });
    if (behaviour !== 'agent') finished('succeeded');
  }
  response.end();
}
