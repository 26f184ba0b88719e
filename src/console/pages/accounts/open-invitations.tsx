/** Invitations that have not been accepted yet. */
import { Badge, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Invitation } from '../../../contract/accounts/invitations.ts';
import { call } from '../../client.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { When } from '../../components/when.tsx';
import { words } from '../../messages.ts';

const w = words.invitations;

const columns: readonly Column<Invitation>[] = [
  {
    label: w.columns.email,
    lead: true,
    render: ({ email, expired }) => (
      <Group gap={8}>
        {email}
        {expired && <Badge color="gray">{w.expired}</Badge>}
      </Group>
    ),
  },
  { label: w.columns.role, render: ({ role_name }) => <span className="short">{role_name}</span> },
  { label: w.columns.by, render: ({ invited_by }) => invited_by },
  { label: w.columns.expires, render: ({ expires_at }) => <When at={expires_at} /> },
];

export function OpenInvitations() {
  const { data: rows = [] } = useQuery({
    queryKey: ['invitations'],
    queryFn: async () => (await call<{ data: Invitation[] }>('GET', '/invitations')).data,
  });
  if (rows.length === 0) return null;
  return (
    <section aria-label={w.open}>
      <Text component="h2" fw={600} size="lg" mb="sm">
        {w.open}
      </Text>
      <DataTable
        label={w.table}
        rows={rows}
        rowKey={({ id }) => id}
        columns={columns}
        actions={({ id, email }) => (
          <ConfirmButton
            size="xs"
            label={w.revoke}
            title={w.revokeTitle(email)}
            text={w.revokeText}
            run={() => call('DELETE', `/invitations/${id}`)}
            query="invitations"
            done={w.revoked}
          />
        )}
      />
    </section>
  );
}
