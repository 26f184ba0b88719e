/**
 * Parses the gateway's responses. Builds of the gateway differ, so unknown fields are ignored, and an optional field of
 * the wrong type counts as absent.
 */
import { z } from 'zod';
import { connectedNumber, isConnected } from '../../domain/whatsapp/gateway-status.ts';
import type { GatewayStatusFields } from '../../domain/whatsapp/gateway-status.ts';
import type { ReportedWebhook } from '../../domain/whatsapp/webhook-settings.ts';

const text = z.string().optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);

const statusBody = z.object({
  instance: z.object({ status: text, owner: text, lastDisconnectReason: text }).optional().catch(undefined),
  status: z
    .union([
      z.string(),
      z.object({
        connected: flag,
        jid: z
          .union([z.string(), z.object({ user: z.string() }).transform((jid) => jid.user)])
          .nullish()
          .catch(undefined),
      }),
    ])
    .optional()
    .catch(undefined),
  state: text,
  connected: flag,
  owner: text,
});

export type GatewayStatus = {
  readonly connected: boolean;
  /** The gateway's name for the session's state, in lower case; `unknown` if the response contains no state. */
  readonly status: string;
  /** The phone number, 8 to 15 digits; null if the session is not connected or the response has no valid number. */
  readonly number: string | null;
  readonly lastDisconnectReason: string | null;
};

/**
 * Reads the session's status.
 * @returns null if the body is not a gateway's status: it is not an object, or has neither `instance` nor `status`
 */
export function readStatus(body: unknown): GatewayStatus | null {
  const parsed = statusBody.safeParse(body);
  if (!parsed.success) return null;
  const { instance, status, state, connected, owner } = parsed.data;
  if (instance === undefined && status === undefined) return null;
  const details = typeof status === 'object' ? status : undefined;
  const word = [instance?.status, typeof status === 'string' ? status : undefined, state].find(
    (one) => one !== undefined && one.trim() !== '',
  );
  const fields: GatewayStatusFields = {
    status: word,
    connectedFlag: details?.connected ?? connected,
    owner: instance?.owner ?? owner,
    jid: details?.jid ?? undefined,
  };
  const live = isConnected(fields);
  const reason = instance?.lastDisconnectReason?.trim().slice(0, 500) ?? '';
  return {
    connected: live,
    status: word?.trim().toLowerCase().slice(0, 50) ?? 'unknown',
    number: connectedNumber(fields),
    lastDisconnectReason: reason === '' ? null : reason,
  };
}

const sentBody = z.object({
  messageid: text,
  id: text,
  key: z.object({ id: text }).optional().catch(undefined),
  messageId: text,
});

/**
 * Reads the id that the gateway has given to a message. The field `id` counts only in the form `owner:id`.
 * @returns null if the body contains no id
 */
export function readSentId(body: unknown): string | null {
  const parsed = sentBody.safeParse(body);
  if (!parsed.success) return null;
  const { messageid, id, key, messageId } = parsed.data;
  const afterOwner = id?.includes(':') === true ? id.slice(id.indexOf(':') + 1) : undefined;
  const found = [messageid, afterOwner, key?.id, messageId].find((one) => one !== undefined && one !== '');
  return found?.slice(0, 255) ?? null;
}

const webhook = z
  .object({
    url: text,
    method: text,
    enabled: flag,
    addUrlEvents: flag,
    AddUrlEvents: flag,
    addUrlTypesMessages: flag,
    AddUrlTypesMessages: flag,
    events: z.array(z.string()).optional().catch(undefined),
    excludeMessages: z.array(z.string()).optional().catch(undefined),
  })
  .transform(({ AddUrlEvents, AddUrlTypesMessages, ...one }): ReportedWebhook => ({
    ...one,
    addUrlEvents: one.addUrlEvents ?? AddUrlEvents,
    addUrlTypesMessages: one.addUrlTypesMessages ?? AddUrlTypesMessages,
  }));

/** Reads one webhook, or an array of at most 100 webhooks. @returns null for any other body */
export function readWebhooks(body: unknown): ReportedWebhook[] | null {
  const parsed = z.union([z.array(webhook).max(100), webhook.transform((one) => [one])]).safeParse(body);
  return parsed.success ? parsed.data : null;
}

const foundBody = z.object({
  messages: z
    .array(
      z.object({
        track_id: text,
        track_source: text,
        messageid: text,
        id: text,
        status: text,
        error: text,
      }),
    )
    .max(1000),
});

export interface FoundMessage {
  readonly trackId: string | undefined;
  readonly messageId: string | null;
  /** The message's state as the gateway names it, such as Delivered, at most 50 characters; null if it reports none. */
  readonly status: string | null;
  /** Why it was not delivered, at most 300 characters; null if the gateway gives no reason. */
  readonly error: string | null;
}

/** Reads the found messages. @returns null if the body contains no list of at most 1,000 messages */
export function readFoundMessages(body: unknown): FoundMessage[] | null {
  const parsed = foundBody.safeParse(body);
  if (!parsed.success) return null;
  return parsed.data.messages.map((one) => ({
    trackId: one.track_id,
    messageId: readSentId(one),
    status: one.status?.slice(0, 50) ?? null,
    error: one.error ? one.error.slice(0, 300) : null,
  }));
}

const downloadBody = z.object({ fileURL: z.url().max(4096), mimetype: text });

/**
 * Reads a file's URL and content type. `contentType` is null if the body does not contain it.
 * @returns null if the body has no valid URL of at most 4096 characters
 */
export function readDownload(body: unknown): { url: string; contentType: string | null } | null {
  const parsed = downloadBody.safeParse(body);
  if (!parsed.success) return null;
  return { url: parsed.data.fileURL, contentType: parsed.data.mimetype?.split(';')[0]?.trim() ?? null };
}

const errorBody = z.object({
  message_ptbr: text,
  provider_message_ptbr: text,
  error: text,
  message: text,
  provider_message: text,
  error_key: text,
  provider_code: z.coerce.number().optional().catch(undefined),
  details: z
    .object({ reachout_timelock: z.object({ until: text }).optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

export type GatewayErrorFacts = {
  /** The gateway's error message, at most 300 characters; `''` if it sent none. */
  readonly detail: string;
  /** True if WhatsApp forbids this number to start new chats. */
  readonly timelocked: boolean;
  /** When this restriction ends (epoch ms); null if the response does not contain a valid time. */
  readonly timelockUntilMs: number | null;
  readonly saysSessionDown: boolean;
};

const sessionDown =
  /no (active )?session|client not found|client is not connected|connection closed|not logged in/i;
const timelockCode = 463;

/** Reads an error response. If its form is unknown, `detail` is empty, the flags are false and the time is null. */
export function readError(body: unknown): GatewayErrorFacts {
  const parsed = errorBody.safeParse(body);
  const fields: z.infer<typeof errorBody> = parsed.success ? parsed.data : {};
  const texts = [
    fields.message_ptbr,
    fields.provider_message_ptbr,
    fields.error,
    fields.message,
    fields.provider_message,
  ].filter((one) => one !== undefined && one !== '');
  const until = Date.parse(fields.details?.reachout_timelock?.until ?? '');
  return {
    detail: texts[0]?.slice(0, 300) ?? '',
    timelocked: fields.error_key === 'WHATSAPP_REACHOUT_TIMELOCK' || fields.provider_code === timelockCode,
    timelockUntilMs: Number.isNaN(until) ? null : until,
    saysSessionDown: texts.some((one) => one !== undefined && sessionDown.test(one)),
  };
}
