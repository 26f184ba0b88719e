/** An authenticator app as RFC 6238 describes it: SHA-1, six digits, 30 seconds. */
import { createHmac } from 'node:crypto';
import { until } from './until.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Decodes base32 without padding. */
export function base32Bytes(base32: string): Buffer {
  const bits = Array.from(base32, (one) => letters.indexOf(one).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
}

/** @param secret in base32 @param steps of 30 seconds from now */
export function totpCode(secret: string, steps = 0): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const mac = createHmac('sha1', base32Bytes(secret)).update(counter).digest();
  const value = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(value % 1_000_000).padStart(6, '0');
}

/**
 * The code of the step before this one, which is accepted for at least five seconds: near the end of a step, waits for
 * the next one.
 */
export async function totpCodeBefore(secret: string): Promise<string> {
  await until('a step that does not end soon', () => Date.now() % 30_000 < 25_000);
  return totpCode(secret, -1);
}

/** A code that is wrong now, and in the steps beside now. */
export function wrongCode(secret: string): string {
  const right = [-2, -1, 0, 1, 2].map((steps) => totpCode(secret, steps));
  return ['000000', '000001', '000002', '000003', '000004', '000005'].find((one) => !right.includes(one))!;
}
