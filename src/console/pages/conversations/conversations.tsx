/** All conversations, most recent activity first. */
import { Badge, Group, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import type { ConversationRow } from '../../../contract/conversations/timeline.ts';
import { AgentFilter, choicesOf, FilterSelect, useFilter } from '../../components/filters.tsx';
import { IconMessages } from '../../components/icons.tsx';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { PagedTable, RowLink, type Column } from '../../components/table.tsx';
import { When } from '../../components/text.tsx';
import { texts } from '../../messages.ts';

const t = texts.conversations;

export function nameOf({ contact }: Pick<ConversationRow, 'contact'>): string {
  return contact?.name ?? contact?.id ?? t.anonymous;
}

const columns: readonly Column<ConversationRow>[] = [
  {
    label: t.columns.who,
    render: (row) => <RowLink to={`/conversations/${row.id}`}>{nameOf(row)}</RowLink>,
  },
  { label: t.columns.agent, render: ({ agent_name }) => agent_name },
  {
    label: t.columns.last,
    render: ({ last_role, last_text }) => (
      <Text size="sm" lineClamp={2} className="preview">
        {last_role !== null && <Text span c="dimmed" inherit>{`${t[last_role]}: `}</Text>}
        {last_text}
      </Text>
    ),
  },
  { label: t.columns.messages, render: ({ messages }) => messages.toLocaleString() },
  {
    label: t.columns.state,
    render: ({ channel, paused_until, has_failed }) => (
      <Group gap={6}>
        <Badge color="gray">{channel === 'whatsapp' ? t.channels.whatsapp : t.channels.api}</Badge>
        {paused_until !== undefined && <Badge color="violet">{t.paused}</Badge>}
        {has_failed && <Badge color="red">{t.failed}</Badge>}
      </Group>
    ),
  },
  { label: t.columns.updated, render: ({ updated_at }) => <When at={updated_at} /> },
];

export function Conversations() {
  const [agent_id] = useFilter('agent_id');
  const [only] = useFilter('only');
  const [search, setSearch] = useFilter('search');
  const [typed, setTyped] = useState(search ?? '');
  const searchSoon = useDebouncedCallback(setSearch, 250);
  return (
    <Page title={t.title} lead={t.lead}>
      <Group align="end" gap="sm">
        <TextInput
          label={t.search}
          type="search"
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            searchSoon(event.currentTarget.value.trim());
          }}
          w={{ base: '100%', xs: 240 }}
        />
        <AgentFilter />
        <FilterSelect
          name="only"
          label={t.only}
          all={t.all}
          choices={choicesOf({ paused: t.paused, failed: t.failed })}
          width={160}
        />
      </Group>
      <PagedTable<ConversationRow>
        path="/conversations"
        filters={{ agent_id, search, only }}
        label={t.table}
        columns={columns}
        empty={<Empty icon={IconMessages} title={t.emptyTitle} text={t.emptyText} />}
      />
    </Page>
  );
}
