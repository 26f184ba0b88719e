/** Names of the organization's people, where only their emails are recorded. */
import type { Member } from '../../contract/accounts/members.ts';
import { useCan, useSession } from '../shell/session.ts';
import { useList } from './queries.ts';

/** The members of the organization, as far as the user may list them. */
export const useMembers = () =>
  useList<Member>('members', '/members', { enabled: useCan()('members.manage') });

/**
 * Returns a function that returns the name of the person with an email: the user themself or, if the user may list the
 * members, any member of the organization. Otherwise the function returns undefined.
 */
export function useNameOf(): (email: string) => string | undefined {
  const { user } = useSession();
  const { data: members = [] } = useMembers();
  return (email) => [user, ...members].find((one) => one.email === email)?.name;
}
