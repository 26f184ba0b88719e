/** Developers, API: the tokens of the organization. The secret is in this page's memory from its answer until Done. */
import { Badge, Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiToken } from '../../contract/console/tokens.ts';
import { call } from '../client.ts';
import { DataTable, type Column } from '../pieces/data-table.tsx';
import { Confirm } from '../pieces/confirm.tsx';
import { Empty } from '../pieces/empty.tsx';
import { Loaded } from '../pieces/loaded.tsx';
import { Page } from '../pieces/page.tsx';
import { When } from '../pieces/when.tsx';
import { useCan } from '../shell/session.ts';
import { words } from '../words.ts';
import { GenerateToken } from './generate-token.tsx';

const w = words.tokens;

const columns: readonly Column<ApiToken>[] = [
  { label: w.columns.name, lead: true, render: ({ name }) => name },
  { label: w.columns.prefix, render: ({ prefix }) => <span className="mono">{prefix}…</span> },
  {
    label: w.columns.status,
    render: ({ status }) => <Badge color={status === 'Active' ? 'green' : 'gray'}>{status}</Badge>,
  },
  { label: w.columns.created, render: ({ created_at }) => <When at={created_at} /> },
  { label: w.columns.lastUsed, render: ({ last_used_at }) => <When at={last_used_at} /> },
  { label: w.columns.calls, render: ({ call_count }) => call_count.toLocaleString() },
];

export function ApiTokens() {
  const can = useCan();
  const [generating, dialog] = useDisclosure(false);
  const mayView = can('tokens.view');
  const tokens = useQuery({
    queryKey: ['tokens'],
    queryFn: () => call<{ data: ApiToken[] }>('GET', '/tokens'),
    refetchInterval: 15_000,
    enabled: mayView,
  });
  const generate = can('tokens.create') && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={dialog.open}>
      {w.generate}
    </Button>
  );
  return (
    <Page title={w.title} lead={w.lead} actions={generate}>
      {mayView ? (
        <Loaded query={tokens}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty icon={IconKey} title={w.emptyTitle} text={w.emptyText} />
            ) : (
              <Tokens tokens={data} />
            )
          }
        </Loaded>
      ) : (
        <Text c="dimmed">{w.notViewable}</Text>
      )}
      {generating && <GenerateToken close={dialog.close} />}
    </Page>
  );
}

function Tokens({ tokens }: { tokens: ApiToken[] }) {
  const can = useCan();
  const queries = useQueryClient();
  const [deleting, setDeleting] = useState<ApiToken>();
  const changed = () => queries.invalidateQueries({ queryKey: ['tokens'] });
  const revoke = useMutation({
    mutationFn: (id: string) => call('POST', `/tokens/${id}/revoke`),
    onSuccess: async () => {
      await changed();
      notifications.show({ message: w.revoked });
    },
    onError: (error) => notifications.show({ color: 'red', message: error.message }),
  });
  const actions = can('tokens.create') || can('tokens.delete');
  const actionsOf = (token: ApiToken) => (
    <>
      {can('tokens.create') && token.status === 'Active' && (
        <Button
          variant="default"
          size="xs"
          onClick={() => {
            revoke.mutate(token.id);
          }}
        >
          {w.revoke}
        </Button>
      )}
      {can('tokens.delete') && (
        <Button
          variant="light"
          color="red"
          size="xs"
          onClick={() => {
            setDeleting(token);
          }}
        >
          {w.delete}
        </Button>
      )}
    </>
  );
  return (
    <>
      <DataTable
        label={w.table}
        rows={tokens}
        rowKey={({ id }) => id}
        columns={columns}
        actions={actions ? actionsOf : undefined}
      />
      {deleting && (
        <Confirm
          title={w.deleteTitle(deleting.name)}
          text={w.deleteText}
          action={w.delete}
          run={async () => {
            await call('DELETE', `/tokens/${deleting.id}`);
            await changed();
            notifications.show({ message: w.deleted });
          }}
          close={() => {
            setDeleting(undefined);
          }}
        />
      )}
    </>
  );
}
