/** A proxy between a client and the API that fails as proxies and networks do: each request has a planned fault. */
import { once } from 'node:events';
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Fault =
  /** The API never sees it. */
  | { status: number; retryAfter: string }
  /** The API has it, and its answer is lost. */
  | 'answer lost'
  /** The answer breaks off after so many events. */
  | { cutAfterEvents: number }
  /** Nothing comes of the answer but its head, and the connection stays. */
  | 'silence';

export interface FaultyLine {
  /** Ends in /v1, as the API's own. */
  url: string;
  /** For the next requests, one each; those after them pass. */
  plan: (...faults: Fault[]) => void;
  /** Requests that have arrived, as `POST /chat/…`, with the headers that identify a repeat. */
  seen: { request: string; key: string | undefined; lastEventId: string | undefined }[];
  close: () => Promise<void>;
}

export async function startFaultyLine(apiUrl: string): Promise<FaultyLine> {
  const faults: Fault[] = [];
  const seen: FaultyLine['seen'] = [];
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    seen.push({
      request: `${method} ${url.replace('/v1', '')}`,
      key: headers['idempotency-key'] as string | undefined,
      lastEventId: headers['last-event-id'] as string | undefined,
    });
    const fault = faults.shift();
    if (typeof fault === 'object' && 'status' in fault) {
      request.resume();
      response.writeHead(fault.status, { 'retry-after': fault.retryAfter }).end('busy');
    } else pass(new URL(apiUrl), request, response, fault);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    plan: (...more) => void faults.push(...more),
    seen,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Broken = Exclude<Fault, { status: number }>;

function pass(api: URL, request: IncomingMessage, response: ServerResponse, fault: Broken | undefined): void {
  const { method, url, headers } = request;
  const onward = send({ host: api.hostname, port: api.port, method, path: url, headers }, (answer) => {
    if (fault === undefined) {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      return;
    }
    if (fault === 'silence' || (typeof fault === 'object' && fault.cutAfterEvents > 0))
      response.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders();
    let left = typeof fault === 'object' ? fault.cutAfterEvents : Infinity;
    let rest = '';
    answer.setEncoding('utf8');
    answer.on('data', (text: string) => {
      if (typeof fault === 'string') return;
      const events = (rest + text).split(/(?<=\n\n)/);
      rest = events.at(-1)?.endsWith('\n\n') === false ? (events.pop() ?? '') : '';
      const kept = events.slice(0, left).join('');
      left -= events.length;
      if (kept !== '') response.write(kept);
      if (left <= 0) setImmediate(() => response.destroy());
    });
    answer.on('end', () => {
      if (fault !== 'silence') response.destroy();
    });
  });
  onward.on('error', () => response.destroy());
  request.pipe(onward);
  response.on('close', () => onward.destroy());
}
