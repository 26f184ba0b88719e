/** A model provider that speaks the OpenAI chat completions protocol, and misbehaves as a test asks. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { completionOf, streamOf, type Completion } from './model-completion.ts';

export type ModelBehaviour =
  /** Streams text, a tool call, or both; with `until`, once that has settled. */
  | ({ kind: 'stream'; until?: Promise<unknown> } & Partial<Completion>)
  /** The same in one JSON body, though a stream was asked for. */
  | ({ kind: 'whole' } & Partial<Completion>)
  | { kind: 'status'; status: number; headers?: Record<string, string>; body?: string }
  /** A proxy's page, with status 200. */
  | { kind: 'html' }
  /** Takes the request and does not answer. */
  | { kind: 'hang' }
  /** Streams the beginning, then resets the connection, or ends it as if that were all. */
  | { kind: 'cut'; text: string; politely?: boolean };

export type ModelCall = {
  /** Epoch ms of its arrival. */
  at: number;
  path: string;
  authorization: string | undefined;
  body: ChatRequest;
  /** True once the caller has hung up before the answer's end. */
  hungUp: boolean;
  /** Epoch ms at which the answer has ended, or the caller has hung up. */
  endedAt?: number;
};

export type ModelServer = {
  baseUrl: string;
  /**
   * Sets the answers to a user text: one behaviour a call, the last one again and again. Other texts get `echo: ` and
   * themselves.
   */
  answer: (userText: string, ...behaviours: ModelBehaviour[]) => void;
  /**
   * Sets the answer of the calls for which this returns true, before all earlier ones. Asked at each call, with its
   * body.
   */
  answerWhere: (behaviourOf: (body: ChatRequest) => ModelBehaviour | undefined) => void;
  callsFor: (userText: string) => ModelCall[];
  close: () => Promise<void>;
};

const part = z.looseObject({ type: z.string(), text: z.string().optional() });
const chatRequest = z.looseObject({
  model: z.string(),
  stream: z.boolean().optional(),
  messages: z.array(
    z.looseObject({ role: z.string(), content: z.union([z.string(), z.array(part)]).nullish() }),
  ),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).optional(),
});
export type ChatRequest = z.output<typeof chatRequest>;

export async function startModelServer(): Promise<ModelServer> {
  const calls: ModelCall[] = [];
  const plans = new Map<string, ModelBehaviour[]>();
  const asked: ((body: ChatRequest) => ModelBehaviour | undefined)[] = [];
  const callsFor = (text: string) => calls.filter(({ body }) => userText(body) === text);
  const server = createServer((request, response) => {
    const answer = (value: unknown) => {
      const body = chatRequest.parse(value);
      const { url: path = '', headers } = request;
      const { authorization } = headers;
      const call: ModelCall = { at: Date.now(), path, authorization, body, hungUp: false };
      const text = userText(body);
      const plan = plans.get(text) ?? [{ kind: 'stream', text: `echo: ${text}` }];
      const special = asked.map((behaviourOf) => behaviourOf(body)).find((found) => found !== undefined);
      const behaviour = special ?? plan[Math.min(callsFor(text).length, plan.length - 1)];
      calls.push(call);
      response.on('close', () => {
        call.hungUp = !response.writableEnded;
        call.endedAt = Date.now();
      });
      if (behaviour === undefined) return;
      if (behaviour.kind === 'stream' && behaviour.until !== undefined)
        void behaviour.until.then(() => {
          behave(response, behaviour, body.model);
        });
      else behave(response, behaviour, body.model);
    };
    // Whoever hangs up before the request's end is not answered.
    void readJson(request).then(answer, () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    answer: (text, ...behaviours) => plans.set(text, behaviours),
    answerWhere: (behaviourOf) => asked.unshift(behaviourOf),
    callsFor,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The last user message, without its further parts. */
export function userText({ messages }: ChatRequest): string {
  const content = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  return typeof content === 'string' ? content : (content[0]?.text ?? '');
}

export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

function behave(response: ServerResponse, behaviour: ModelBehaviour, model: string): void {
  switch (behaviour.kind) {
    case 'stream':
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of streamOf({ model, ...behaviour })) response.write(event);
      response.end('data: [DONE]\n\n');
      return;
    case 'whole':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(completionOf({ model, ...behaviour })));
      return;
    case 'status':
      response.writeHead(behaviour.status, { 'content-type': 'application/json', ...behaviour.headers });
      response.end(behaviour.body ?? JSON.stringify({ error: { message: 'secret detail of the provider' } }));
      return;
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<html><body>Welcome to the proxy</body></html>');
      return;
    case 'hang':
      return;
    case 'cut': {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const beginning = streamOf({ model, text: behaviour.text }).slice(0, 2).join('');
      if (behaviour.politely) response.end(beginning);
      else response.write(beginning, () => response.socket?.resetAndDestroy());
    }
  }
}
