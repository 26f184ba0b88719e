/** A list that is read page by page, and the button that reads on. */
import { Button, Center } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from '../client.ts';
import { words } from '../words.ts';

interface PageOf<T> {
  data: T[];
  next_cursor: string | null;
}

const firstPage: string | undefined = undefined;

export function usePages<T>(path: string, filters: Record<string, string | undefined>) {
  const query = useInfiniteQuery({
    queryKey: [path, filters],
    queryFn: ({ pageParam, signal }) =>
      call<PageOf<T>>('GET', path, { query: { ...filters, limit: 30, cursor: pageParam }, signal }),
    initialPageParam: firstPage,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    refetchInterval: 10_000,
    // A changed filter keeps the rows in place until the new ones are there.
    placeholderData: (before) => before,
  });
  return { query, rows: query.data?.pages.flatMap((page) => page.data) };
}

export function More({ query }: { query: ReturnType<typeof usePages>['query'] }) {
  if (!query.hasNextPage) return null;
  return (
    <Center>
      <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {words.common.more}
      </Button>
    </Center>
  );
}
