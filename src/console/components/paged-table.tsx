/** A list that loads page by page: its rows or an empty state, and the button that loads more. */
import { Button, Center } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from '../client.ts';
import { words } from '../messages.ts';
import { DataTable, type TableProps } from './data-table.tsx';
import { Loaded } from './loaded.tsx';

interface PageOf<T> {
  data: T[];
  next_cursor: string | null;
}

const firstPage: string | undefined = undefined;

export function PagedTable<Row>(
  props: Omit<TableProps<Row>, 'rows'> & { path: string; filters: Record<string, string | undefined> },
) {
  const { path, filters, ...table } = props;
  const query = useInfiniteQuery({
    queryKey: [path, filters],
    queryFn: ({ pageParam, signal }) =>
      call<PageOf<Row>>('GET', path, { query: { ...filters, limit: 30, cursor: pageParam }, signal }),
    initialPageParam: firstPage,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    refetchInterval: 10_000,
    // After a change of filter the old rows stay until the new ones have loaded.
    placeholderData: (before) => before,
  });
  return (
    <>
      <Loaded query={query}>
        {({ pages }) => <DataTable {...table} rows={pages.flatMap((page) => page.data)} />}
      </Loaded>
      {query.hasNextPage && (
        <Center>
          <Button
            variant="default"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {words.common.more}
          </Button>
        </Center>
      )}
    </>
  );
}
