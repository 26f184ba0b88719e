/** Queries that several pages share. */
import {
  useInfiniteQuery,
  useQuery,
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryOptions,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query';
import type { Role } from '../../contract/accounts/members.ts';
import type { Agent } from '../../contract/conversations/agents.ts';
import type { Health } from '../../contract/data/health.ts';
import type { HttpTool } from '../../contract/http-tools/http-tools.ts';
import type { ModelSettings } from '../../contract/models/models.ts';
import type { DocsToolDefinition } from '../../contract/workspace/actions.ts';
import type { ToolConnection } from '../../contract/workspace/tools.ts';
import { call } from '../client.ts';

type Query = Record<string, string | number | undefined>;

type ReadOptions<T, Selected> = { query?: Query } & Omit<
  UseQueryOptions<T, Error, Selected>,
  'queryKey' | 'queryFn'
>;

/** Reads from a path, with the parameters in `query`. All other options are React Query's. */
export function useRead<T, Selected = T>(
  queryKey: QueryKey,
  path: string,
  options: ReadOptions<T, Selected> = {},
): UseQueryResult<Selected> {
  const { query = {}, ...others } = options;
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => call<T>('GET', path, { query, signal }),
    ...others,
  });
}

type Cursor = string | undefined;
type PagesOptions<P> = UseInfiniteQueryOptions<P, Error, InfiniteData<P, Cursor>, QueryKey, Cursor>;

/** Reads a list page by page. Each page contains the cursor of the next. */
export function usePages<P extends { next_cursor: string | null }>(
  queryKey: QueryKey,
  path: string,
  options: { query?: Query } & Omit<
    PagesOptions<P>,
    'queryKey' | 'queryFn' | 'initialPageParam' | 'getNextPageParam'
  > = {},
) {
  const { query = {}, ...others } = options;
  return useInfiniteQuery<P, Error, InfiniteData<P, Cursor>, QueryKey, Cursor>({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      call<P>('GET', path, { query: { ...query, cursor: pageParam }, signal }),
    initialPageParam: undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    ...others,
  });
}

interface ListOf<Row> {
  data: Row[];
}

/**
 * Reads the rows in `data` of the response.
 * @param key identifies the list in the cache; the cache does not distinguish parameters in `query`
 */
export const useList = <Row>(key: string, path: string, options: ReadOptions<ListOf<Row>, Row[]> = {}) =>
  useRead<ListOf<Row>, Row[]>([key], path, { select: ({ data }) => data, ...options });

/** The first hundred agents. Few organizations have more. */
export const useAgents = () => useList<Agent>('agents', '/agents', { query: { limit: 100 } });

/** The AI providers and the default model. */
export const useModels = () => useRead<ModelSettings>(['models'], '/models');

/** The problems and warnings that the member may see. Polled for the overview and the dots in the menu. */
export const useHealth = () => useRead<Health>(['health'], '/health', { refetchInterval: 10_000 });

/** Every action that an agent can be given. */
export const useTools = () =>
  useList<DocsToolDefinition>('tool-actions', '/tools/docs/actions', { staleTime: 300_000 });

/** The organization's HTTP tools, by name. */
export const useHttpTools = () => useList<HttpTool>('http-tools', '/tools/http');

/** The organization's workspaces, including those that nobody has authorized yet. */
export const useConnections = () => useList<ToolConnection>('connections', '/tools/docs/connections');

export const useRoles = () => useList<Role>('roles', '/roles');
