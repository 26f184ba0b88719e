/** A caller's webhook: records each request as it came, and answers as a test asks. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { messageCompleted, messageError, type Callback } from '../../src/contract/conversations/callback.ts';
import { until } from './until.ts';

export type Received = {
  /** Epoch ms: the body has arrived whole. */
  at: number;
  /** Epoch ms: the answer has been sent. */
  answeredAt?: number;
  method: string;
  path: string;
  /** Names as they were written, in their order. */
  rawHeaders: [name: string, value: string][];
  body: string;
};

export type ReceiverBehaviour = {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  delayMs?: number;
  /** Answers once this has settled. */
  until?: Promise<unknown>;
  /** Takes the request and never answers. */
  hang?: boolean;
  /** Ends the connection without an answer. */
  reset?: boolean;
};

export type Receiver = {
  host: string;
  url: (path: string) => string;
  /** How requests to this path are answered; 200 and an empty body otherwise. */
  behave: (path: string, behaviour: ReceiverBehaviour) => void;
  requestsTo: (path: string) => Received[];
  /** How many requests it has had, to any path. */
  count: () => number;
  /** Waits until a path has had so many. */
  waitFor: (path: string, count: number, ms?: number) => Promise<Received[]>;
  /** The same, read by the contract's schemas: a field that is not in them is an error. */
  callbacks: (path: string, count: number, ms?: number) => Promise<Callback[]>;
  close: () => Promise<void>;
};

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const behaviours = new Map<string, ReceiverBehaviour>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      const names = request.rawHeaders.filter((_, index) => index % 2 === 0);
      const one: Received = {
        at: Date.now(),
        method: request.method ?? '',
        path,
        rawHeaders: names.map((name, index) => [name, request.rawHeaders[index * 2 + 1] ?? '']),
        body: Buffer.concat(chunks).toString('utf8'),
      };
      received.push(one);
      void behave(response, behaviours.get(path) ?? {}).then(() => {
        one.answeredAt = Date.now();
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const requestsTo = (path: string) => received.filter((one) => one.path === path);
  const waitFor = async (path: string, count: number, ms?: number) => {
    await until(`${count} requests to ${path}`, () => requestsTo(path).length >= count, ms);
    return requestsTo(path);
  };
  return {
    host,
    url: (path) => `http://${host}${path}`,
    behave: (path, behaviour) => behaviours.set(path, behaviour),
    requestsTo,
    count: () => received.length,
    waitFor,
    callbacks: async (path, count, ms) =>
      (await waitFor(path, count, ms)).map(({ body }) => readCallback(body)),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function behave(response: ServerResponse, behaviour: ReceiverBehaviour): Promise<void> {
  const { status = 200, headers = {}, body = '', delayMs = 0, hang = false, reset = false } = behaviour;
  await behaviour.until;
  if (hang) return;
  if (delayMs > 0) await delay(delayMs);
  if (reset) response.socket?.resetAndDestroy();
  else response.writeHead(status, headers).end(body);
}

const strictError = messageError.strict();
const strictCompleted = messageCompleted.strict();

export function readCallback(body: string): Callback {
  const value: unknown = JSON.parse(body);
  const error = strictError.safeParse(value);
  return error.success ? error.data : strictCompleted.parse(value);
}
