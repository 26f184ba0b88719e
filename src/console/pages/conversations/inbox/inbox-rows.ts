/** Reads the inbox: its newest rows every second, and all loaded pages less often. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { call } from '../../../client.ts';
import { mergedRows, type InboxPage } from './merged-rows.ts';

export type InboxFilters = Record<
  'only' | 'agent_id' | 'channel' | 'active_from' | 'active_to' | 'search',
  string | undefined
>;

const rowsAtOnce = 30;
/** Polling interval of the newest rows, so that a new message is in the first row within 2 s. */
const newestMs = 1000;
/** Polling interval during a search, which reads more rows than a list does. */
const searchMs = 10_000;
const pagesMs = 15_000;

const firstPage: string | undefined = undefined;

export function useInboxRows(filters: InboxFilters) {
  const read = async (cursor: string | undefined, signal: AbortSignal) =>
    await call<InboxPage>('GET', '/conversations', {
      query: { ...filters, limit: rowsAtOnce, cursor },
      signal,
    });
  const newest = useQuery({
    queryKey: ['inbox', 'newest', filters],
    queryFn: ({ signal }) => read(undefined, signal),
    refetchInterval: filters.search === undefined ? newestMs : searchMs,
    staleTime: 0,
    // After the filter changes, the old rows stay until the new ones have loaded.
    placeholderData: (before) => before,
  });
  const isMore = typeof newest.data?.next_cursor === 'string' && !newest.isPlaceholderData;
  const pages = useInfiniteQuery({
    queryKey: ['inbox', 'pages', filters],
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: firstPage,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchInterval: pagesMs,
    enabled: isMore,
  });
  return {
    newest,
    rows: mergedRows(newest.data, isMore ? (pages.data?.pages ?? []) : []),
    hasMore: isMore && pages.hasNextPage,
    isLoadingMore: pages.isFetchingNextPage,
    loadMore: () => void pages.fetchNextPage(),
  };
}
