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
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';

const t = texts.deliveries;

const columns: readonly Column<DeliveryView>[] = [
  { label: t.columns.event, render: ({ event }) => <span className="mono short">{event}</span> },
  { label: t.columns.status, render: ({ status }) => <StatusBadge status={status} /> },
  {
    label: t.columns.url,
    render: ({ url }) => (
      <Text size="sm" lineClamp={2} className="preview">
        {url}
      </Text>
    ),
  },
  {
    label: t.columns.http,
    render: ({ http_status, error }) =>
      http_status === undefined ? (
        <Text size="sm" lineClamp={2} className="preview" c="dimmed">
          {error ?? '–'}
        </Text>
      ) : (
        <span className="short">{t.httpStatus(http_status)}</span>
      ),
  },
  { label: t.columns.when, render: ({ attempted_at }) => <When at={attempted_at} /> },
  {
    label: t.columns.took,
    render: ({ duration_ms }) => (
      <span className="short">{duration_ms === undefined ? '–' : t.milliseconds(duration_ms)}</span>
    ),
  },
];

export function Deliveries() {
  const can = useCan();
  const [status] = useFilter('status');
  const [agent_id] = useFilter('agent_id');
  const [opened, setOpened] = useState<DeliveryView>();
  return (
    <Page title={t.title} lead={t.lead}>
      <Group align="end" gap="sm">
        <FilterSelect
          name="status"
          label={t.statusFilter}
          all={t.allStatuses}
          choices={choicesOf(t.statuses)}
        />
        <AgentFilter />
      </Group>
      <PagedTable<DeliveryView>
        path="/deliveries"
        filters={{ status, agent_id }}
        label={t.table}
        columns={columns}
        actions={(row) => (
          <Button variant="default" size="xs" onClick={() => setOpened(row)}>
            {t.show}
          </Button>
        )}
        empty={<Empty icon={IconSend} title={t.emptyTitle} text={t.emptyText} />}
      />
      <Drawer
        opened={opened !== undefined}
        onClose={() => setOpened(undefined)}
        position="right"
        size="lg"
        title={t.detailTitle}
      >
        {opened && (
          <>
            <DeliveryDetail delivery={opened} />
            {can('conversations.view') && opened.conversation_id !== undefined && (
              <TextLink to={`/conversations/${opened.conversation_id}`} mt="md" display="block">
                {t.conversation}
              </TextLink>
            )}
          </>
        )}
      </Drawer>
    </Page>
  );
}
