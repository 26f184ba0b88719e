/** The avatar of a contact. */
import type { ConversationRow } from '../../../contract/conversations/timeline.ts';
import { NameAvatar } from '../../components/name-avatar.tsx';
import { nameOf } from './contact-name.ts';

export function ContactAvatar({ of, size = 36 }: { of: Pick<ConversationRow, 'contact'>; size?: number }) {
  return <NameAvatar name={nameOf(of)} size={size} />;
}
