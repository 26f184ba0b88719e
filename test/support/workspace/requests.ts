/** The record of all requests, for assertions: without tokens, codes and secrets. */
import type { Json, JsonObject } from './json.ts';

export interface RequestRecord {
  method: string;
  path: string;
  query: Record<string, string | string[]>;
  /** Lower-case names, without `authorization` and `cookie`. */
  headers: Record<string, string>;
  /** The bot user id behind the token; null when there is none. */
  connection: string | null;
  /** Parsed JSON; null when there was none or it was not JSON. Tokens and codes are `***`. */
  body: Json;
  bytes: number;
  /** The answered status; null while open and when no answer was sent. */
  status: number | null;
  /** The kind of the fault that met it. */
  fault: string | null;
}

const secrets = ['code', 'token', 'refresh_token', 'access_token', 'client_secret'];

export function redacted(path: string, body: Json): Json {
  if (!path.startsWith('/v1/oauth/') || typeof body !== 'object' || body === null || Array.isArray(body))
    return body;
  const entries = Object.entries(body).map(
    ([key, value]) => [key, secrets.includes(key) ? '***' : value] as const,
  );
  return Object.fromEntries(entries) satisfies JsonObject;
}

export function plainHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (['authorization', 'cookie'].includes(name) || value === undefined) continue;
    kept[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return kept;
}

export function plainQuery(query: URLSearchParams): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {};
  for (const name of new Set(query.keys())) {
    const values = query.getAll(name);
    kept[name] = values.length === 1 ? (values[0] ?? '') : values;
  }
  return kept;
}
