/** The delivery log. A receiver's response is always shown as text. */
import { Button, Drawer, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { DeliveryView } from '../../../contract/conversations/timeline.ts';
import { DeliveryDetail, StatusBadge } from '../../components/delivery-detail.tsx';
import { AgentFilter, choicesOf, FilterSelect, useFilter } from '../../components/filters.tsx';
import { IconSend } from '../../components/icons.tsx';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { TextLink, When } from '../../components/text.tsx';
import { words } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';

const w = words.deliveries;

const columns: readonly Column<DeliveryView>[] = [
  { label: w.columns.event, render: ({ event }) => <span className="mono short">{event}</span> },
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
  const [status] = useFilter('status');
  const [agent_id] = useFilter('agent_id');
  const [opened, setOpened] = useState<DeliveryView>();
  return (
    <Page title={w.title} lead={w.lead}>
      <Group align="end" gap="sm">
        <FilterSelect
          name="status"
          label={w.statusFilter}
          all={w.allStatuses}
          choices={choicesOf(w.statuses)}
        />
        <AgentFilter />
      </Group>
      <PagedTable<DeliveryView>
        path="/deliveries"
        filters={{ status, agent_id }}
        label={w.table}
        columns={columns}
        actions={(row) => (
          <Button variant="default" size="xs" onClick={() => setOpened(row)}>
            {w.show}
          </Button>
        )}
        empty={<Empty icon={IconSend} title={w.emptyTitle} text={w.emptyText} />}
      />
      <Drawer
        opened={opened !== undefined}
        onClose={() => setOpened(undefined)}
        position="right"
        size="lg"
        title={w.detailTitle}
      >
        {opened && (
          <>
            <DeliveryDetail delivery={opened} />
            {can('conversations.view') && opened.conversation_id !== undefined && (
              <TextLink to={`/conversations/${opened.conversation_id}`} mt="md" display="block">
                {w.conversation}
              </TextLink>
            )}
          </>
        )}
      </Drawer>
    </Page>
  );
}
