/** The command palette: finds pages and agents by name, and conversations by contact or message. */
import '@mantine/spotlight/styles.css';
import {
  Spotlight,
  spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
} from '@mantine/spotlight';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState, type KeyboardEvent } from 'react';
import { useLocation } from 'wouter';
import type { ConversationRow } from '../../contract/conversations/timeline.ts';
import { IconMessages, IconRobot, IconSearch, IconUser } from '../components/icons.tsx';
import { useAgents, useRead } from '../components/queries.ts';
import { texts } from '../messages.ts';
import { nameOf } from '../pages/conversations/contact-name.ts';
import { useMayOpen } from './may-open.ts';
import { menuGroups, type MenuEntry } from './navigation.tsx';

const t = texts.palette;
const minSearchChars = 2;
const maxFound = 6;
const icon = { size: 18, stroke: 1.7 };

/** @param requests how often the user has requested the palette. It opens at the first render and at each change. */
export function Palette({ requests }: { requests: number }) {
  useEffect(() => spotlight.open(), [requests]);
  const [query, setQuery] = useState('');
  const groups = useFound(query.trim());
  return (
    <Spotlight
      actions={groups}
      // Filters nothing, because useFound has already filtered the entries.
      filter={(_query, actions) => actions}
      query={query}
      onQueryChange={setQuery}
      // The frame handles the shortcut, because this code loads only when the palette is first opened.
      shortcut={null}
      nothingFound={t.nothing}
      highlightQuery
      scrollable
      centered={false}
      overlayProps={{ backgroundOpacity: 0.35, blur: 2 }}
      attributes={{ content: { 'aria-label': t.title } }}
      searchProps={{
        leftSection: <IconSearch {...icon} />,
        placeholder: t.placeholder,
        'aria-label': t.title,
        onKeyDown: openFirst,
      }}
    />
  );
}

/**
 * Opens the first entry on Enter if no entry is selected. Mantine selects the first entry only when the query changes,
 * but conversations are found later.
 */
function openFirst({ key, currentTarget }: KeyboardEvent<HTMLElement>): void {
  const dialog = currentTarget.closest('[role="dialog"]');
  if (key === 'Enter' && !dialog?.querySelector('[data-selected]'))
    dialog?.querySelector<HTMLElement>('[data-action]')?.click();
}

/**
 * Finds the entries that match the query. An empty query matches every page and agent, but no conversation.
 * @returns the groups that are not empty: pages that the user may open, at most `maxFound` agents, and at most
 * `maxFound` conversations
 */
function useFound(query: string): SpotlightActionGroupData[] {
  const [, navigate] = useLocation();
  const mayOpen = useMayOpen();
  const agents = useAgents().data ?? [];
  const conversations = useConversations(query);
  const matches = (name: string) => name.toLowerCase().includes(query.toLowerCase());
  const to = (path: string) => () => navigate(path);
  const groups: readonly { group: string; actions: SpotlightActionData[] }[] = [
    {
      group: t.pages,
      actions: [...menuGroups.flatMap(({ entries }) => entries), accountPage]
        .filter(({ path, label }) => mayOpen(path) && matches(label))
        .map(({ path, label, icon: Shown, isOutside }) => ({
          id: path,
          label,
          leftSection: <Shown {...icon} />,
          onClick: isOutside === true ? () => location.assign(path) : to(path),
        })),
    },
    {
      group: t.agents,
      actions: agents
        .filter(({ name }) => matches(name))
        .slice(0, maxFound)
        .map(({ id, name }) => ({
          id,
          label: name,
          leftSection: <IconRobot {...icon} />,
          onClick: to(`/agents/${id}`),
        })),
    },
    {
      group: t.conversations,
      actions: conversations.map((row) => ({
        id: row.id,
        label: nameOf(row),
        description: row.match ?? row.last_text ?? row.agent_name,
        leftSection: <IconMessages {...icon} />,
        onClick: to(`/conversations/${row.id}`),
      })),
    },
  ];
  return groups.filter(({ actions }) => actions.length > 0);
}

const accountPage: MenuEntry = { path: '/account', label: texts.nav.account, icon: IconUser };

/**
 * Reads the most recently active conversations whose messages or contact match the query, at most `maxFound`. Returns
 * none if the query is shorter than `minSearchChars`, the user may not view conversations, or no result is loaded.
 */
function useConversations(query: string): readonly ConversationRow[] {
  const mayView = useMayOpen()('/conversations');
  const [search] = useDebouncedValue(query, 300);
  const { data } = useRead<{ data: ConversationRow[] }>(['palette', search], '/conversations', {
    query: { search, limit: maxFound },
    enabled: mayView && search.length >= minSearchChars,
    // While the user continues to type, the results for the shorter text stay until the new results are loaded, so that
    // Enter opens an entry that is shown.
    placeholderData: (earlier, asked) => {
      const before = asked?.queryKey[1];
      return typeof before === 'string' && before !== '' && search.startsWith(before) ? earlier : undefined;
    },
  });
  return query.length >= minSearchChars ? (data?.data ?? []) : [];
}
