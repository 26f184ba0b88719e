import { Avatar } from '@mantine/core';

/** Colours whose initials have enough contrast; see theme.ts. */
const colors = ['indigo', 'violet', 'grape', 'blue', 'green', 'orange'];

/** Initials in a colour that follows from the name. Screen readers skip them, because the name is beside them. */
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
