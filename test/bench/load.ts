/** The load and the stop watch, the same for the product and for what it is compared with. A turn is in flight from
 *  its request until its callback has arrived. */
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { rounded } from './numbers.ts';

/** Milliseconds that the stub model of every shape takes. */
export const modelMs = 50;

export interface Turn {
  ackMs: number;
  /** From the request to its callback, less the model's time. */
  overheadMs: number;
}

export interface Subject {
  /** Resolves at the acknowledgement. @throws if it is refused */
  send: (turn: { conversation: string; text: string; webhook: string }) => Promise<void>;
}

export interface Callbacks {
  origin: string;
  /** Settles with the time at which a path has been called. */
  arrival: (path: string) => Promise<number>;
  /** Returns the bodies that were posted to a path. */
  bodies: (path: string) => string[];
  /** Paths that were called more than once. */
  doubled: () => string[];
  close: () => Promise<void>;
}

export async function startCallbacks(): Promise<Callbacks> {
  const received = new Map<string, string[]>();
  const waiting = new Map<string, (at: number) => void>();
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const at = performance.now();
      const path = incoming.url ?? '';
      received.set(path, [...(received.get(path) ?? []), Buffer.concat(chunks).toString()]);
      response.end('ok');
      waiting.get(path)?.(at);
      waiting.delete(path);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    arrival: (path) => new Promise((resolve) => waiting.set(path, resolve)),
    bodies: (path) => received.get(path) ?? [],
    doubled: () => [...received].filter(([, bodies]) => bodies.length > 1).map(([path]) => path),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

/** @throws `Refused` with the answer's text if the status is another */
export async function call(
  method: 'GET' | 'POST',
  url: string,
  status: number,
  options: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<string> {
  const { body, headers = {} } = options;
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  return await new Promise<string>((resolve, reject) => {
    const type = bytes && { 'content-type': 'application/json', 'content-length': bytes.length };
    const outgoing = request(url, { method, agent, headers: { ...headers, ...type } }, (answer) => {
      const got = answer.statusCode ?? 0;
      textOf(answer).then((read) => {
        if (got === status) resolve(read);
        else reject(new Refused(got, `${method} ${url}: ${read}`));
      }, reject);
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // The server has closed an idle connection in the same moment: it has not read the request.
      if (outgoing.reusedSocket && error.code === 'ECONNRESET')
        call(method, url, status, options).then(resolve, reject);
      else reject(error);
    });
    outgoing.end(bytes);
  });
}

/** An answer with another status than was expected. */
class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(`${status} ${message}`);
    this.status = status;
  }
}

/** Sends again while the answer is 503: nothing was accepted, because the machine is overloaded. */
export async function untilAccepted(send: () => Promise<string>): Promise<string> {
  for (let left = 20; ; left--) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 503 || left === 0) throw error;
      console.error(`503, tried again: ${error.message}`);
    }
  }
}

const patienceMs = 60_000;
let turns = 0;

/** One turn, awaited to its callback. @throws if the callback does not come */
export async function takeTurn(
  subject: Subject,
  callbacks: Callbacks,
  conversation: string,
  text = 'hello',
  ms = modelMs,
): Promise<Turn> {
  const path = `/turn/${(turns += 1)}`;
  const arrival = callbacks.arrival(path);
  const began = performance.now();
  await subject.send({ conversation, text, webhook: callbacks.origin + path });
  const ackMs = performance.now() - began;
  const at = await inTime(arrival, `no callback for ${conversation}`);
  return { ackMs, overheadMs: at - began - ms };
}

async function inTime<T>(promise: Promise<T>, otherwise: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`${otherwise} within ${patienceMs} ms`));
    }, patienceMs);
  });
  return await Promise.race([promise, late]).finally(() => {
    clearTimeout(timer);
  });
}

/** One turn after another, over so many conversations. */
export async function oneByOne(
  subject: Subject,
  callbacks: Callbacks,
  options: { turns: number; conversations: number; name: string },
): Promise<Turn[]> {
  const taken: Turn[] = [];
  for (let turn = 0; turn < options.turns; turn++) {
    taken.push(await takeTurn(subject, callbacks, `${options.name}-${turn % options.conversations}`));
  }
  return taken;
}

export interface Burst {
  turns: Turn[];
  perSecond: number;
}

/** How long new turns are begun, or how many. */
export type BurstLength = { ms: number } | { turns: number };

/**
 * Takes turns in `lanes` lanes at once, one after another in each lane; the clock stops with the last callback.
 * @param take takes one turn of a lane; `turn` counts over all lanes
 */
export async function inLanes(
  length: BurstLength,
  lanes: number,
  take: (lane: number, turn: number) => Promise<Turn>,
): Promise<Burst> {
  const taken: Turn[] = [];
  let next = 0;
  const began = performance.now();
  const hasMore = 'ms' in length ? () => performance.now() < began + length.ms : () => next < length.turns;
  const lane = async (index: number) => {
    while (hasMore()) taken.push(await take(index, next++));
  };
  await Promise.all(Array.from({ length: lanes }, (_, index) => lane(index)));
  return { turns: taken, perSecond: rounded((taken.length * 1000) / (performance.now() - began)) };
}

/** Keeps `inFlight` turns in progress over `conversations` new conversations. */
export async function burst(
  subject: Subject,
  callbacks: Callbacks,
  options: BurstLength & { inFlight: number; conversations: number; name: string },
): Promise<Burst> {
  const { inFlight, conversations, name } = options;
  return await inLanes(options, inFlight, (_, turn) =>
    takeTurn(subject, callbacks, `${name}-${turn % conversations}`),
  );
}

/** Calls again and again on so many connections for so long. @returns calls a second and the times of each */
export async function hammer(
  work: (count: number) => Promise<unknown>,
  options: { connections: number; ms: number },
): Promise<{ perSecond: number; ms: number[] }> {
  const times: number[] = [];
  let count = 0;
  const began = performance.now();
  const end = began + options.ms;
  const lane = async () => {
    while (performance.now() < end) {
      const at = performance.now();
      await work(count++);
      times.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: options.connections }, lane));
  return { perSecond: rounded((times.length * 1000) / (performance.now() - began)), ms: times };
}
