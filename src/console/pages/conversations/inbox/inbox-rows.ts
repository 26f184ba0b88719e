/** Reads the inbox: its newest rows every second, and all loaded pages less often. */
import { keepPreviousData } from '@tanstack/react-query';
import type { Filters } from '../../../components/filters.tsx';
import { usePages, useRead } from '../../../components/queries.ts';
import { mergedRows, type InboxPage } from './merged-rows.ts';

const rowsAtOnce = 30;
/** Polling interval of the newest rows, so that a new message is in the first row within 2 s. */
const newestMs = 1000;
/** Polling interval during a search, which reads more rows than a list does. */
const searchMs = 10_000;
const pagesMs = 15_000;

export function useInboxRows(filters: Filters) {
  const query = { ...filters, limit: rowsAtOnce };
  const newest = useRead<InboxPage>(['inbox', 'newest', filters], '/conversations', {
    query,
    refetchInterval: filters['search'] === undefined ? newestMs : searchMs,
    staleTime: 0,
    // After the filter changes, the old rows stay until the new ones have loaded.
    placeholderData: keepPreviousData,
  });
  const isMore = typeof newest.data?.next_cursor === 'string' && !newest.isPlaceholderData;
  const pages = usePages<InboxPage>(['inbox', 'pages', filters], '/conversations', {
    query,
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
