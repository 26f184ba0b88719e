import { Avatar } from '@mantine/core';

/** Colours whose initials have enough contrast; see theme.ts. */
const colors = ['indigo', 'violet', 'grape', 'blue', 'green', 'orange'];

/**
 * Initials in a colour that follows from the name. Screen readers skip them, because the name is beside them.
 * @param props.isSquare true for the name of an organization or a service instead of a person
 */
export function NameAvatar(props: { name: string; size: number; isSquare?: boolean }) {
  const { name, size, isSquare = false } = props;
  return (
    <Avatar
      className="name-avatar"
      radius={isSquare ? 10 : 'xl'}
      size={size}
      color="initials"
      allowedInitialsColors={colors}
      name={name}
      aria-hidden
    />
  );
}
