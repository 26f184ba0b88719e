/** The console session: the signed-in user, their organization and their capabilities. */
import { useQueryClient } from '@tanstack/react-query';
import { createContext, use } from 'react';
import type { Capability } from '../../contract/accounts/capabilities.ts';
import type { ConsoleSession } from '../../contract/accounts/session.ts';
import { useRead } from '../components/queries.ts';

export const SessionContext = createContext<ConsoleSession | undefined>(undefined);

const sessionKey = ['session'];

export const useSessionQuery = () =>
  useRead<{ session: ConsoleSession | null }, ConsoleSession | null>(sessionKey, '/session', {
    select: ({ session }) => session,
    staleTime: 30_000,
    refetchInterval: 60_000,
  });

/** @returns a function that removes the cached data of the previous session, and reads the session again */
export function useSessionChanged(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
    await queries.invalidateQueries({ queryKey: sessionKey });
  };
}

/** Returns the session of the signed-in user. @throws Error outside `SessionContext`, such as on the sign-in page */
export function useSession(): ConsoleSession {
  const session = use(SessionContext);
  if (session === undefined) throw new Error('no session here');
  return session;
}

export function useCan(): (capability: Capability) => boolean {
  const { capabilities } = useSession();
  return (capability) => capabilities.includes(capability);
}
