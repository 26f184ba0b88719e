import type { ConversationRow } from '../../../contract/conversations/timeline.ts';
import { texts } from '../../messages.ts';

/** @returns the contact's name; without a name, the contact's id; without both, "Unknown contact" */
export function nameOf({ contact }: Pick<ConversationRow, 'contact'>): string {
  return contact?.name ?? contact?.id ?? texts.conversations.anonymous;
}
