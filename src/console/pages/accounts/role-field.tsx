import { Select, type SelectProps } from '@mantine/core';
import { words } from '../../messages.ts';
import { roleChoices, useRoles } from './use-roles.ts';

/** A field to choose a role. */
export function RoleField(props: SelectProps) {
  const roles = useRoles();
  return (
    <Select
      label={words.members.role}
      required
      withAsterisk={false}
      data={roleChoices(roles.data)}
      allowDeselect={false}
      {...props}
    />
  );
}
