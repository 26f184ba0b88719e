/** Queries that several pages share. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Role } from '../../contract/accounts/members.ts';
import type { Agent } from '../../contract/conversations/agents.ts';
import type { Health } from '../../contract/data/health.ts';
import type { HttpTool } from '../../contract/http-tools/http-tools.ts';
import type { ModelSettings } from '../../contract/models/models.ts';
import type { DocsToolDefinition } from '../../contract/workspace/actions.ts';
import type { ToolConnection } from '../../contract/workspace/tools.ts';
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

/** The problems and warnings that the member may see. Polled for the overview and the dots in the menu. */
export const useHealth = () =>
  useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => call<Health>('GET', '/health', { signal }),
    refetchInterval: 10_000,
  });

/** Every action that an agent can be given. */
export const useTools = () =>
  useList<DocsToolDefinition>('tool-actions', '/tools/docs/actions', { staleTime: 300_000 });

/** The organization's HTTP tools, by name. */
export const useHttpTools = () => useList<HttpTool>('http-tools', '/tools/http');

/** The organization's workspaces, including those that nobody has authorized yet. */
export const useConnections = () => useList<ToolConnection>('connections', '/tools/docs/connections');

export const useRoles = () => useList<Role>('roles', '/roles');
