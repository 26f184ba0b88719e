/**
 * Erases data on request: first records the request, then erases for up to `budgetMs` within the call. The periodic
 * erasure (erase-due.ts) erases the rest.
 */
import { z } from 'zod';
import { carryOutErasure, type Eraser } from './carry-out-erasure.ts';
import type { OrganizationActor } from '../../adapters/postgres/accounts/audit-log.ts';
import { requestErasure, type ErasureRequest } from '../../adapters/postgres/data/erasures.ts';
import { orNotFound } from '../../contract/errors.ts';
import type { Logger } from '../../log.ts';

/**
 * Maximum milliseconds of the erasure within a call. Less than the 15 s after which the periodic erasure also begins
 * to erase the conversation or contact (request_erasure.sql). Chosen.
 */
const budgetMs = 8000;

export const erasing = z
  .object({ status: z.literal('erasing').describe('Erasure continues without further calls') })
  .describe(
    'There is more data than one call can erase. The request is recorded; Parley erases the rest without further calls',
  );

interface EraseDeps extends Pick<Eraser, 'db'> {
  conversations: Pick<Eraser, 'workflows'>;
  log: Logger;
}

/**
 * Records an erasure request in the actor's organization, with its audit event, and carries it out. A repeated call
 * continues with the rest and records another audit event.
 * @returns true if all texts are erased; false if the time ran out or an error was logged, in which case the periodic
 * erasure erases the rest
 * @throws PublicError not_found if the organization has no such data
 */
export async function erase(
  { db, conversations: { workflows }, log }: EraseDeps,
  actor: OrganizationActor,
  kind: ErasureRequest['kind'],
  key: string,
): Promise<boolean> {
  const erasure = orNotFound(
    await requestErasure(db, { organizationId: actor.organizationId, kind, key }, actor),
  );
  const end = performance.now() + budgetMs;
  try {
    return await carryOutErasure({ db, workflows }, erasure, () => performance.now() < end);
  } catch (err) {
    log.warn({ erasure_id: erasure.id, err }, 'an erasure failed and is continued later');
    return false;
  }
}
