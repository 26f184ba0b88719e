/** A language model that writes tokens at an even pace, and remembers when it wrote each. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

const request = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
});

export interface TokenServer {
  baseUrl: string;
  /** When each token of the answer to this message was written, in ms of `performance.now()`. */
  writtenFor: (message: string) => number[];
  close: () => Promise<void>;
}

export const tokenLength = 6;
/** The n-th: with the space before it, as models write them. */
const token = (n: number) => ` ${String(n).padStart(tokenLength - 1, '0')}`;
export const answerOf = (tokens: number) =>
  Array.from({ length: tokens }, (_, n) => token(n))
    .join('')
    .trim();

/** @param tokensOf how long the answer to a message is */
export async function startTokenServer(
  tokensOf: (message: string) => number,
  betweenMs: number,
): Promise<TokenServer> {
  const written = new Map<string, number[]>();
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { model, messages } = request.parse(JSON.parse(Buffer.concat(chunks).toString()));
      const times: number[] = [];
      const message = String(messages.at(-1)?.content);
      const tokens = tokensOf(message);
      written.set(message, times);
      const event = (delta: object, finish: string | null) =>
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const ticks = setInterval(() => {
        if (times.length < tokens) {
          const text = token(times.length);
          times.push(performance.now());
          response.write(event({ content: text }, null));
        } else {
          clearInterval(ticks);
          response.end(`${event({}, 'stop')}data: [DONE]\n\n`);
        }
      }, betweenMs);
      response.on('close', () => {
        clearInterval(ticks);
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    writtenFor: (message) => written.get(message) ?? [],
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
