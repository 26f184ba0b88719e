/** Tables that show given rows, a query's rows, or a list that loads page by page. */
import { Button, Center, Table, VisuallyHidden } from '@mantine/core';
import { keepPreviousData, type UseQueryResult } from '@tanstack/react-query';
import { Fragment, type MouseEvent, type ReactNode } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { texts } from '../messages.ts';
import { usePages, type PageOf } from './queries.ts';
import { Loaded } from './states.tsx';

export interface Column<Row> {
  label: string;
  render: (row: Row) => ReactNode;
  /** Aligns the column to the right, so that the digits of its numbers line up. */
  isFigure?: boolean;
  /** Omits the column, or its value in a row, from the cards of narrow screens, because a row's own page shows it. */
  isMinor?: boolean | ((row: Row) => boolean);
  /** On narrow screens, shows the column without its label in the corner of the card, for example a badge. */
  isStatus?: boolean;
  /** On narrow screens, shows the column on a line of its own below the name, without its label. */
  isBelowName?: boolean;
  /** On narrow screens, shows this text before the value instead of the label; it may be empty. */
  before?: string;
  /** The time of a log's entry. On narrow screens, it is below the status. */
  isTime?: boolean;
  /** Omits the column while a detail that shows it is beside the list; `if-narrow`: only below 1400 px. */
  isInDetail?: boolean | 'if-narrow';
  /** The first column has a name and texts below it. On narrow screens, only the name shares its line with the status. */
  hasTextBelow?: boolean;
}

interface TableProps<Row> {
  label: string;
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /**
   * On narrow screens, each row is a card. Its first line has the first column, the status and the icons of the actions.
   * The other columns share the next lines, each with its label before it.
   */
  columns: readonly Column<Row>[];
  actions?: ((row: Row) => ReactNode) | undefined;
  /** True if a column has a RowLink. A click elsewhere on the row then opens that link too (see `openLink`). */
  isLinked?: boolean;
  /** True if only screen readers read the column heads, because a table above with the same columns shows them. */
  isHeadHidden?: boolean;
  /** True for a table of few and short columns, which stays a table on narrow screens. */
  isSmall?: boolean;
  /** True for a log: its rows are one line high, and at most four lines on narrow screens, where they have no labels. */
  isLog?: boolean;
  /** Returns true for a row that is kept for the record only, such as a revoked token. */
  isMuted?: (row: Row) => boolean;
  /** Returns true for a row that adds up the others. */
  isTotal?: (row: Row) => boolean;
  /** Returns the row's group. A heading with this text is above the first row of each group. */
  groupOf?: (row: Row) => string;
  /** Shown instead of the table while there are no rows. */
  empty?: ReactNode;
}

export type ListProps<Row> = Omit<TableProps<Row>, 'rows' | 'rowKey'>;

/**
 * A table. On narrow screens, CSS shows each row as a card; the explicit roles keep it a table for screen readers.
 */
export function DataTable<Row>(props: TableProps<Row>) {
  const { label, rows, rowKey, columns, actions, groupOf, empty } = props;
  const { isHeadHidden, isLinked, isLog, isMuted, isSmall, isTotal } = props;
  if (rows.length === 0 && empty !== undefined) return empty;
  const groups = groupOf === undefined ? [] : rows.map(groupOf);
  return (
    <div className="panel">
      <Table
        aria-label={label}
        role="table"
        className="data-table"
        data-linked={isLinked}
        data-log={isLog}
        data-small={isSmall}
      >
        <Table.Thead role="rowgroup" data-hidden={isHeadHidden}>
          <Table.Tr role="row">
            {columns.map((column) => (
              <Table.Th
                key={column.label}
                role="columnheader"
                data-figure={column.isFigure}
                data-time={column.isTime}
                data-in-detail={column.isInDetail}
              >
                {isHeadHidden === true ? <VisuallyHidden>{column.label}</VisuallyHidden> : column.label}
              </Table.Th>
            ))}
            {actions && (
              <Table.Th role="columnheader" className="actions-head">
                {texts.common.actions}
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {rows.map((row, index) => (
            <Fragment key={rowKey(row)}>
              {groups[index] !== groups[index - 1] && (
                <Table.Tr role="row" className="table-group">
                  <Table.Th role="rowheader" scope="rowgroup" colSpan={columns.length + (actions ? 1 : 0)}>
                    {groups[index]}
                  </Table.Th>
                </Table.Tr>
              )}
              <Table.Tr
                role="row"
                data-muted={isMuted?.(row)}
                data-total={isTotal?.(row)}
                {...(isLinked === true && { onClick: openLink, onAuxClick: openLink })}
              >
                {columns.map((column) => (
                  <Table.Td
                    key={column.label}
                    role="cell"
                    data-label={column.label}
                    data-figure={column.isFigure}
                    data-minor={typeof column.isMinor === 'function' ? column.isMinor(row) : column.isMinor}
                    data-status={column.isStatus}
                    data-time={column.isTime}
                    data-below-name={column.isBelowName}
                    data-before={column.before}
                    data-in-detail={column.isInDetail}
                    data-text-below={column.hasTextBelow}
                  >
                    {inElement(column.render(row))}
                  </Table.Td>
                ))}
                {actions && (
                  <Table.Td role="cell" className="row-actions">
                    <div>{actions(row)}</div>
                  </Table.Td>
                )}
              </Table.Tr>
            </Fragment>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

/** Returns a text in an element, by which the cards of narrow screens recognize a cell with a value. */
const inElement = (value: ReactNode): ReactNode =>
  typeof value === 'string' || typeof value === 'number' ? <span>{value}</span> : value;

/**
 * Opens the row's link after a click on the row; in a new tab after a click with the middle button, Ctrl or
 * Command, as browsers do for links. Does nothing if the click was on a link, a button or a field, or in a dialog that
 * the row has opened, or if text is selected. Keyboard users focus the link directly.
 */
function openLink(event: MouseEvent<HTMLTableRowElement>): void {
  const { target, currentTarget, button } = event;
  // React also reports the clicks in a dialog of the row, which is elsewhere in the document.
  if (!(target instanceof Element) || !currentTarget.contains(target)) return;
  const isControl = target.closest('a, button, label, input') !== null;
  if (isControl || button === 2 || window.getSelection()?.toString() !== '') return;
  const link = currentTarget.querySelector<HTMLAnchorElement>('.row-link');
  if (link === null) return;
  if (button === 1 || event.ctrlKey || event.metaKey) window.open(link.href, '_blank', 'noopener');
  else link.click();
}

export const idOf = ({ id }: { id: string }) => id;

/** A table of a query's rows. Until the rows are loaded, shows that the query is loading or has failed. */
export function QueryTable<Row extends { id: string }>(
  props: ListProps<Row> & { query: UseQueryResult<Row[]> },
) {
  const { query, ...table } = props;
  return <Loaded query={query}>{(rows) => <DataTable {...table} rows={rows} rowKey={idOf} />}</Loaded>;
}

/** Reads the rows of a list page by page, and the loaded pages again every 10 s. */
export function usePagedRows<Row>(path: string, filters: Record<string, string | undefined>, limit = 30) {
  return usePages<PageOf<Row>>([path, filters], path, {
    query: { ...filters, limit },
    refetchInterval: 10_000,
    // When a filter changes, the old rows stay until the new ones are loaded.
    placeholderData: keepPreviousData,
  });
}

/** A table of a list that loads page by page, with a button that loads more. */
export function PagedTable<Row extends { id: string }>(
  props: ListProps<Row> & { path: string; filters?: Record<string, string | undefined>; limit?: number },
) {
  const { path, filters = {}, limit, ...table } = props;
  const query = usePagedRows<Row>(path, filters, limit);
  return (
    <>
      <Loaded query={query}>
        {({ pages }) => <DataTable {...table} rows={pages.flatMap(({ data }) => data)} rowKey={idOf} />}
      </Loaded>
      <More of={query} />
    </>
  );
}

/** A button that loads the next page of a list. Renders nothing if the last page is loaded. */
export function More(props: {
  of: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };
}) {
  const query = props.of;
  if (!query.hasNextPage) return null;
  return (
    <Center>
      <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {texts.common.more}
      </Button>
    </Center>
  );
}

/** Shows a row's name as a link to the row's page or detail, and marks the link of the row that is open. */
export function RowLink({ to, children }: { to: string; children: ReactNode }) {
  const [path] = useLocation();
  const search = useSearch();
  const isOpen = to === `${path}${search === '' ? '' : `?${search}`}`;
  return (
    <Link href={to} className="row-link" aria-current={isOpen || undefined}>
      {children}
    </Link>
  );
}
