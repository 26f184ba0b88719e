/** The search, views and filters of the inbox. Their values are in the page's URL. */
import { Button, Collapse, Group, NativeSelect, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useRef } from 'react';
import { useSearchParams } from 'wouter';
import {
  AgentFilter,
  choicesOf,
  DayFilter,
  FilterLinks,
  FilterSelect,
  TextFilter,
  useFilter,
  useFilters,
  type Filters,
} from '../../../components/filters.tsx';
import { IconFilter, IconSearch } from '../../../components/icons.tsx';
import { useList } from '../../../components/queries.ts';
import { useWaitingConversations } from '../../../components/waiting-conversations.ts';
import { countedAmong } from '../../../../contract/conversations/waiting.ts';
import { texts } from '../../../messages.ts';

const t = texts.conversations;

/** Names, in the URL, of the filters that can be collapsed. `from` and `to` are days in the user's time zone. */
const folded = ['agent_id', 'channel', 'tool', 'from', 'to'] as const;

const filterNames = ['only', 'assignee', 'sort', 'agent_id', 'channel', 'tool', 'search'];

/** Reads the filters from the page's URL, with the API's names and times. Ignores a malformed day. */
export function useInboxFilters(): Filters {
  const { from, to, ...others } = useFilters(filterNames);
  return { ...others, active_from: from, active_to: to };
}

function Search() {
  const props = { 'aria-label': t.search, placeholder: t.searchHint, type: 'search', 'data-search': true };
  return <TextFilter name="search" flex={1} w="100%" leftSection={<IconSearch />} {...props} />;
}

/** @param hasMore true if the API has not counted all */
const countOf = (count = 0, hasMore = count === countedAmong): string | undefined =>
  count === 0 ? undefined : `${String(count)}${hasMore ? '+' : ''}`;

/** The search with the button of the filters, whose conversations are listed in which order, and in which state. */
export function InboxFilters() {
  const [params, change] = useSearchParams();
  const set = folded.filter((name) => params.has(name));
  const counts = useWaitingConversations().data;
  const [isOpen, { toggle }] = useDisclosure(set.length > 0);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <Group gap={6} wrap="nowrap">
        <Search />
        <Button
          ref={button}
          variant={set.length === 0 ? 'default' : 'light'}
          px={10}
          className="inbox-filter"
          leftSection={<IconFilter size={14} />}
          aria-expanded={isOpen}
          onClick={toggle}
        >
          {set.length === 0 ? t.filters : t.filtersSet(set.length)}
        </Button>
      </Group>
      <Group gap="xs" wrap="nowrap" justify="space-between" className="inbox-owners">
        <FilterLinks
          name="assignee"
          label={t.assignees}
          all={t.all}
          choices={t.assigneeViews}
          counts={{
            '': countOf(counts?.all),
            me: countOf(counts?.mine),
            nobody: countOf(counts?.unassigned, counts?.all === countedAmong),
          }}
        />
        <Order />
      </Group>
      <FilterLinks
        name="only"
        label={t.only}
        choices={t.views}
        counts={{ waiting: counts?.count, unread: counts?.unread }}
      />
      <Collapse expanded={isOpen}>
        <Stack gap="xs" pt={4}>
          <AgentFilter />
          <FilterSelect
            name="channel"
            label={t.channel}
            all={t.allChannels}
            choices={choicesOf(t.channels)}
          />
          <ToolFilter />
          <Group gap="xs" grow>
            <DayFilter name="from" label={t.from} />
            <DayFilter name="to" label={t.to} />
          </Group>
          {set.length > 0 && (
            <Button
              variant="subtle"
              size="compact-sm"
              onClick={() => {
                // The clicked button is removed.
                button.current?.focus();
                change((before) => {
                  const next = new URLSearchParams(before);
                  for (const name of folded) next.delete(name);
                  return next;
                });
              }}
            >
              {t.clearFilters}
            </Button>
          )}
        </Stack>
      </Collapse>
    </>
  );
}

/** Offers the tools that were called in conversations, and the one that the page's URL names. */
function ToolFilter() {
  const [tool] = useFilter('tool');
  const called = useList<string>('called-tools', '/called-tools').data ?? [];
  const names = tool === undefined || called.includes(tool) ? called : [...called, tool];
  const choices = names.map((value) => ({ value, label: value }));
  return <FilterSelect name="tool" label={t.tool} all={t.allTools} choices={choices} />;
}

/** A select of the order of the list. */
function Order() {
  const [sort, choose] = useFilter('sort');
  return (
    <NativeSelect
      aria-label={t.sort}
      variant="unstyled"
      size="xs"
      className="inbox-sort"
      data={choicesOf(t.sorts)}
      value={sort ?? 'latest'}
      onChange={({ currentTarget: { value } }) => choose(value === 'latest' ? undefined : value)}
    />
  );
}
