import { useQuery } from '@tanstack/react-query';
import type { Role } from '../../../contract/accounts/members.ts';
import { call } from '../../client.ts';

export function useRoles() {
  return useQuery({
    queryKey: ['roles'],
    queryFn: async () => (await call<{ data: Role[] }>('GET', '/roles')).data,
  });
}

export function roleChoices(roles: readonly Role[] | undefined): { value: string; label: string }[] {
  return (roles ?? []).map(({ id, name }) => ({ value: id, label: name }));
}
