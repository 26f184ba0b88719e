/** Caps on credits. Parley makes a model call only if the call's maximum cost fits under every cap that applies. */
import { z } from 'zod';

const cap = (of: string) =>
  z.number().min(0).max(1e12).optional().describe(`Maximum credits of ${of}. Absent: no cap`);
const own = { day: cap('a day (UTC)'), month: cap('a calendar month (UTC)') };

export const tokenCaps = z
  .strictObject(own)
  .meta({ id: 'TokenCaps', description: 'Caps on the credits that calls with one token may cost' });

export const creditCaps = z
  .strictObject({
    ...own,
    contact_day: cap('each contact in a day (UTC)'),
    contact_month: cap('each contact in a calendar month (UTC)'),
    conversation_day: cap('each conversation in a day (UTC)'),
    conversation_month: cap('each conversation in a calendar month (UTC)'),
  })
  .meta({
    id: 'CreditCaps',
    description: 'Caps on credits. A model call whose most expensive outcome does not fit is not made',
    example: { day: 500, conversation_day: 20 },
  });
export type CreditCaps = z.infer<typeof creditCaps>;
