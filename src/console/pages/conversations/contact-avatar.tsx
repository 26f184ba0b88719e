/** Initials in a colour that follows from the name. Screen readers skip them, because the name is beside them. */
import { Avatar } from '@mantine/core';
import type { ConversationRow } from '../../../contract/conversations/timeline.ts';
import { nameOf } from './contact-name.ts';

/** Colours whose initials have enough contrast; see theme.ts. */
const colors = ['indigo', 'violet', 'grape', 'blue', 'green', 'orange'];

export function ContactAvatar({ of, size = 36 }: { of: Pick<ConversationRow, 'contact'>; size?: number }) {
  return <NameAvatar name={nameOf(of)} size={size} />;
}

export function NameAvatar({ name, size }: { name: string; size: number }) {
  return (
    <Avatar
      className="name-avatar"
      radius="xl"
      size={size}
      color="initials"
      allowedInitialsColors={colors}
      name={name}
      aria-hidden
    />
  );
}
