/** Name servers and a hosts file that know what a test says. */
import type { Names } from '../../src/adapters/http/name-resolver.ts';

export function namesBy(resolve: (name: string) => Promise<readonly string[]>): Names {
  return { resolve, resolveBySystem: resolve };
}
