/** Faults of the emulated gateway, each for the next calls of one path. */
import type { ServerResponse } from 'node:http';

export type GatewayFault =
  | 'invalid_token'
  | 'forbidden'
  | 'no_session'
  | 'session_closed'
  | 'timelock'
  | 'rate_limited'
  | 'missing_field'
  | 'too_large'
  | 'unsupported_media'
  | 'not_found'
  | 'resetting'
  | 'server_error'
  | 'html'
  | 'bad_gateway_page'
  | 'empty'
  | 'cut_json'
  | 'huge'
  | 'redirect'
  | 'hang'
  | 'reset'
  /** The send lands; its answer is lost. */
  | 'lost_answer'
  /** The send lands; its answer never comes. */
  | 'landed_hang'
  /** The send lands; a proxy answers in the gateway's place. */
  | 'landed_page';

const json: Partial<Record<GatewayFault, [number, object]>> = {
  invalid_token: [401, { error: 'Invalid token' }],
  forbidden: [403, { error: 'Forbidden: missing token' }],
  no_session: [401, { error: 'No session' }],
  session_closed: [500, { error: 'WhatsApp client is not connected' }],
  timelock: [
    500,
    {
      error: 'WhatsApp server error 463',
      error_source: 'whatsapp_server',
      provider_code: 463,
      error_key: 'WHATSAPP_REACHOUT_TIMELOCK',
      message_ptbr: 'O WhatsApp bloqueou novas conversas',
      details: { reachout_timelock: { active: true, until: '2030-01-01T12:00:00Z' } },
    },
  ],
  rate_limited: [429, { error: 'Rate limit exceeded' }],
  missing_field: [400, { error: 'Missing number or text' }],
  too_large: [413, { error: 'File size exceeds limit' }],
  unsupported_media: [415, { error: 'Unsupported media format' }],
  not_found: [404, { error: 'Instance not found' }],
  resetting: [409, { error: 'Instance is resetting' }],
  server_error: [500, { error: 'Failed to send message' }],
};

export type FaultQueue = {
  /** The next `times` calls of the path meet this fault; further faults queue up behind it. */
  next: (path: string, fault: GatewayFault, times?: number) => void;
  /** Every call of the path, until cleared. */
  always: (path: string, fault: GatewayFault) => void;
  clear: () => void;
  /** Asked at each call that meets no fault of the queue. */
  choose: ((path: string, body: Readonly<Record<string, unknown>>) => GatewayFault | undefined) | undefined;
  take: (path: string, body: Readonly<Record<string, unknown>>) => GatewayFault | undefined;
};

export function newFaults(): FaultQueue {
  let queue: { path: string; fault: GatewayFault; left: number }[] = [];
  const faults: FaultQueue = {
    choose: undefined,
    next: (path, fault, times = 1) => queue.push({ path, fault, left: times }),
    always: (path, fault) => queue.push({ path, fault, left: Infinity }),
    clear: () => {
      queue = [];
      faults.choose = undefined;
    },
    take: (path, body) => {
      const found = queue.find((one) => one.path === path && one.left > 0);
      if (found === undefined) return faults.choose?.(path, body);
      found.left -= 1;
      return found.fault;
    },
  };
  return faults;
}

export const landsFirst = (fault: GatewayFault | undefined): boolean =>
  fault === 'lost_answer' || fault === 'landed_hang' || fault === 'landed_page';

const page = '<!doctype html><title>Proxy</title><h1>Please wait</h1>';

/** Answers with the fault. */
export function applyFault(fault: GatewayFault, response: ServerResponse, retryAfterSeconds: number): void {
  const plain = json[fault];
  if (plain !== undefined) {
    const retry = fault === 'rate_limited' ? { 'retry-after': String(retryAfterSeconds) } : {};
    response
      .writeHead(plain[0], { 'content-type': 'application/json', ...retry })
      .end(JSON.stringify(plain[1]));
    return;
  }
  pages[fault]?.(response);
  // hang, landed_hang: no answer, the connection stays open until one side ends it.
}

const cut = (response: ServerResponse): void => {
  response.destroy();
};
const html = (status: number) => (response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'text/html' }).end(page);
};

const pages: Partial<Record<GatewayFault, (response: ServerResponse) => void>> = {
  html: html(200),
  landed_page: html(200),
  bad_gateway_page: html(502),
  reset: cut,
  lost_answer: cut,
  empty: (response) => {
    response.writeHead(200).end();
  },
  cut_json: (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' });
    response.write('{"instance": {"status": "conn', () => response.destroy());
  },
  huge: (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(`"${'x'.repeat(4 * 1024 * 1024)}"`);
  },
  redirect: (response) => {
    response.writeHead(307, { location: 'http://127.0.0.1:9/instance/status' }).end();
  },
};
