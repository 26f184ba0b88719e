/**
 * Client of the WhatsApp gateway. The instance token is sent only in a header. If it has at least 8 characters, it is
 * redacted in responses. No call is retried; the caller decides by the outcome whether to repeat a send.
 */
import type { WebhookSettings } from '../../contract/whatsapp/channel.ts';
import type { GatewayMediaType } from '../../domain/whatsapp/plan-reply.ts';
import type { ReportedWebhook } from '../../domain/whatsapp/webhook-settings.ts';
import { readDownload, readFoundMessages, readStatus, readWebhooks } from './gateway-answers.ts';
import type { FoundMessage, GatewayStatus } from './gateway-answers.ts';
import { callGateway, gatewayBaseUrl } from './gateway-call.ts';
import type { GatewayAccess, GatewayRequest } from './gateway-call.ts';
import { failureOf, sendOutcomeOf } from './gateway-outcomes.ts';
import type { GatewayFailure, SendOutcome } from './gateway-outcomes.ts';
import type { PublicHttp } from '../http/public-http.ts';

/**
 * The `track_source` of every message that Parley sends. The gateway repeats it in the message's event, so that the
 * event is recognized as Parley's own.
 */
export const gatewayTrackSource = 'parley';

export type GatewaySend = {
  /** Digits with country code, or a LID address. */
  readonly number: string;
  /** Identifies the message for `findByTrackId`. The id is the same in every attempt to send the message. */
  readonly trackId: string;
  readonly readChat: boolean;
  readonly signal?: AbortSignal;
  /**
   * Milliseconds since the claim of this send; by default 0. The timeout is shorter by this time, because a later
   * attempt counts its wait from the claim, and must not begin before this send has ended.
   */
  readonly spentMs?: number;
};
export type GatewayText = GatewaySend & { readonly text: string };
export type GatewayMediaFile = GatewaySend & {
  readonly mediaType: GatewayMediaType;
  /** An https URL that the gateway fetches, or the file's content as base64. */
  readonly file: string;
  readonly filename: string | null;
  readonly contentType: string;
  readonly caption: string;
};

export type StatusOutcome = ({ readonly outcome: 'ok' } & GatewayStatus) | GatewayFailure;
export type DisconnectOutcome = { readonly outcome: 'ok' } | GatewayFailure;
export type WebhookOutcome =
  { readonly outcome: 'ok'; readonly webhooks: readonly ReportedWebhook[] } | GatewayFailure;
export type FindOutcome =
  | ({ readonly outcome: 'found' } & Omit<FoundMessage, 'trackId'>)
  | { readonly outcome: 'not_found' }
  /** The gateway gave no reliable answer, so the message may have been sent. */
  | { readonly outcome: 'unavailable' };
export type DownloadOutcome =
  | { readonly outcome: 'ok'; readonly url: string; readonly contentType: string | null }
  /** The gateway no longer has the file. */
  | { readonly outcome: 'gone' }
  | GatewayFailure;

export type Gateway = {
  /** Validates an address that a person entered (see `gatewayBaseUrl`). Makes no call and no DNS look-up. */
  readonly baseUrl: (text: string) => { url: string } | { problem: string };
  readonly status: (access: GatewayAccess) => Promise<StatusOutcome>;
  readonly disconnect: (access: GatewayAccess) => Promise<DisconnectOutcome>;
  readonly sendText: (access: GatewayAccess, text: GatewayText) => Promise<SendOutcome>;
  readonly sendMedia: (access: GatewayAccess, media: GatewayMediaFile) => Promise<SendOutcome>;
  /** `quickly` limits the timeout to `quickMs`, for a caller who waits. */
  readonly findByTrackId: (
    access: GatewayAccess,
    trackId: string,
    how?: { quickly?: boolean },
  ) => Promise<FindOutcome>;
  /** `quickly` limits the timeout to `quickMs`, for a check that makes several calls. */
  readonly readWebhook: (access: GatewayAccess, how?: { quickly?: boolean }) => Promise<WebhookOutcome>;
  readonly setWebhook: (access: GatewayAccess, settings: WebhookSettings) => Promise<WebhookOutcome>;
  /** Shows "typing…" to the contact for `ms`, or until a message is sent to them; 0 hides it. Ignores failures. */
  readonly showTyping: (access: GatewayAccess, typing: { number: string; ms: number }) => Promise<void>;
  /** Requests a link to a decrypted copy of a received file. The gateway offers a file for two days. */
  readonly downloadLink: (access: GatewayAccess, messageId: string) => Promise<DownloadOutcome>;
};

export type GatewayTimes = { readonly textMs: number; readonly mediaMs: number };
const usualTimes: GatewayTimes = { textMs: 20_000, mediaMs: 60_000 };
const quickMs = 5000;
/**
 * Maximum messages that a search returns. Chosen above one: other messages in the result show that an old build of the
 * gateway ignored the filter.
 */
const findLimit = 5;

/**
 * Creates the client.
 * @param times timeouts: `textMs` of an ordinary call, `mediaMs` of a call that transfers a file
 */
export function createGateway(http: PublicHttp, times: GatewayTimes = usualTimes): Gateway {
  const call = (access: GatewayAccess, request: GatewayRequest) =>
    callGateway(http, access, { timeoutMs: times.textMs, ...request });
  const within = (quickly: boolean) => (quickly ? { timeoutMs: Math.min(quickMs, times.textMs) } : {});
  const common = (send: GatewaySend) => ({
    number: send.number,
    ...(send.readChat ? { readchat: true } : {}),
    track_source: gatewayTrackSource,
    track_id: send.trackId,
  });
  const webhooks = (answer: Awaited<ReturnType<typeof call>>): WebhookOutcome => {
    const found = answer.kind === 'json' && answer.status < 300 ? readWebhooks(answer.body) : null;
    return found === null ? failureOf(answer) : { outcome: 'ok', webhooks: found };
  };

  return {
    baseUrl: (text) => gatewayBaseUrl(http, text),

    status: async (access) => {
      const answer = await call(access, { method: 'GET', path: '/instance/status' });
      if (answer.kind !== 'json' || answer.status >= 300) {
        return failureOf(answer);
      }
      const status = readStatus(answer.body);
      return status === null
        ? { outcome: 'not_a_gateway', status: answer.status }
        : { outcome: 'ok', ...status };
    },

    disconnect: async (access) => {
      const answer = await call(access, { method: 'POST', path: '/instance/disconnect' });
      const answered = answer.kind === 'json' || answer.kind === 'unreadable';
      return answered && answer.status >= 200 && answer.status < 300 ? { outcome: 'ok' } : failureOf(answer);
    },

    sendText: async (access, send) =>
      sendOutcomeOf(
        await call(access, {
          method: 'POST',
          path: '/send/text',
          body: { ...common(send), text: send.text },
          timeoutMs: times.textMs - (send.spentMs ?? 0),
          signal: send.signal,
        }),
      ),

    sendMedia: async (access, send) =>
      sendOutcomeOf(
        await call(access, {
          method: 'POST',
          path: '/send/media',
          body: {
            ...common(send),
            type: send.mediaType,
            file: send.file,
            mimetype: send.contentType,
            ...(send.filename === null ? {} : { docName: send.filename }),
            ...(send.caption === '' ? {} : { text: send.caption }),
          },
          timeoutMs: times.mediaMs - (send.spentMs ?? 0),
          signal: send.signal,
        }),
      ),

    findByTrackId: async (access, trackId, { quickly = false } = {}) => {
      const body = { track_source: gatewayTrackSource, track_id: trackId, limit: findLimit };
      const request = { method: 'POST', path: '/message/find', body } as const;
      const answer = await call(access, { ...request, ...within(quickly) });
      const messages =
        answer.kind === 'json' && answer.status === 200 ? readFoundMessages(answer.body) : null;
      if (messages === null) return { outcome: 'unavailable' };
      const ours = messages.find((one) => one.trackId === trackId);
      if (ours !== undefined) {
        const { messageId, status, error } = ours;
        return { outcome: 'found', messageId, status, error };
      }
      // If there are other messages, the gateway ignored the filter, so the response proves nothing.
      return { outcome: messages.length === 0 ? 'not_found' : 'unavailable' };
    },

    readWebhook: async (access, { quickly = false } = {}) => {
      return webhooks(await call(access, { method: 'GET', path: '/webhook', ...within(quickly) }));
    },

    setWebhook: async (access, settings) => {
      // The gateway's API has no field `method`, because the gateway always posts.
      const body = { ...settings, method: undefined };
      return webhooks(await call(access, { method: 'POST', path: '/webhook', body }));
    },

    showTyping: async (access, { number, ms }) => {
      const body = ms > 0 ? { number, presence: 'composing', delay: ms } : { number, presence: 'paused' };
      await call(access, { method: 'POST', path: '/message/presence', body });
    },

    downloadLink: async (access, messageId) => {
      const body = { id: messageId, return_link: true };
      const answer = await call(access, {
        method: 'POST',
        path: '/message/download',
        body,
        timeoutMs: times.mediaMs,
      });
      const answered = answer.kind === 'json' || answer.kind === 'unreadable';
      if (answered && (answer.status === 400 || answer.status === 404)) return { outcome: 'gone' };
      const link = answer.kind === 'json' && answer.status < 300 ? readDownload(answer.body) : null;
      return link === null ? failureOf(answer) : { outcome: 'ok', ...link };
    },
  };
}
