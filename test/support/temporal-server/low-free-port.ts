/** A free port that fits into 15 bits: Temporal's server keeps its members' ports in a smallint. */
import { probePort } from '../../../src/local/ports.ts';

const first = 20_000;
const count = 12_000;

/** @throws Error if none of many tries finds one */
export async function lowFreePort(): Promise<number> {
  for (let left = 200; left > 0; left--) {
    const port = first + Math.floor(Math.random() * count);
    if ((await probePort(port)) === 'free') return port;
  }
  throw new Error(`no free port from ${first} to ${first + count}`);
}
