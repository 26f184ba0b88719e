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
import { countedAmong } from '../../../../contract/conversations/limits.ts';
import { texts } from '../../../messages.ts';

const t = texts.conversations;

const oldestFirst = { value: 'oldest', label: t.sorts.oldest };

/** Names, in the URL, of the filters that can be collapsed. `from` and `to` are days in the user's time zone. */
const folded = ['sort', 'agent_id', 'channel', 'tool', 'from', 'to'] as const;

const filterNames = ['only', 'assignee', 'sort', 'agent_id', 'channel', 'tool', 'search'];

/** Reads the filters from the page's URL, with the API's names and times. Ignores a malformed day. */
export function useInboxFilters(): Filters {
  const { from, to, ...others } = useFilters(filterNames);
  const [status] = useStatus();
  return {
    ...others,
    status: status === 'open' || status === 'done' ? status : undefined,
    active_from: from,
    active_to: to,
  };
}

type Status = keyof typeof t.statuses;
const isStatus = (value: string): value is Status => value in t.statuses;

/** Names, in the URL, of the filters with which people look for conversations that may be done. */
const looking = ['search', 'tool', 'from', 'to'] as const;

/**
 * Reads and sets the status of the listed conversations. Without one in the URL, these are the open ones; with one of the
 * filters `looking`, and among those that wait, all.
 */
function useStatus(): [Status, (status: string) => void] {
  const [params, change] = useSearchParams();
  const only = params.get('only') ?? '';
  const given = only === 'test' || only === 'paused' ? only : params.get('status');
  const isLooking = looking.some((name) => params.has(name));
  const standard = isLooking || only === 'waiting' || only === 'approval' ? 'all' : 'open';
  const choose = (chosen: string) =>
    change((before) => {
      const next = new URLSearchParams(before);
      next.delete('status');
      if (isStatus(only)) next.delete('only');
      if (chosen === 'test' || chosen === 'paused') next.set('only', chosen);
      else if (chosen !== 'open' || standard !== 'open') next.set('status', chosen);
      return next;
    });
  return [given !== null && isStatus(given) ? given : standard, choose];
}

function Search() {
  const props = { 'aria-label': t.search, placeholder: t.searchHint, type: 'search', 'data-search': true };
  return <TextFilter name="search" flex={1} w="100%" leftSection={<IconSearch />} {...props} />;
}

/** @param hasMore true if the API has not counted all */
const countOf = (count = 0, hasMore = count === countedAmong): string | undefined =>
  count === 0 ? undefined : `${String(count)}${hasMore ? '+' : ''}`;

/** The search with the button of the filters, whose conversations are listed, and in which state. */
export function InboxFilters() {
  const [params, change] = useSearchParams();
  const set = folded.filter((name) => params.has(name));
  const counts = useWaitingConversations().data;
  const [status, choose] = useStatus();
  const open = status === 'open' ? counts : undefined;
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
            '': countOf(open?.all),
            me: countOf(open?.mine),
            nobody: countOf(open?.unassigned, open?.all === countedAmong),
          }}
        />
        <NativeSelect
          aria-label={t.status}
          variant="unstyled"
          size="xs"
          className="inbox-status"
          data={choicesOf(t.statuses)}
          value={status}
          onChange={({ currentTarget: { value } }) => choose(value)}
        />
      </Group>
      <FilterLinks
        name="only"
        label={t.only}
        choices={t.views}
        counts={{
          waiting: counts?.count,
          approval: countOf(counts?.approval),
          unread: counts?.unread,
          failed: open?.failed,
        }}
      />
      <Collapse expanded={isOpen}>
        <Stack gap="xs" pt={4}>
          <FilterSelect name="sort" label={t.sort} all={t.sorts.latest} choices={[oldestFirst]} />
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
