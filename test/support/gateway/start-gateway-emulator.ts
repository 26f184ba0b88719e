/** A WhatsApp gateway as a real HTTP server on loopback: its answers, its events, its faults. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { deliver } from './emulator-delivery.ts';
import type { WebhookAnswer } from './emulator-delivery.ts';
import { buildEvent, lidOf } from './emulator-events.ts';
import type { Inbound } from './emulator-events.ts';
import { applyFault, landsFirst, newFaults } from './emulator-faults.ts';
import type { FaultQueue, GatewayFault } from './emulator-faults.ts';
import { servePage } from './emulator-controls.ts';
import { routes } from './emulator-routes.ts';
import type { Answer } from './emulator-routes.ts';
import { newState } from './emulator-state.ts';
import type {
  EmulatedWebhook,
  EmulatorState,
  GatewayBuild,
  SentMessage,
  SessionState,
} from './emulator-state.ts';

export type GatewayEmulatorOptions = {
  /** 0 (default) takes a free one. */
  port?: number;
  instanceToken?: string;
  /** Number of the paired phone. */
  owner?: string;
  session?: SessionState;
  build?: GatewayBuild;
};

export type Delivered = { readonly messageId: string; readonly answers: readonly WebhookAnswer[] };

export type GatewayEmulator = {
  readonly url: string;
  readonly instanceToken: string;
  readonly state: EmulatorState;
  /** Every send that landed, in order. */
  readonly sent: EmulatorState['sent'];
  readonly faults: FaultQueue;
  readonly setWebhook: (webhook: Partial<EmulatedWebhook> & { url: string }) => void;
  readonly setSession: (session: SessionState, reason?: string) => void;
  /** A customer writes. `copies` posts the same event so many times, `inFlight` of them at once. */
  readonly deliverInbound: (
    inbound: Inbound,
    repeat?: { copies?: number; inFlight?: number },
  ) => Promise<Delivered>;
  /** The owner writes on the paired phone. */
  readonly typeOnPhone: (inbound: Inbound) => Promise<Delivered>;
  /** Posts these events in another order than they were written, as a busy gateway does. */
  readonly deliverShuffled: (inbounds: readonly Inbound[], order: readonly number[]) => Promise<Delivered[]>;
  /** Any body, as is. */
  readonly deliverRaw: (body: Record<string, unknown>) => Promise<readonly WebhookAnswer[]>;
  readonly stop: () => Promise<void>;
};

const maxBodyBytes = 40 * 1024 * 1024;
const mediaKinds = ['image', 'voice', 'document', 'sticker'];

export async function startGatewayEmulator(options: GatewayEmulatorOptions = {}): Promise<GatewayEmulator> {
  const state = newState({ ...options, token: options.instanceToken });
  const faults = newFaults();
  const echoes = new Set<Promise<unknown>>();
  const server = createServer((request, response) => {
    void handle(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  await once(server.listen(options.port ?? 0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const deliverInbound: GatewayEmulator['deliverInbound'] = async (inbound, repeat = {}) => {
    const { body, messageId } = buildEvent(state, inbound);
    if (inbound.kind !== undefined && mediaKinds.includes(inbound.kind)) {
      const { content } = body['message'] as { content: { mimetype: string } };
      // Voice notes are handed out as mp3.
      const contentType = inbound.kind === 'voice' ? 'audio/mpeg' : content.mimetype;
      state.files.set(messageId, { contentType, bytes: Buffer.from(`bytes of ${messageId}`) });
    }
    const number = inbound.from ?? '553499990002';
    state.holders.set(inbound.lid ?? lidOf(number), number);
    const text = inbound.text ?? `[${inbound.kind ?? 'text'}]`;
    state.lines.push({
      from: inbound.fromMe === true ? 'phone' : 'customer',
      number,
      text,
      atMs: Date.now(),
    });
    const copies = repeat.copies ?? 1;
    const answers: WebhookAnswer[] = [];
    let started = 0;
    const lane = async (): Promise<void> => {
      while (started < copies) {
        started += 1;
        answers.push(...(await deliver(state, body)));
      }
    };
    await Promise.all(Array.from({ length: Math.min(copies, repeat.inFlight ?? 1) }, lane));
    return { messageId, answers };
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    const body = await readBody(request);
    if (await servePage(emulator, { method: request.method ?? '', pathname, searchParams, body }, response))
      return;
    const method = request.method ?? '';
    state.requests.push({ method, path: pathname, headers: request.headers as Record<string, string> });
    const isSend = pathname.startsWith('/send/');
    if (isSend) {
      state.sendsUnderWay += 1;
      response.on('close', () => (state.sendsUnderWay -= 1));
    }
    const slow = isSend ? state.sendMs : { before: 0, after: 0 };
    if (slow.before > 0) await delay(slow.before);
    const result = called(method, pathname, request.headers['token'], body);
    if (slow.after > 0) await delay(slow.after);
    if (typeof result === 'string') applyFault(result, response, state.retryAfterSeconds);
    else
      response
        .writeHead(result.status, { 'content-type': 'application/json' })
        .end(JSON.stringify(result.body));
  }

  function called(
    method: string,
    path: string,
    token: unknown,
    body: Record<string, unknown>,
  ): Answer | GatewayFault {
    const route = routes[`${method} ${path}`];
    if (route === undefined) return { status: 404, body: { error: 'Not Found' } };
    const fault = faults.take(path, body);
    if (fault !== undefined && !landsFirst(fault)) return fault;
    if (token !== state.token) return { status: 401, body: { error: 'Invalid token' } };
    const result = route(state, body, { origin: url, landed: echoOf });
    return fault !== undefined && result.status === 200 ? fault : result;
  }

  function echoOf(sent: SentMessage): void {
    const { body } = buildEvent(state, {
      from: state.holders.get(sent.number) ?? sent.number.replace(/\D.*/, ''),
      text: sent.shown,
      fromMe: true,
      wasSentByApi: true,
      messageId: sent.messageId,
      trackId: sent.trackId,
      trackSource: sent.trackSource,
    });
    const echo = deliver(state, body).finally(() => echoes.delete(echo));
    echoes.add(echo);
  }

  const emulator: GatewayEmulator = {
    url,
    instanceToken: state.token,
    state,
    sent: state.sent,
    faults,
    setWebhook: (webhook) => {
      const usual = { enabled: true, events: ['messages'], excludeMessages: ['wasSentByApi', 'isGroupYes'] };
      state.webhooks = [{ ...usual, addUrlEvents: false, addUrlTypesMessages: false, ...webhook }];
    },
    setSession: (session, reason = '') => {
      state.session = session;
      state.lastDisconnectReason = reason;
    },
    deliverInbound,
    typeOnPhone: (inbound) => deliverInbound({ ...inbound, fromMe: true }),
    deliverShuffled: async (inbounds, order) => {
      const written = inbounds.map((inbound, index) => ({ atMs: Date.now() + index, ...inbound }));
      const delivered: Delivered[] = [];
      for (const index of order) delivered.push(await deliverInbound(written[index]!));
      return delivered;
    },
    deliverRaw: (body) => deliver(state, body),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await Promise.allSettled(echoes);
    },
  };
  return emulator;
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes) throw new Error('Body too large');
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  if (text === '') return {};
  const parsed: unknown = JSON.parse(text);
  return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
}
