/** Measures the memory of conversations that wait for their user. */
import { setTimeout as sleep } from 'node:timers/promises';
import { burst, type Callbacks } from './load.ts';
import { residentBytes } from './process-cost.ts';
import type { Product } from './product-stack.ts';

export interface IdleGrowth {
  conversations: number;
  /** Memory of the API and the workers together. */
  before: number;
  after: number;
  byProcess: Record<string, number>;
  /** A conversation. */
  bytes: number;
}

const restMs = 3000;

/** One turn in each of so many new conversations; then they idle. */
export async function growthOfIdle(
  product: Product,
  callbacks: Callbacks,
  options: { agentId: string; conversations: number; name: string },
): Promise<IdleGrowth> {
  const { agentId, conversations, name } = options;
  const resident = async () => {
    await sleep(restMs);
    return Object.entries(product.pids).map(([program, pid]) => [program, residentBytes(pid)] as const);
  };
  const total = (bytes: (readonly [string, number])[]) => bytes.reduce((sum, [, one]) => sum + one, 0);
  const before = total(await resident());
  await burst({ send: product.to(agentId) }, callbacks, {
    turns: conversations,
    inFlight: 40,
    conversations,
    name,
  });
  const readings = await resident();
  const after = total(readings);
  return {
    ...{ conversations, before, after, byProcess: Object.fromEntries(readings) },
    bytes: (after - before) / conversations,
  };
}
