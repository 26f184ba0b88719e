/**
 * A list that loads page by page, and the detail of the row that the URL names. Wide screens show the detail beside the
 * list, which stays usable; narrow screens show the detail over the list, as a dialog.
 */
import { ActionIcon, CloseButton, Group, Overlay, Title, VisuallyHidden } from '@mantine/core';
import { useFocusTrap, useHotkeys, useMediaQuery, useMergedRef } from '@mantine/hooks';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useId, useRef, type ReactNode, type RefObject } from 'react';
import { useLocation, useParams, useSearch } from 'wouter';
import { texts } from '../messages.ts';
import type { Filters } from './filters.tsx';
import { IconChevronDown, IconChevronUp } from './icons.tsx';
import { idle, Loaded } from './states.tsx';
import { DataTable, idOf, More, usePagedRows, type Column, type ListProps } from './table.tsx';

const t = texts.common;
/** Screens that are wide enough for a list and a detail. styles/logs.css contains the same width. */
const besideList = '(min-width: 1200px)';
/** Below Mantine's dialogs, such as the search, which begin at 200. */
const zIndex = 190;

interface Detail<Row> {
  /** Names the kind of row, for example "Delivery". */
  name: string;
  /** The heading of a loaded detail. */
  titleOf: (row: Row) => ReactNode;
  /** Reads the row. `listed` is the row as the list has it; undefined if the list has not loaded it. */
  useRow: (id: string, listed: Row | undefined) => UseQueryResult<Row>;
  render: (row: Row) => ReactNode;
}

/**
 * @param props.path path of the page and of the list in the console's API; the path of a detail ends with the row's id
 * @param props.columns returns the columns; one of them has a RowLink to `hrefOf(id)`
 */
export function ListDetail<Row extends { id: string }>(
  props: Omit<ListProps<Row>, 'columns' | 'isLinked' | 'isLog'> & {
    path: string;
    filters: Filters;
    columns: (hrefOf: (id: string) => string) => readonly Column<Row>[];
    detail: Detail<Row>;
  },
) {
  const { path, filters, columns, detail, ...table } = props;
  const { id } = useParams<{ id?: string }>();
  const search = useSearch();
  const [, navigate] = useLocation();
  const query = usePagedRows<Row>(path, filters);
  const rows = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const at = rows.findIndex((row) => row.id === id);
  const suffix = search === '' ? '' : `?${search}`;
  const hrefOf = (one: string) => `${path}/${one}${suffix}`;
  const opening = (row: Row | undefined) => row && (() => navigate(hrefOf(row.id)));
  const root = useRef<HTMLDivElement>(null);
  useFocusOnChange(id, path, root);
  return (
    <div className="list-detail" ref={root} data-open={id !== undefined || undefined}>
      <div className="list-detail-rows" tabIndex={-1}>
        <Loaded query={query}>
          {() => <DataTable {...table} rows={rows} rowKey={idOf} columns={columns(hrefOf)} isLinked isLog />}
        </Loaded>
        <More of={query} />
      </div>
      {id !== undefined && (
        <Opened
          id={id}
          listed={rows[at]}
          detail={detail}
          previous={opening(rows[at - 1])}
          next={at === -1 ? undefined : opening(rows[at + 1])}
          close={() => navigate(`${path}${suffix}`)}
        />
      )}
    </div>
  );
}

function Opened<Row>(props: {
  id: string;
  listed: Row | undefined;
  detail: Detail<Row>;
  /** Opens the row above; undefined if there is none. */
  previous: (() => void) | undefined;
  next: (() => void) | undefined;
  close: () => void;
}) {
  const { id, listed, detail, previous, next, close } = props;
  const query = detail.useRow(id, listed);
  const heading = useId();
  const isOver = !useMediaQuery(besideList, undefined, { getInitialValueInEffect: false });
  const pane = useRef<HTMLElement>(null);
  const ref = useMergedRef(pane, useFocusTrap(isOver));
  const closeUnlessElsewhere = ({ target }: KeyboardEvent) => {
    // In a menu or another dialog, Escape closes that.
    const other = target instanceof Element ? target.closest('[role=menu], [role=dialog]') : null;
    if (other === null || other === pane.current) close();
  };
  useHotkeys([['Escape', closeUnlessElsewhere, { preventDefault: false }]]);
  return (
    <>
      {isOver && <Overlay fixed zIndex={zIndex} onClick={close} />}
      <section
        ref={ref}
        className="detail"
        style={{ zIndex: isOver ? zIndex : undefined }}
        aria-labelledby={heading}
        {...(isOver && { role: 'dialog', 'aria-modal': true })}
      >
        <Group className="detail-head" justify="space-between" gap="sm" wrap="nowrap">
          <Title order={2} size="h4" id={heading} tabIndex={-1} data-autofocus>
            {query.data === undefined ? (
              detail.name
            ) : (
              <>
                <VisuallyHidden>{detail.name}: </VisuallyHidden>
                {detail.titleOf(query.data)}
              </>
            )}
          </Title>
          <Group gap={4} wrap="nowrap">
            <ToRow label={t.previousRow} icon={<IconChevronUp size={18} />} open={previous} />
            <ToRow label={t.nextRow} icon={<IconChevronDown size={18} />} open={next} />
            <CloseButton aria-label={t.close} onClick={close} />
          </Group>
        </Group>
        <div className="detail-body">
          <Loaded query={query}>{detail.render}</Loaded>
        </div>
      </section>
    </>
  );
}

/**
 * Shows the beginning of a detail when a row is opened, and focuses its heading, unless the focus is in the detail.
 * Focuses the row's link when the detail is closed. Does nothing when the page opens with a detail, because the page then
 * gets the focus.
 */
function useFocusOnChange(id: string | undefined, path: string, root: RefObject<HTMLElement | null>): void {
  const opened = useRef(id);
  useEffect(() => {
    const before = opened.current;
    opened.current = id;
    if (before === id) return;
    const find = (selector: string) => root.current?.querySelector<HTMLElement>(selector);
    if (id === undefined)
      (find(`.row-link[href^="${path}/${before ?? ''}"]`) ?? find('.list-detail-rows'))?.focus();
    find('.detail')?.scrollTo(0, 0);
    if (id !== undefined && find('.detail')?.contains(document.activeElement) !== true)
      find('.detail [data-autofocus]')?.focus({ preventScroll: true });
  }, [id, path, root]);
}

/** A button that opens the row above or below. Keeps the focus if there is no further row. */
function ToRow(props: { label: string; icon: ReactNode; open: (() => void) | undefined }) {
  const { label, icon, open } = props;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      title={label}
      {...(open === undefined ? idle : { onClick: open })}
    >
      {icon}
    </ActionIcon>
  );
}
