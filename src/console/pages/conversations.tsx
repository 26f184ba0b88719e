/** Everybody who talked with an agent, newest first. */
import { Badge, Group, Select, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconMessages } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { ConversationRow } from '../../contract/console/conversations.ts';
import { AgentFilter } from '../pieces/agent-filter.tsx';
import { DataTable, type Column } from '../pieces/data-table.tsx';
import { Empty } from '../pieces/empty.tsx';
import { Loaded } from '../pieces/loaded.tsx';
import { More, usePages } from '../pieces/more.tsx';
import { Page } from '../pieces/page.tsx';
import { When } from '../pieces/when.tsx';
import { words } from '../words.ts';

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
  const [agentId, setAgentId] = useState<string>();
  const [typed, setTyped] = useState('');
  const [only, setOnly] = useState<string | null>(null);
  const [search] = useDebouncedValue(typed.trim(), 250);
  const { query, rows } = usePages<ConversationRow>('/conversations', {
    agent_id: agentId,
    search,
    only: only ?? undefined,
  });
  return (
    <Page title={w.title} lead={w.lead}>
      <Group align="end" gap="sm">
        <TextInput
          label={w.search}
          type="search"
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
          }}
          w={{ base: '100%', xs: 240 }}
        />
        <AgentFilter label={w.agentFilter} value={agentId} choose={setAgentId} />
        <Select
          label={w.only}
          placeholder={w.all}
          data={[
            { value: 'paused', label: w.paused },
            { value: 'failed', label: w.failed },
          ]}
          value={only}
          onChange={setOnly}
          clearable
          clearButtonProps={{ 'aria-label': w.all }}
          w={{ base: '100%', xs: 160 }}
        />
      </Group>
      <Loaded query={query}>
        {() =>
          rows === undefined || rows.length === 0 ? (
            <Empty icon={IconMessages} title={w.emptyTitle} text={w.emptyText} />
          ) : (
            <DataTable label={w.table} rows={rows} rowKey={({ id }) => id} columns={columns} />
          )
        }
      </Loaded>
      <More query={query} />
    </Page>
  );
}
