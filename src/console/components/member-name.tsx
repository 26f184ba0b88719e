/** Shows members by their names where only their email is recorded. */
import { Group } from '@mantine/core';
import type { Member } from '../../contract/accounts/members.ts';
import { useCan, useSession } from '../shell/session.ts';
import { NameAvatar } from './name-avatar.tsx';
import { useList } from './queries.ts';

export const useMembers = () =>
  useList<Member>('members', '/members', { enabled: useCan()('members.manage') });

/**
 * Returns a function that returns the name of the member with an email. Returns the email itself if it is the email of
 * no member, or if the user may not view the members and it is not the user's own.
 */
export function useMemberName(): (email: string) => string {
  const { user } = useSession();
  const { data: members = [] } = useMembers();
  return (email) => [user, ...members].find((one) => one.email === email)?.name ?? email;
}

/** A member's name behind their avatar. The email shows on hover. */
export function MemberName({ email }: { email: string }) {
  const name = useMemberName()(email);
  return (
    <Group gap={8} wrap="nowrap" title={email}>
      <NameAvatar name={name} size={22} />
      <span>{name}</span>
    </Group>
  );
}
