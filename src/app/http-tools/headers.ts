/** Checks which headers an HTTP tool may have, and encrypts and decrypts their values. */
import { z } from 'zod';
import type { HttpToolKey, HttpToolRow } from '../../adapters/postgres/http-tools/http-tools.ts';
import type { Encryption, SecretPlace } from '../../adapters/secrets/encryption.ts';

/**
 * Names, in lower case, of headers that a tool cannot have, because they control the connection or the framing of a
 * request, or because Parley sets them.
 */
const reserved = new Set([
  'host',
  'connection',
  'content-length',
  'content-type',
  'transfer-encoding',
  'upgrade',
  'keep-alive',
  'te',
  'trailer',
  'expect',
  'accept-encoding',
  'proxy-authorization',
  'proxy-connection',
]);

/** @returns why a tool cannot have this header, as an error message; undefined if it can */
export function headerProblem(name: string): string | undefined {
  return reserved.has(name.toLowerCase()) ? 'is a header that Parley sets itself' : undefined;
}

const placeOf = ({ id, organization_id }: HttpToolKey): SecretPlace => ({
  organizationId: organization_id,
  table: 'http_tools',
  rowId: id,
  column: 'headers',
});

const stored = z.record(z.string(), z.string());

/**
 * Encrypts the values of a tool's headers together, for the tool's row.
 * @param headers the values by lower-case name
 * @returns the encrypted values; null if there are none
 */
export function sealHeaders(
  encryption: Encryption,
  headers: ReadonlyMap<string, string>,
  key: HttpToolKey,
): string | null {
  return headers.size === 0
    ? null
    : encryption.seal(JSON.stringify(Object.fromEntries(headers)), placeOf(key));
}

/**
 * @returns the decrypted values by lower-case name; an empty map if the tool has no headers or the values were lost
 * @throws Error if the values cannot be decrypted
 */
export function openHeaders(
  encryption: Encryption,
  row: HttpToolKey & Pick<HttpToolRow, 'headers'>,
): Map<string, string> {
  if (row.headers === null) return new Map();
  return new Map(Object.entries(stored.parse(JSON.parse(encryption.open(row.headers, placeOf(row))))));
}

/** True if a tool has headers whose values were lost with their encryption key. */
export const lostHeaders = ({
  headers,
  header_names,
}: Pick<HttpToolRow, 'headers' | 'header_names'>): boolean => headers === null && header_names.length > 0;
