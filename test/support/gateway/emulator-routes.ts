/** The gateway's own interface, as far as a channel uses it. */
import { z } from 'zod';
import { newMessageId } from './emulator-state.ts';
import type { EmulatedWebhook, EmulatorState, SentMessage } from './emulator-state.ts';

export type Answer = { status: number; body: unknown };
type Body = Record<string, unknown>;
export type Route = (state: EmulatorState, body: Body, context: RouteContext) => Answer;
export type RouteContext = {
  readonly origin: string;
  /** Called with each send that landed. */
  readonly landed: (sent: SentMessage) => void;
};

const ok = (body: unknown): Answer => ({ status: 200, body });
const refuse = (status: number, error: string): Answer => ({ status, body: { error } });
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const day = (atMs: number): string => new Date(atMs).toISOString().replace('T', ' ');

function status(state: EmulatorState): Answer {
  const connected = state.session === 'connected';
  const jid = `${state.owner}:57@s.whatsapp.net`;
  if (state.build === 'older') return ok({ status: state.session, connected, owner: state.owner });
  const instance = {
    id: 'r0123456789abcd',
    token: state.token,
    status: state.session,
    paircode: '',
    qrcode: state.session === 'connecting' ? 'data:image/png;base64,iVBORw0KGgo=' : '',
    name: 'emulated',
    profileName: 'Emulated shop',
    isBusiness: true,
    plataform: 'smba',
    systemName: 'uazapi',
    // The last number stays after a logout.
    owner: state.owner,
    lastDisconnect: state.lastDisconnectReason === '' ? '' : day(Date.now()),
    lastDisconnectReason: state.lastDisconnectReason,
    created: day(0),
  };
  const documented = { user: state.owner, agent: 0, device: 57, server: 's.whatsapp.net' };
  return state.build === '2.0'
    ? ok({ instance, status: { connected, loggedIn: connected, jid: connected ? documented : null } })
    : ok({
        instance,
        status: { connected, loggedIn: connected, jid: connected ? jid : null, resetting: false },
      });
}

function disconnect(state: EmulatorState): Answer {
  if (state.session === 'disconnected') return ok({ response: 'Already disconnected' });
  state.session = 'disconnected';
  state.lastDisconnectReason = 'disconnected by the API';
  return ok({ instance: { status: 'disconnected', owner: state.owner }, response: 'Disconnected', info: '' });
}

/** The gateway replaces these placeholders in every text, although nobody asked for it. */
function fillPlaceholders(text: string): string {
  const values: Record<string, string> = { name: 'Customer', lead_email: 'private@example.test' };
  return text.replace(/\{\{(\w+)\}\}/g, (_whole, key: string) => values[key] ?? '');
}

function send(path: SentMessage['path']): Route {
  return (state, body, context) => {
    const number = textOf(body['number']);
    if (number === '') return refuse(400, 'Missing number or text');
    if (path === '/send/text' && textOf(body['text']) === '') return refuse(400, 'Missing number or text');
    if (path === '/send/media' && (textOf(body['file']) === '' || textOf(body['type']) === '')) {
      return refuse(400, 'Missing file or type');
    }
    if (state.session !== 'connected') return refuse(401, 'No session');
    const messageId = newMessageId();
    const trackId = textOf(body['track_id']);
    const shown = fillPlaceholders(textOf(body['text']));
    const trackSource = textOf(body['track_source']);
    const sent: SentMessage = {
      path,
      body,
      atMs: Date.now(),
      messageId,
      trackId,
      trackSource,
      shown,
      number,
    };
    state.sent.push(sent);
    state.typingUntil.delete(number);
    const label = path === '/send/media' ? `[${textOf(body['type'])}] ` : '';
    state.lines.push({
      from: 'agent',
      number: state.holders.get(number) ?? number.replace(/@.*/, ''),
      text: label + shown,
      atMs: sent.atMs,
    });
    context.landed(sent);
    const message = {
      id: `${state.owner}:${messageId}`,
      messageid: messageId,
      chatid: number.includes('@') ? number : `${number}@s.whatsapp.net`,
      fromMe: true,
      messageTimestamp: sent.atMs,
      messageType: path === '/send/text' ? 'ExtendedTextMessage' : 'ImageMessage',
      owner: state.owner,
      sender: `${state.owner}@s.whatsapp.net`,
      status: 'Pending',
      track_id: trackId,
      track_source: trackSource,
      text: shown,
    };
    if (state.build === 'older') return ok({ key: { id: messageId }, status: 'Pending' });
    return ok(
      state.build === '2.0' ? { ...message, response: { status: 'success', message: 'sent' } } : message,
    );
  };
}

/** Behaves like the real one: typing ends after its time, or with the next message. */
function presence(state: EmulatorState, body: Body): Answer {
  const number = textOf(body['number']);
  const kind = textOf(body['presence']);
  if (number === '' || !['composing', 'recording', 'paused'].includes(kind)) {
    return refuse(400, 'Missing number or presence');
  }
  const ms = typeof body['delay'] === 'number' ? body['delay'] : 30_000;
  if (ms > 300_000) return refuse(400, 'Delay is too long');
  state.presences.push({ number, kind });
  if (kind === 'paused') state.typingUntil.delete(number);
  else state.typingUntil.set(number, Date.now() + ms);
  return ok({ response: 'Chat presence sent successfully' });
}

function find(state: EmulatorState, body: Body): Answer {
  const trackId = textOf(body['track_id']);
  const matching = state.sent.filter((one) => state.ignoresFindFilter || one.trackId === trackId);
  const limit = typeof body['limit'] === 'number' ? body['limit'] : 50;
  const messages = matching.slice(0, limit).map((one) => ({
    id: `${state.owner}:${one.messageId}`,
    messageid: one.messageId,
    track_id: one.trackId,
    track_source: one.trackSource,
    text: one.shown,
    fromMe: true,
    ...state.receipt,
  }));
  return ok({ messages, hasMore: matching.length > limit, nextOffset: messages.length });
}

function download(state: EmulatorState, body: Body, context: RouteContext): Answer {
  const id = textOf(body['id']).split(':').pop() ?? '';
  const file = state.files.get(id);
  if (file === undefined) return refuse(404, 'Message not found');
  return ok({
    fileURL: state.fileUrl ?? `${context.origin}/files/${id}`,
    mimetype: file.contentType,
    cached: false,
  });
}

const webhookForm = z.object({
  url: z.string(),
  // Built disabled where this is left out.
  enabled: z.boolean().default(false),
  events: z.array(z.string()).default([]),
  excludeMessages: z.array(z.string()).default([]),
  addUrlEvents: z.boolean().default(false),
  addUrlTypesMessages: z.boolean().default(false),
});

function shownWebhooks(state: EmulatorState): Answer {
  return ok(
    state.webhooks.map((one: EmulatedWebhook, index) => {
      const { addUrlTypesMessages, ...rest } = one;
      const spelled =
        state.build === '2.0' ? { AddUrlTypesMessages: addUrlTypesMessages } : { addUrlTypesMessages };
      return { id: `w${index}`, ...rest, ...spelled };
    }),
  );
}

export const routes: Readonly<Record<string, Route>> = {
  'GET /instance/status': status,
  'POST /instance/disconnect': disconnect,
  'POST /instance/logout': () => refuse(405, 'Method Not Allowed'),
  'POST /send/text': send('/send/text'),
  'POST /send/media': send('/send/media'),
  'POST /message/find': find,
  'POST /message/download': download,
  'POST /message/presence': presence,
  'GET /webhook': shownWebhooks,
  'POST /webhook': (state, body) => {
    const form = webhookForm.safeParse(body);
    if (!form.success) return refuse(400, 'Invalid webhook');
    state.webhooks = [form.data];
    return shownWebhooks(state);
  },
  'GET /webhook/errors': (state) => ok(state.webhookErrors),
};
