/** Lists that several pages read. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Role } from '../../contract/accounts/members.ts';
import type { Agent } from '../../contract/conversations/agents.ts';
import type { ModelSettings } from '../../contract/models/models.ts';
import type { DocsToolDefinition } from '../../contract/workspace/actions.ts';
import { call } from '../client.ts';

interface Options {
  query?: Record<string, string | number>;
  refetchInterval?: number;
  staleTime?: number;
  enabled?: boolean;
}

/** Reads the rows in `data` of a path's response. @param key identifies the cached list; it does not include `query` */
export function useList<Row>(key: string, path: string, options: Options = {}): UseQueryResult<Row[]> {
  const { query = {}, ...timing } = options;
  return useQuery({
    queryKey: [key],
    queryFn: async () => (await call<{ data: Row[] }>('GET', path, { query })).data,
    ...timing,
  });
}

/** The first hundred agents; nearly every organization has fewer. */
export const useAgents = () => useList<Agent>('agents', '/agents', { query: { limit: 100 } });

/** The AI providers and the default model. */
export const useModels = () =>
  useQuery({ queryKey: ['models'], queryFn: () => call<ModelSettings>('GET', '/models') });

/** Every action that an agent can be given. */
export const useTools = () =>
  useList<DocsToolDefinition>('tool-actions', '/tools/docs/actions', { staleTime: 300_000 });

export const useRoles = () => useList<Role>('roles', '/roles');
