/** Recent gateway events, and why some were not answered. */
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { channelEvent } from '../../../contract/whatsapp/channel.ts';
import { call } from '../../client.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { When } from '../../components/when.tsx';
import { words } from '../../messages.ts';

const w = words.channel;
type Event = z.infer<typeof channelEvent>;

const columns: readonly Column<Event>[] = [
  { label: w.eventAt, lead: true, render: ({ received_at }) => <When at={received_at} /> },
  { label: w.eventOutcome, render: ({ outcome }) => w.outcomes[outcome] },
  {
    label: w.eventReason,
    render: ({ reason }) => (reason === undefined ? '–' : (w.reasons[reason] ?? reason)),
  },
  { label: w.eventRepeats, render: ({ repeats }) => repeats },
];

export function ChannelEvents({ path }: { path: string }) {
  const query = useQuery({
    queryKey: ['channel-events', path],
    queryFn: () => call<{ data: Event[] }>('GET', `${path}/events`, { query: { limit: 30 } }),
    refetchInterval: 10_000,
  });
  return (
    <Loaded query={query}>
      {({ data }) =>
        data.length === 0 ? (
          <Text size="sm" c="dimmed">
            {w.noEvents}
          </Text>
        ) : (
          <DataTable label={w.events} rows={data} rowKey={({ id }) => id} columns={columns} />
        )
      }
    </Loaded>
  );
}
