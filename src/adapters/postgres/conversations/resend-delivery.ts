import { v7 as newId } from 'uuid';
import { z } from 'zod';
import { channelName } from '../../../contract/conversations/channel-name.ts';
import { queryResult, resultRow, statement, type Database } from '../database.ts';

const resent = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('accepted'),
    id: z.uuid(),
    resend_of: z.uuid(),
    conversation_id: z.uuid(),
    agent_id: z.uuid(),
    channel: channelName,
  }),
  z.object({ outcome: z.enum(['not_found', 'not_a_callback', 'unfinished', 'too_many', 'replaced']) }),
]);

const resend = statement('resend-delivery', resultRow(resent))`
  select resend_delivery($1, $2, $3, $4) as result`;

/**
 * Writes a delivery that sends a callback again; the caller must nudge the conversation's workflow. Not idempotent, but
 * returns `unfinished` until the last resend has ended. `functions/resend_delivery.sql` documents each outcome.
 * @param id a UUID
 * @param maxResends how many times one callback may be sent again
 */
export async function resendDelivery(
  db: Database,
  organizationId: string,
  id: string,
  maxResends: number,
): Promise<z.infer<typeof resent>> {
  return await queryResult(db, resend, [organizationId, id, newId(), maxResends]);
}
