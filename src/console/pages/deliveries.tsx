/** The delivery log. What a receiver answered is shown as text, whatever it is. */
import { Anchor, Button, Drawer, Group, Select, Text } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { DeliveryView } from '../../contract/console/conversations.ts';
import { AgentFilter } from '../pieces/agent-filter.tsx';
import { DataTable, type Column } from '../pieces/data-table.tsx';
import { DeliveryDetail } from '../pieces/delivery-detail.tsx';
import { Empty } from '../pieces/empty.tsx';
import { Loaded } from '../pieces/loaded.tsx';
import { More, usePages } from '../pieces/more.tsx';
import { Page } from '../pieces/page.tsx';
import { StatusBadge } from '../pieces/status-badge.tsx';
import { When } from '../pieces/when.tsx';
import { useCan } from '../shell/session.ts';
import { words } from '../words.ts';

const w = words.deliveries;

const columns: readonly Column<DeliveryView>[] = [
  { label: w.columns.event, lead: true, render: ({ event }) => <span className="mono short">{event}</span> },
  { label: w.columns.status, render: ({ status }) => <StatusBadge status={status} /> },
  {
    label: w.columns.url,
    render: ({ url }) => (
      <Text size="sm" lineClamp={2} className="preview">
        {url}
      </Text>
    ),
  },
  {
    label: w.columns.http,
    render: ({ http_status, error }) =>
      http_status === undefined ? (
        <Text size="sm" lineClamp={2} className="preview" c="dimmed">
          {error ?? '–'}
        </Text>
      ) : (
        <span className="short">{w.httpStatus(http_status)}</span>
      ),
  },
  { label: w.columns.when, render: ({ attempted_at }) => <When at={attempted_at} /> },
  {
    label: w.columns.took,
    render: ({ duration_ms }) => (
      <span className="short">{duration_ms === undefined ? '–' : w.milliseconds(duration_ms)}</span>
    ),
  },
];

export function Deliveries() {
  const can = useCan();
  const [status, setStatus] = useState<string | null>(null);
  const [agentId, setAgentId] = useState<string>();
  const [opened, setOpened] = useState<DeliveryView>();
  const { query, rows } = usePages<DeliveryView>('/deliveries', {
    status: status ?? undefined,
    agent_id: agentId,
  });
  return (
    <Page title={w.title} lead={w.lead}>
      <Group align="end" gap="sm">
        <Select
          label={w.statusFilter}
          placeholder={w.allStatuses}
          data={Object.entries(w.statuses).map(([value, label]) => ({ value, label }))}
          value={status}
          onChange={setStatus}
          clearable
          clearButtonProps={{ 'aria-label': w.allStatuses }}
          w={{ base: '100%', xs: 200 }}
        />
        <AgentFilter label={w.agentFilter} value={agentId} choose={setAgentId} />
      </Group>
      <Loaded query={query}>
        {() =>
          rows === undefined || rows.length === 0 ? (
            <Empty icon={IconSend} title={w.emptyTitle} text={w.emptyText} />
          ) : (
            <DataTable
              label={w.table}
              rows={rows}
              rowKey={({ id }) => id}
              columns={columns}
              actions={(row) => (
                <Button
                  variant="default"
                  size="xs"
                  onClick={() => {
                    setOpened(row);
                  }}
                >
                  {w.show}
                </Button>
              )}
            />
          )
        }
      </Loaded>
      <More query={query} />
      <Drawer
        opened={opened !== undefined}
        onClose={() => {
          setOpened(undefined);
        }}
        position="right"
        size="lg"
        title={w.detailTitle}
      >
        {opened && (
          <>
            <DeliveryDetail delivery={opened} />
            {can('conversations.view') && opened.conversation_id !== undefined && (
              <Anchor
                component={Link}
                href={`/conversations/${opened.conversation_id}`}
                underline="always"
                size="sm"
                mt="md"
                display="block"
              >
                {w.conversation}
              </Anchor>
            )}
          </>
        )}
      </Drawer>
    </Page>
  );
}
