import { Avatar } from '@mantine/core';
import type { ConversationRow } from '../../../contract/conversations/timeline.ts';
import { nameOf } from './contact-name.ts';

/** Colours whose initials have enough contrast; see theme.ts. */
const colors = ['indigo', 'violet', 'grape', 'blue', 'green', 'orange'];

/** The contact's initials, in a colour that follows from the name. Screen readers skip it, because the name follows. */
export function ContactAvatar({ of, size = 36 }: { of: Pick<ConversationRow, 'contact'>; size?: number }) {
  return (
    <Avatar
      className="contact-avatar"
      radius="xl"
      size={size}
      color="initials"
      allowedInitialsColors={colors}
      name={nameOf(of)}
      aria-hidden
    />
  );
}
