/** A field for a role, and the role of a member in the table of members. */
import { Select, type SelectProps } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Member } from '../../../contract/accounts/members.ts';
import { call } from '../../client.ts';
import { useRoles } from '../../components/queries.ts';
import { TextLink } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { rightsText } from './role-rights.ts';

const t = texts.members;

export function RoleSelect(props: SelectProps) {
  const data = (useRoles().data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return <Select data={data} {...props} />;
}

/** Says in two lines what a role may do and see, all of it on hover. Links to the roles. */
function RoleRights({ id }: { id: string }) {
  const role = useRoles().data?.find((one) => one.id === id);
  if (role === undefined) return null;
  const rights = rightsText(role);
  return (
    <TextLink to="/roles" size="xs" c="dimmed" className="role-rights" title={rights}>
      {rights}
    </TextLink>
  );
}

/** The role of a member, which can be changed, and what it may do. */
export function RoleOf({ member }: { member: Member }) {
  const change = useMutation({
    mutationFn: (role_id: string) => call('PATCH', `/members/${member.id}`, { body: { role_id } }),
    meta: { refetches: [['members']], done: t.changed, notifiesError: true },
  });
  return (
    <>
      <RoleSelect
        aria-label={t.changeRoleOf(member.email)}
        value={member.role_id}
        onChange={(id) => {
          if (id !== null && id !== member.role_id) change.mutate(id);
        }}
        readOnly={change.isPending}
        size="xs"
        classNames={{ root: 'quiet-select', input: 'quiet-input' }}
      />
      <RoleRights id={member.role_id} />
    </>
  );
}
