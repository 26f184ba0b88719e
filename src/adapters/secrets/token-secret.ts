/** Makes and checks API token secrets: `pk_`, 32 random base-62 characters, and their CRC-32 in 6 characters. */
import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const form = /^pk_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;
const prefixLength = 11;

export interface TokenSecret {
  secret: string;
  prefix: string;
  hash: Buffer;
}

/** Makes a random secret, the prefix that lists show, and the hash that is stored. */
export function makeTokenSecret(): TokenSecret {
  const random = Array.from({ length: 32 }, () => digits.charAt(randomInt(62))).join('');
  const secret = `pk_${random}${checksum(random)}`;
  return { secret, prefix: secret.slice(0, prefixLength), hash: hashToken(secret) };
}

/** True if form and checksum are right. A mistyped secret is refused without a look-up in the database. */
export function isTokenForm(candidate: string): boolean {
  const [, random, sum] = form.exec(candidate) ?? [];
  return random !== undefined && checksum(random) === sum;
}

/** Returns the SHA-256 of a secret. */
export function hashToken(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

function checksum(random: string): string {
  let rest = crc32(random);
  let out = '';
  while (rest > 0) {
    out = digits.charAt(rest % 62) + out;
    rest = Math.floor(rest / 62);
  }
  return out.padStart(6, '0');
}
