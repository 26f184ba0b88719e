/** Compares secrets in a time that does not depend on where they differ. */
import { timingSafeEqual } from 'node:crypto';

/** False for other lengths, for which Node's own throws. */
export function equalSecrets(given: Uint8Array, right: Uint8Array): boolean {
  return given.length === right.length && timingSafeEqual(given, right);
}
