/** MCP clients that members allowed to act for the organization. Hidden while there are none. */
import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { McpGrant } from '../../../contract/accounts/mcp-clients.ts';
import { call } from '../../client.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { When } from '../../components/when.tsx';
import { useCan } from '../../shell/session.ts';
import { words } from '../../messages.ts';

const w = words.mcpClients;

const columns: readonly Column<McpGrant>[] = [
  { label: w.columns.name, lead: true, render: ({ client_name }) => client_name },
  { label: w.columns.member, render: ({ member_email }) => member_email },
  { label: w.columns.since, render: ({ created_at }) => <When at={created_at} /> },
  { label: w.columns.lastUsed, render: ({ last_used_at }) => <When at={last_used_at} /> },
];

export function McpGrants() {
  const can = useCan();
  const { data: grants } = useQuery({
    queryKey: ['mcp-grants'],
    queryFn: () => call<{ data: McpGrant[] }>('GET', '/mcp-grants'),
    refetchInterval: 15_000,
  });
  if (grants === undefined || grants.data.length === 0) return null;
  return (
    <Stack gap="sm">
      <div>
        <Title order={2} size="h4">
          {w.connected}
        </Title>
        <Text c="dimmed" size="sm">
          {w.connectedLead}
        </Text>
      </div>
      <DataTable
        label={w.connected}
        rows={grants.data}
        rowKey={({ id }) => id}
        columns={columns}
        actions={
          can('tokens.create')
            ? ({ id, client_name }) => (
                <ConfirmButton
                  size="xs"
                  label={w.remove}
                  title={w.removeTitle(client_name)}
                  text={w.removeText}
                  run={() => call('DELETE', `/mcp-grants/${id}`)}
                  query="mcp-grants"
                  done={w.removed}
                />
              )
            : undefined
        }
        empty={null}
      />
    </Stack>
  );
}
