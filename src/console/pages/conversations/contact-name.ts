import type { ConversationRow } from '../../../contract/conversations/timeline.ts';
import { texts } from '../../messages.ts';

/** Returns the contact's name; their id if they have no name; "Unknown contact" without both. */
export function nameOf({ contact }: Pick<ConversationRow, 'contact'>): string {
  return contact?.name ?? contact?.id ?? texts.conversations.anonymous;
}
