/** What a console user reads and changes of their own account: the name and the sessions. */
import { z } from 'zod';
import { timestamp } from '../page.ts';
import { personName } from './session.ts';

export const accountForm = z.strictObject({ name: personName });

export const ownSession = z.object({
  id: z.uuid().describe('Identifies the session. It is not the secret in the session’s cookie'),
  browser: z.string().nullable().describe('Null if it is unknown'),
  system: z.string().nullable().describe('The operating system; null if it is unknown'),
  is_current: z.boolean().describe('True for the session that makes this request'),
  created_at: timestamp,
  last_seen_at: timestamp.describe('The session was last used then, or up to 10 minutes later'),
});
export type OwnSession = z.infer<typeof ownSession>;

export const ownSessions = z.object({
  data: z.array(ownSession).describe('The current session, then the one that was used last'),
  has_more: z.boolean().describe('True if the user has more sessions than are listed'),
});
export type OwnSessions = z.infer<typeof ownSessions>;
