/**
 * A model provider that keeps count of what it bills, whatever its callers get: a streamed answer that is cut off, or
 * whose caller has died, is billed whole. Speaks the OpenAI chat completions protocol.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { streamOf } from './model-completion.ts';

export type Price = { input: number; output: number };

export type Bill = {
  /** The last user message. */
  text: string;
  credits: number;
  outcome: Outcome;
};

/** `silent`: reports no tokens. */
type Outcome = 'whole' | 'cut' | 'silent';

export type MeteringServer = {
  baseUrl: string;
  bills: Bill[];
  /** Requests that were refused with 429, which are not billed. */
  refused: () => number;
  /** Sets the price of calls that arrive from now on, for 1,000 tokens. */
  setPrice: (price: Price) => void;
  close: () => Promise<void>;
};

const request = z.looseObject({
  model: z.string(),
  max_tokens: z.int(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.string() })),
});

/** Shares of calls that end otherwise than with a whole, counted answer. */
const shares = { refused: 0.03, cut: 0.02, silent: 0.01 } as const;
/** Tokens that it counts for each message beside its bytes, each of which is one. */
const perMessage = 4;

/** @param random between 0 and 1, which decides how each call goes */
export async function startMeteringServer(random: () => number, first: Price): Promise<MeteringServer> {
  let price = first;
  let refused = 0;
  const bills: Bill[] = [];
  const answer = async (response: ServerResponse, body: unknown) => {
    const { model, messages, max_tokens: most } = request.parse(body);
    const luck = random();
    if (luck < shares.refused) {
      refused += 1;
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after-ms': '50' }).end('{}');
      return;
    }
    const usage = {
      prompt_tokens: messages.reduce((sum, { content }) => sum + perMessage + Buffer.byteLength(content), 0),
      completion_tokens: 1 + Math.floor(random() * most),
    };
    const credits = (usage.prompt_tokens * price.input + usage.completion_tokens * price.output) / 1000;
    const outcome = outcomeOf(luck - shares.refused);
    bills.push({ text: messages.at(-1)?.content ?? '', credits, outcome });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const events = streamOf({ model, text: 'an answer', usage: outcome === 'silent' ? null : usage });
    response.write(events[0]);
    await delay(20 + random() * 280);
    if (outcome === 'cut') {
      response.socket?.resetAndDestroy();
      return;
    }
    for (const event of events.slice(1)) response.write(event);
    response.end('data: [DONE]\n\n');
  };
  const server = createServer((incoming, response) => {
    // A caller who has died gets nothing; its call stays billed.
    void readJson(incoming).then(
      (body) => answer(response, body),
      () => undefined,
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    bills,
    refused: () => refused,
    setPrice: (next) => {
      price = next;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function outcomeOf(luck: number): Outcome {
  if (luck < shares.cut) return 'cut';
  return luck < shares.cut + shares.silent ? 'silent' : 'whole';
}

async function readJson(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}
