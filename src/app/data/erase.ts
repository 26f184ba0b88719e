/** Erasing at a caller's word: noted first, then done within the call as far as it goes; a sweep does the rest. */
import { z } from 'zod';
import { carryOutErasure, type Eraser } from './carry-out-erasure.ts';
import { requestErasure, type ErasureRequest } from '../../adapters/postgres/data/erasures.ts';
import { PublicError } from '../../contract/errors.ts';
import type { Logger } from '../../log.ts';

/** Below the time after which the sweep takes it up. */
const budgetMs = 8000;

export const erasing = z
  .object({ status: z.literal('erasing').describe('It goes on without further calls') })
  .describe('There is more than one call can erase: it is noted, and done without further calls');

interface EraseDeps extends Pick<Eraser, 'db'> {
  conversations: Pick<Eraser, 'workflows'>;
  log: Logger;
}

/**
 * @returns true when every text is gone, false when that goes on
 * @throws PublicError not_found
 */
export async function erase(
  { db, conversations: { workflows }, log }: EraseDeps,
  request: ErasureRequest,
): Promise<boolean> {
  const erasure = await requestErasure(db, request);
  if (erasure === undefined) throw new PublicError('not_found');
  const end = performance.now() + budgetMs;
  try {
    return await carryOutErasure({ db, workflows }, erasure, () => performance.now() < end);
  } catch (err) {
    log.warn({ erasure_id: erasure.id, err }, 'an erasure goes on later');
    return false;
  }
}
