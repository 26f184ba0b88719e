/** The model and the tool of the job, as an HTTP server that counts. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { readJson } from '../../support/model-server.ts';
import type { Harness } from './engine.ts';

/** Milliseconds that the tool takes, so that kills meet it at work. Chosen. */
export const toolMs = 300;

const call = z.object({ case: z.string(), amount: z.number().optional() });

export interface HarnessServer extends Harness {
  /** The amounts that the tool got for a case, in their order. */
  executed: (id: string) => number[];
  /** Requests to the tool so far. */
  count: () => number;
  close: () => void;
}

export async function startHarness(): Promise<HarnessServer> {
  const received: { id: string; amount: number }[] = [];
  let amounts = 100;
  const nextAmount = () => (amounts += 1);
  const server = createServer((request, response) => {
    const respond = (body: object) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const answer = async (value: unknown) => {
      const { case: id, amount } = call.parse(value);
      if (request.url === '/model') return respond({ case: id, amount: nextAmount() });
      received.push({ id, amount: amount ?? NaN });
      await delay(toolMs);
      return respond({ refunded: amount });
    };
    void readJson(request)
      .then(answer)
      .catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    nextAmount,
    executed: (id) => received.filter((one) => one.id === id).map(({ amount }) => amount),
    count: () => received.length,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
