/** All conversations, most recent activity first. */
import { Badge, Group, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconMessages } from '../../components/icons.tsx';
import { useState } from 'react';
import { Link } from 'wouter';
import type { ConversationRow } from '../../../contract/conversations/timeline.ts';
import { AgentFilter } from '../../components/agent-filter.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { choicesOf, FilterSelect } from '../../components/filter-select.tsx';
import { Page } from '../../components/page.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { useFilter } from '../../components/use-filter.ts';
import { When } from '../../components/when.tsx';
import { words } from '../../messages.ts';

const w = words.conversations;

export function nameOf({ contact }: Pick<ConversationRow, 'contact'>): string {
  return contact?.name ?? contact?.id ?? w.anonymous;
}

const columns: readonly Column<ConversationRow>[] = [
  {
    label: w.columns.who,
    lead: true,
    render: (row) => (
      <Link href={`/conversations/${row.id}`} className="row-link">
        {nameOf(row)}
      </Link>
    ),
  },
  { label: w.columns.agent, render: ({ agent_name }) => agent_name },
  {
    label: w.columns.last,
    render: ({ last_role, last_text }) => (
      <Text size="sm" lineClamp={2} className="preview">
        {last_role !== null && <Text span c="dimmed" inherit>{`${w[last_role]}: `}</Text>}
        {last_text}
      </Text>
    ),
  },
  { label: w.columns.messages, render: ({ messages }) => messages.toLocaleString() },
  {
    label: w.columns.state,
    render: ({ channel, paused_until, has_failed }) => (
      <Group gap={6}>
        <Badge color="gray">{channel === 'whatsapp' ? w.channels.whatsapp : w.channels.api}</Badge>
        {paused_until !== undefined && <Badge color="violet">{w.paused}</Badge>}
        {has_failed && <Badge color="red">{w.failed}</Badge>}
      </Group>
    ),
  },
  { label: w.columns.updated, render: ({ updated_at }) => <When at={updated_at} /> },
];

export function Conversations() {
  const [agent_id] = useFilter('agent_id');
  const [only] = useFilter('only');
  const [search, setSearch] = useFilter('search');
  const [typed, setTyped] = useState(search ?? '');
  const searchSoon = useDebouncedCallback(setSearch, 250);
  return (
    <Page title={w.title} lead={w.lead}>
      <Group align="end" gap="sm">
        <TextInput
          label={w.search}
          type="search"
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            searchSoon(event.currentTarget.value.trim());
          }}
          w={{ base: '100%', xs: 240 }}
        />
        <AgentFilter label={w.agentFilter} />
        <FilterSelect
          name="only"
          label={w.only}
          all={w.all}
          choices={choicesOf({ paused: w.paused, failed: w.failed })}
          width={160}
        />
      </Group>
      <PagedTable<ConversationRow>
        path="/conversations"
        filters={{ agent_id, search, only }}
        label={w.table}
        rowKey={({ id }) => id}
        columns={columns}
        empty={<Empty icon={IconMessages} title={w.emptyTitle} text={w.emptyText} />}
      />
    </Page>
  );
}
