import type { Member } from '../../contract/accounts/members.ts';
import { useCan, useSession } from '../shell/session.ts';
import { useList } from './queries.ts';

/**
 * Returns a function that returns the name of the person with an email: the user themself or, if the user may read the
 * list of members, any member of the organization. Otherwise the function returns undefined.
 */
export function useNameOf(): (email: string) => string | undefined {
  const { user } = useSession();
  const enabled = useCan()('members.manage');
  const { data: members = [] } = useList<Member>('members', '/members', { enabled });
  return (email) => [user, ...members].find((one) => one.email === email)?.name;
}
