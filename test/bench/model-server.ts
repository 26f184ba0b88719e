/**
 * A model behind HTTP, in the form that providers have, so that context is read, sent and parsed as in production. The
 * model's name contains the milliseconds that it takes: `wait-50`.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

const request = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
});

export interface ModelServer {
  baseUrl: string;
  /** Number of calls in progress. */
  underWay: () => number;
  /** Messages that each call brought, in order of arrival. */
  contextSizes: number[];
  close: () => Promise<void>;
}

export async function startModelServer(): Promise<ModelServer> {
  const contextSizes: number[] = [];
  let underWay = 0;
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { model, messages } = request.parse(JSON.parse(Buffer.concat(chunks).toString()));
      contextSizes.push(messages.length);
      underWay += 1;
      void sleep(Number(/^wait-(\d+)$/.exec(model)?.[1] ?? 0)).then(() => {
        underWay -= 1;
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(completion(model, `answer ${contextSizes.length}`)));
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    underWay: () => underWay,
    contextSizes,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function completion(model: string, content: string) {
  return {
    id: 'completion',
    object: 'chat.completion',
    created: 0,
    model,
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}
