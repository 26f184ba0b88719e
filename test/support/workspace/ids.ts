/** Ids shaped as the real ones are: dashed, lower case, most of them not version 4. */
import { randomBytes, randomUUID } from 'node:crypto';
import { shouldBe } from './errors.ts';
import type { Json } from './json.ts';

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[1-8][0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i;
const nil = /^[0-]+$/;

/** Version 8 with the prefix that objects of one workspace share, e.g. `38c9ce7b-60a4-81fe-a666-c29fb77166b6`. */
export function newObjectId(): string {
  const hex = randomBytes(10).toString('hex');
  return `38c9ce7b-60a4-81${hex.slice(0, 2)}-a${hex.slice(2, 5)}-${hex.slice(5, 17)}`;
}

export function newRandomId(): string {
  return randomUUID();
}

/** Four characters, percent-encoded, as property ids are: `WsW%7B`. */
export function newPropertyId(): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_{}|;:<>=?@[]^`~';
  const bytes = randomBytes(4);
  let id = '';
  for (const byte of bytes) id += alphabet.charAt(byte % alphabet.length);
  return encodeURIComponent(id);
}

export function isUuid(value: string): boolean {
  return uuid.test(value) || (nil.test(value) && value.replaceAll('-', '').length === 32);
}

export function dashed(id: string): string {
  const hex = id.replaceAll('-', '').toLowerCase();
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** @throws ApiError `… should be a valid uuid …` */
export function requireId(value: Json | undefined, path: string, optional = false): string {
  if (typeof value !== 'string' || !isUuid(value)) {
    throw shouldBe(path, optional ? 'a valid uuid or `undefined`' : 'a valid uuid', value);
  }
  return dashed(value);
}
