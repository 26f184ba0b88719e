import { timingSafeEqual } from 'node:crypto';

/** Compares secrets in constant time. @returns false also if the lengths differ, where `timingSafeEqual` would throw */
export function equalSecrets(given: Uint8Array, right: Uint8Array): boolean {
  return given.length === right.length && timingSafeEqual(given, right);
}
