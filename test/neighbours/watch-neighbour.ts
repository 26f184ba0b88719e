/** B's traffic: a synchronous message each second, and one stream and one callback after another, each timed. Every call
 *  has a connection of its own, as a caller has who comes for the first time. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Organization } from './stand.ts';

export const kinds = ['sync', 'stream', 'callback'] as const;
export type Kind = (typeof kinds)[number];

export interface Sample {
  kind: Kind;
  /** Time by `performance.now()`. */
  at: number;
  ms: number;
  /** Reason of a failed call. */
  failed?: string;
}

export interface Neighbour {
  samples: readonly Sample[];
  /** Many calls at once, until what is compiled and cached is. */
  warmUp: () => Promise<void>;
  /** Stops calling, and waits for the calls in progress. */
  stop: () => Promise<void>;
}

const everyMs = 1000;
const usualPatienceMs = 15_000;

export async function watchNeighbour(
  { api }: Organization,
  patienceMs = usualPatienceMs,
): Promise<Neighbour> {
  const { id: scripted } = await api.createAgent({
    model: 'scripted/default',
    script: [{ when: '^(.*)$', reply: 'echo: $1' }],
  });
  const { id: asked } = await api.createAgent({ instructions: 'Answer.' });
  const samples: Sample[] = [];
  const arrived = new Map<string, () => void>();
  const receiver = createServer((incoming, response) => {
    incoming.resume().on('end', () => {
      arrived.get(incoming.url ?? '')?.();
      response.end();
    });
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  let count = 0;
  const contact = () => ({ id: `b-${count % 7}` });
  const post = (agentId: string, body: object, accept = 'application/json') =>
    inTime(patienceMs, (signal) =>
      answerTo(`${api.baseUrl}/chat/${agentId}`, {
        token: api.token,
        accept,
        body: JSON.stringify(body),
        signal,
      }),
    );

  const calls: Record<Kind, () => Promise<void>> = {
    sync: async () => {
      const text = `message ${(count += 1)}`;
      const { status, body } = await post(scripted, { message: text, sync: true, contact: contact() });
      if (status !== 200 || !body.includes(`echo: ${text}`))
        throw new Error(`${status} ${body.slice(0, 200)}`);
    },
    stream: async () => {
      count += 1;
      const { status, body } = await post(asked, { message: 'a word', sync: true }, 'text/event-stream');
      if (status !== 200 || !body.includes('event: delta') || !body.includes('event: completed'))
        throw new Error(`${status} ${body.slice(-200)}`);
    },
    callback: async () => {
      const path = `/b/${(count += 1)}`;
      const { promise, resolve } = Promise.withResolvers<undefined>();
      arrived.set(path, () => {
        resolve(undefined);
      });
      try {
        // A name that was not looked up before.
        const webhook = `http://n${count}.b.example:${port}${path}`;
        const { status, body } = await post(scripted, { message: path, webhook_url: webhook });
        if (status !== 202) throw new Error(`${status} ${body.slice(0, 200)}`);
        await inTime(patienceMs, () => promise);
      } finally {
        arrived.delete(path);
      }
    },
  };
  const timed = async (kind: Kind): Promise<void> => {
    const at = performance.now();
    const failed = await calls[kind]().then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    samples.push({ kind, at, ms: performance.now() - at, ...(failed !== undefined && { failed }) });
  };

  let over = false;
  const underWay = new Set<Promise<void>>();
  let warm = false;
  /** The next one comes a second after this one came, or at its end. */
  const oneAfterAnother = async (kind: Kind) => {
    while (!over) await Promise.all([timed(kind), delay(everyMs)]);
  };
  /** A second after this one came, whether it is answered or not. */
  const steadily = async (kind: Kind) => {
    while (!over) {
      const call = timed(kind).finally(() => underWay.delete(call));
      underWay.add(call);
      await delay(everyMs);
    }
  };
  const lanes: Promise<void>[] = [];
  return {
    samples,
    warmUp: async () => {
      for (let round = 0; round < 12; round++)
        await Promise.all(kinds.flatMap((kind) => [timed(kind), timed(kind)]));
      samples.length = 0;
      if (!warm) lanes.push(steadily('sync'), oneAfterAnother('stream'), oneAfterAnother('callback'));
      warm = true;
    },
    stop: async () => {
      over = true;
      await Promise.all([...lanes, ...underWay]);
      receiver.closeAllConnections();
      receiver.close();
    },
  };
}

async function inTime<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const over = new AbortController();
  const timer = setTimeout(() => {
    late.reject(new Error(`nothing within ${ms} ms`));
  }, ms);
  try {
    return await Promise.race([work(over.signal), late.promise]);
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}

async function answerTo(
  url: string,
  { token, accept, body, signal }: { token: string; accept: string; body: string; signal: AbortSignal },
): Promise<{ status: number; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  const call = request(url, {
    method: 'POST',
    agent: false,
    signal,
    headers: { authorization: `Bearer ${token}`, accept, 'content-type': 'application/json' },
  });
  call.on('error', reject).on('response', (response) => {
    let text = '';
    response
      .setEncoding('utf8')
      .on('data', (chunk: string) => (text += chunk))
      .on('error', reject)
      .on('end', () => {
        resolve({ status: response.statusCode ?? 0, body: text });
      });
  });
  call.end(body);
  return await promise;
}
