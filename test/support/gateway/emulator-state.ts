/** The state of the emulated gateway instance: its session, its webhook, what was sent and received. */
import { randomBytes, randomUUID } from 'node:crypto';

export type SessionState = 'connected' | 'connecting' | 'disconnected' | 'hibernated';
/** Answer shapes of gateway builds: captured ones, the documented ones, and those before the `instance` object. */
export type GatewayBuild = '2.1' | '2.0' | 'older';

export type EmulatedWebhook = {
  url: string;
  enabled: boolean;
  events: string[];
  excludeMessages: string[];
  addUrlEvents: boolean;
  addUrlTypesMessages: boolean;
};

export type SentMessage = {
  readonly path: '/send/text' | '/send/media';
  readonly body: Readonly<Record<string, unknown>>;
  readonly atMs: number;
  readonly messageId: string;
  readonly trackId: string;
  readonly trackSource: string;
  /** The text as WhatsApp shows it: with the gateway's placeholders filled in. */
  readonly shown: string;
  readonly number: string;
};

export type ChatLine = {
  readonly from: 'customer' | 'agent' | 'phone';
  readonly number: string;
  readonly text: string;
  readonly atMs: number;
};

export type StoredFile = { readonly contentType: string; readonly bytes: Buffer };

export type EmulatorState = {
  readonly token: string;
  owner: string;
  session: SessionState;
  lastDisconnectReason: string;
  build: GatewayBuild;
  /** How long a send takes before it lands, and from then until its answer. */
  sendMs: { before: number; after: number };
  /** Sends that have arrived and are not answered yet. */
  sendsUnderWay: number;
  /** Value of Retry-After in a 429. */
  retryAfterSeconds: number;
  /** How often an event is posted that gets no 2xx, and after which time again. */
  webhookTries: { attempts: number; waitMs: number };
  /** Given as the address of every received file, instead of its own. */
  fileUrl: string | undefined;
  /** The status that a search returns for each message that was sent: Delivered to a phone that is online. */
  receipt: { status: string; error: string };
  /** Behaves like a build that does not know the filter by track_id. */
  ignoresFindFilter: boolean;
  webhooks: EmulatedWebhook[];
  /** Every send that landed, in order. */
  readonly sent: SentMessage[];
  /** Every request, also refused ones. */
  readonly requests: {
    readonly method: string;
    readonly path: string;
    readonly headers: Record<string, string>;
  }[];
  readonly lines: ChatLine[];
  /** Numbers by LID: a message to a LID appears on the phone of its number. */
  readonly holders: Map<string, string>;
  /** Typing that was requested, in order; and until when (epoch ms) a customer sees it. */
  readonly presences: { readonly number: string; readonly kind: string }[];
  readonly typingUntil: Map<string, number>;
  readonly files: Map<string, StoredFile>;
  readonly webhookErrors: {
    url: string;
    attempts: number;
    status_code: number;
    error: string;
    created: string;
  }[];
};

export function newState(options: {
  token?: string | undefined;
  owner?: string | undefined;
  session?: SessionState | undefined;
  build?: GatewayBuild | undefined;
}): EmulatorState {
  return {
    token: options.token ?? randomUUID(),
    owner: options.owner ?? '5511999990001',
    session: options.session ?? 'connected',
    lastDisconnectReason: '',
    build: options.build ?? '2.1',
    sendMs: { before: 0, after: 0 },
    sendsUnderWay: 0,
    retryAfterSeconds: 7,
    webhookTries: { attempts: 3, waitMs: 0 },
    fileUrl: undefined,
    receipt: { status: 'Delivered', error: '' },
    ignoresFindFilter: false,
    webhooks: [],
    sent: [],
    requests: [],
    lines: [],
    holders: new Map(),
    presences: [],
    typingUntil: new Map(),
    files: new Map(),
    webhookErrors: [],
  };
}

export const newMessageId = (): string => `3EB0${randomBytes(9).toString('hex').toUpperCase()}`;
