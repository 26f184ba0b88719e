import { timingSafeEqual } from 'node:crypto';

/** Compares secrets in constant time. Secrets of different lengths are unequal; `timingSafeEqual` alone would throw. */
export function equalSecrets(given: Uint8Array, right: Uint8Array): boolean {
  return given.length === right.length && timingSafeEqual(given, right);
}
