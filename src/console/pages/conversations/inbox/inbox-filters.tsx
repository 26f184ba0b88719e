/** The search, views and filters of the inbox. Their values are in the page's URL. */
import { Button, Collapse, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import {
  AgentFilter,
  choicesOf,
  DayFilter,
  FilterSelect,
  TextFilter,
  useFilters,
  type Filters,
} from '../../../components/filters.tsx';
import { IconFilter, IconSearch } from '../../../components/icons.tsx';
import { texts } from '../../../messages.ts';

const t = texts.conversations;

/** Names, in the URL, of the filters that can be collapsed. `from` and `to` are days in the user's time zone. */
const folded = ['agent_id', 'channel', 'from', 'to'] as const;

/** Reads the filters from the page's URL, with the API's names and times. Ignores a malformed day. */
export function useInboxFilters(): Filters {
  const { from, to, ...others } = useFilters(['only', 'agent_id', 'channel', 'search']);
  return { ...others, active_from: from, active_to: to };
}

/** Links to the views of the list: all conversations, and the conversations in each state. */
export function Views() {
  const [path] = useLocation();
  const [params] = useSearchParams();
  const chosen = params.get('only');
  return (
    <nav aria-label={t.only} className="views">
      {Object.entries({ '': t.all, ...t.views }).map(([only, label]) => {
        const next = new URLSearchParams(params);
        next.delete('only');
        if (only !== '') next.set('only', only);
        return (
          <Link
            key={only}
            href={`${path}${next.size > 0 ? `?${next.toString()}` : ''}`}
            className="view"
            aria-current={(chosen ?? '') === only ? 'true' : undefined}
          >
            {label}
          </Link>
        );
      })}
    </nav>
  );
}

export function Search() {
  const props = { 'aria-label': t.search, placeholder: t.search, type: 'search', 'data-search': true };
  return <TextFilter name="search" w="100%" leftSection={<IconSearch />} {...props} />;
}

/** @param props.children shown before the button that opens the filters */
export function FoldedFilters({ children }: { children: ReactNode }) {
  const [params, change] = useSearchParams();
  const set = folded.filter((name) => params.has(name));
  const [isOpen, { toggle }] = useDisclosure(set.length > 0);
  return (
    <>
      <div className="inbox-views">
        {children}
        <Button
          variant="default"
          size="compact-xs"
          leftSection={<IconFilter size={14} />}
          aria-expanded={isOpen}
          onClick={toggle}
        >
          {set.length === 0 ? t.filters : t.filtersSet(set.length)}
        </Button>
        {set.length > 0 && (
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() =>
              change((before) => {
                const next = new URLSearchParams(before);
                for (const name of folded) next.delete(name);
                return next;
              })
            }
          >
            {t.clearFilters}
          </Button>
        )}
      </div>
      <Collapse expanded={isOpen}>
        <Stack gap="xs" pt={4}>
          <AgentFilter />
          <FilterSelect
            name="channel"
            label={t.channel}
            all={t.allChannels}
            choices={choicesOf(t.channels)}
          />
          <Group gap="xs" grow>
            <DayFilter name="from" label={t.from} />
            <DayFilter name="to" label={t.to} />
          </Group>
        </Stack>
      </Collapse>
    </>
  );
}
