/** Polls the rows of the inbox: the first rows often (less often during a search), and all loaded pages every 15 s. */
import { keepPreviousData } from '@tanstack/react-query';
import type { Filters } from '../../../components/filters.tsx';
import { usePages, useRead } from '../../../components/queries.ts';
import { mergedRows, type InboxPage } from './merged-rows.ts';

const rowsAtOnce = 30;
/** Milliseconds between polls of the first rows. Chosen, so that a new message is in the first row within 2 s. */
const firstMs = 1000;
/** Milliseconds between polls during a search, which costs the database more than a list without search. Chosen. */
const searchMs = 10_000;
const pagesMs = 15_000;

export function useInboxRows(filters: Filters) {
  const query = { ...filters, limit: rowsAtOnce };
  const first = useRead<InboxPage>(['inbox', 'first', filters], '/conversations', {
    query,
    refetchInterval: filters['search'] === undefined ? firstMs : searchMs,
    staleTime: 0,
    // When a filter changes, the old rows stay until the new ones are loaded.
    placeholderData: keepPreviousData,
  });
  const isMore = typeof first.data?.next_cursor === 'string' && !first.isPlaceholderData;
  const pages = usePages<InboxPage>(['inbox', 'pages', filters], '/conversations', {
    query,
    refetchInterval: pagesMs,
    enabled: isMore,
  });
  return {
    first,
    rows: mergedRows(first.data, isMore ? (pages.data?.pages ?? []) : [], filters['sort']),
    hasMore: isMore && pages.hasNextPage,
    isLoadingMore: pages.isFetchingNextPage,
    loadMore: () => void pages.fetchNextPage(),
  };
}
