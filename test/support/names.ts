/** Name servers and a hosts file with the names that a test sets. */
import type { Names } from '../../src/adapters/http/name-resolver.ts';

export function namesBy(resolve: (name: string) => Promise<readonly string[]>): Names {
  return { resolve, resolveBySystem: resolve };
}
