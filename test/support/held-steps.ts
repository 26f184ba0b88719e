/** Runs that begin and do not end while a test works. */
import pg from 'pg';
import type { Stack } from './stack.ts';

/**
 * Does the work while no step of any run on this stack can be recorded: runs begin, and their models answer, but what
 * they answer counts only afterwards. So a test need not be faster than a model. The work changes no conversation of
 * these runs: a step that waits to be recorded has locked its conversation.
 */
export async function withHeldSteps<T>(
  { databaseUrl }: Pick<Stack, 'databaseUrl'>,
  work: () => Promise<T>,
): Promise<T> {
  // A connection of its own, because those of the product end transactions that stay open.
  const holder = new pg.Client(databaseUrl);
  await holder.connect();
  try {
    await holder.query('begin; lock table run_steps in exclusive mode');
    return await work();
  } finally {
    await holder.end();
  }
}
