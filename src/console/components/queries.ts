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
import { maxOverviewAgents } from '../../contract/data/limits.ts';
import type { Overview } from '../../contract/data/overview.ts';
import type { HttpTool } from '../../contract/http-tools/http-tools.ts';
import type { McpServer } from '../../contract/mcp-servers/mcp-servers.ts';
import type { ModelSettings } from '../../contract/models/models.ts';
import type { AgentChannel } from '../../contract/whatsapp/agent-channel.ts';
import type { DocsToolDefinition } from '../../contract/workspace/actions.ts';
import type { ToolConnection } from '../../contract/workspace/tools.ts';
import { call } from '../client.ts';

type Query = Record<string, string | number | undefined>;

type ReadOptions<T, Selected> = { query?: Query } & Omit<
  UseQueryOptions<T, Error, Selected>,
  'queryKey' | 'queryFn'
>;

/** Reads a path of the console's API. `options.query` has the URL parameters. All other options are React Query's. */
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

/** Reads a list page by page, with the cursor that each page contains. The options are as for `useRead`. */
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

export interface PageOf<Row> extends ListOf<Row> {
  next_cursor: string | null;
}

/**
 * Reads a list without paging: the rows in `data` of the response.
 * @param key identifies the list in the cache. Lists that differ only in `query` need different keys.
 */
export const useList = <Row>(key: string, path: string, options: ReadOptions<ListOf<Row>, Row[]> = {}) =>
  useRead<ListOf<Row>, Row[]>([key], path, { select: ({ data }) => data, ...options });

/** Reads the first 100 agents, the most that the API returns in one page. */
export const useAgents = () => useList<Agent>('agents', '/agents', { query: { limit: 100 } });

/** Reads the state of each agent's WhatsApp channel. Agents without a channel are not in the list. */
export const useAgentChannels = () =>
  useList<AgentChannel>('agent-channels', '/channels', { refetchInterval: 30_000 });

/**
 * Reads an agent's messages and failed answers of the last 7 days.
 * @returns undefined until they are read; `none` without activity; `unlisted` if the agent is perhaps not among the
 * organization's `maxOverviewAgents` busiest, whose figures alone are read
 */
export function useAgentWeek(agentId: string): Overview['agents'][number] | 'none' | 'unlisted' | undefined {
  const { data } = useRead<Overview>(['overview', '7'], '/overview', {
    query: { days: '7' },
    refetchInterval: 30_000,
  });
  if (data === undefined) return undefined;
  const found = data.agents.find(({ agent_id }) => agent_id === agentId);
  return found ?? (data.agents.length === maxOverviewAgents ? 'unlisted' : 'none');
}

/**
 * Reads a whole list, 100 rows at a time: the most that the API returns at once.
 * @param maxPages maximum number of requests; rows beyond them are left out
 */
export const useWholeList = <Row>(queryKey: QueryKey, path: string, maxPages = Infinity) =>
  useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const all: Row[] = [];
      let cursor: Cursor;
      for (let page = 0; page < maxPages; page += 1) {
        const { data, next_cursor } = await call<PageOf<Row>>('GET', path, {
          query: { limit: 100, cursor },
          signal,
        });
        all.push(...data);
        if (next_cursor === null) break;
        cursor = next_cursor;
      }
      return all;
    },
  });

/** Maximum number of agents that `useAllAgents` reads. Chosen: 20 requests. */
export const maxAgentsRead = 2000;

/** Reads all agents; at most `maxAgentsRead`. */
export const useAllAgents = () => useWholeList<Agent>(['agents', 'all'], '/agents', maxAgentsRead / 100);

/** Reads the AI providers and the default model. */
export const useModels = () => useRead<ModelSettings>(['models'], '/models');

/** Polls, every 10 s, the problems and warnings that the member may see, for the overview and the dots in the menu. */
export const useHealth = () => useRead<Health>(['health'], '/health', { refetchInterval: 10_000 });

/** Reads every workspace action that an agent can have as a tool. */
export const useTools = () =>
  useList<DocsToolDefinition>('tool-actions', '/tools/docs/actions', { staleTime: 300_000 });

/** Reads the organization's HTTP tools, sorted by name. */
export const useHttpTools = () => useList<HttpTool>('http-tools', '/tools/http');

/** Reads the organization's MCP servers, each with the tools that agents can call. */
export const useMcpServers = () => useList<McpServer>('mcp-servers', '/tools/mcp');

/** Reads the organization's connections to document workspaces, including those that wait for a user's consent. */
export const useConnections = () => useList<ToolConnection>('connections', '/tools/docs/connections');

export const useRoles = () => useList<Role>('roles', '/roles');
