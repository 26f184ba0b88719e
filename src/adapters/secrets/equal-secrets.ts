import { timingSafeEqual } from 'node:crypto';

/** Compares secrets in constant time. @returns false for different lengths, for which Node's function throws */
export function equalSecrets(given: Uint8Array, right: Uint8Array): boolean {
  return given.length === right.length && timingSafeEqual(given, right);
}
