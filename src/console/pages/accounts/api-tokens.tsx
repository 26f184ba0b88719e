/** Developers, API: the organization's tokens. A new token's secret is in this page's memory only until Done. */
import { Badge, Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKey, IconPlus } from '../../components/icons.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ApiToken } from '../../../contract/accounts/tokens.ts';
import { call } from '../../client.ts';
import { ago } from '../../components/ago.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { amount } from '../../components/durations.ts';
import { Empty } from '../../components/empty.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { When } from '../../components/when.tsx';
import { useCan } from '../../shell/session.ts';
import { words } from '../../messages.ts';
import { GenerateToken } from './generate-token.tsx';
import { LimitToken } from './limit-token.tsx';
import { McpGrants } from './mcp-grants.tsx';

const w = words.tokens;

const columns: readonly Column<ApiToken>[] = [
  { label: w.columns.name, lead: true, render: ({ name }) => name },
  { label: w.columns.prefix, render: ({ prefix }) => <span className="mono short">{prefix}…</span> },
  {
    label: w.columns.status,
    render: ({ status }) => (
      <Badge color={status === 'Active' ? 'green' : 'gray'}>{w.statuses[status]}</Badge>
    ),
  },
  { label: w.columns.created, render: ({ created_at }) => <When at={created_at} /> },
  { label: w.columns.lastUsed, render: ({ last_used_at }) => <When at={last_used_at} /> },
  { label: w.columns.calls, render: ({ call_count }) => call_count.toLocaleString() },
  { label: w.columns.thisMonth, render: (token) => <ThisMonth token={token} /> },
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
  const changes = can('tokens.create') || can('tokens.delete');
  return (
    <Page title={w.title} lead={w.lead} actions={generate}>
      {mayView ? (
        <Loaded query={tokens}>
          {({ data }) => (
            <DataTable
              label={w.table}
              rows={data}
              rowKey={({ id }) => id}
              columns={columns}
              actions={changes ? (token) => <Actions token={token} /> : undefined}
              empty={<Empty icon={IconKey} title={w.emptyTitle} text={w.emptyText} />}
            />
          )}
        </Loaded>
      ) : (
        <Text c="dimmed">{w.notViewable}</Text>
      )}
      {mayView && <McpGrants />}
      {generating && <GenerateToken close={dialog.close} />}
    </Page>
  );
}

function ThisMonth({ token }: { token: ApiToken }) {
  const { this_month: used, monthly_credit_limit: credits, monthly_message_limit: messages, status } = token;
  const can = useCan();
  const [limiting, dialog] = useDisclosure(false);
  const isReached = used.credits >= (credits ?? Infinity) || used.messages >= (messages ?? Infinity);
  return (
    <Stack gap={2} align="flex-start">
      <span className="short">
        {messages === null
          ? w.messages(used.messages)
          : w.messagesOf(used.messages.toLocaleString(), messages.toLocaleString())}
      </span>
      <span className="short">
        {credits === null
          ? w.credits(amount(used.credits))
          : w.creditsOf(amount(used.credits), amount(credits))}
      </span>
      {isReached && <Badge color="yellow">{w.limitReached}</Badge>}
      {can('data.manage') && status === 'Active' && (
        <Button variant="subtle" size="compact-xs" ml={-8} onClick={dialog.open}>
          {w.limit}
        </Button>
      )}
      {limiting && <LimitToken token={token} close={dialog.close} />}
    </Stack>
  );
}

function Actions({ token }: { token: ApiToken }) {
  const can = useCan();
  return (
    <>
      {can('tokens.create') && token.status === 'Active' && (
        <ConfirmButton
          variant="default"
          color="dark"
          size="xs"
          label={w.revoke}
          title={w.revokeTitle(token.name)}
          text={w.revokeText(token.last_used_at === null ? undefined : ago(token.last_used_at))}
          run={() => call('POST', `/tokens/${token.id}/revoke`)}
          query="tokens"
          done={w.revoked}
        />
      )}
      {can('tokens.delete') && (
        <ConfirmButton
          size="xs"
          label={w.delete}
          title={w.deleteTitle(token.name)}
          text={w.deleteText}
          run={() => call('DELETE', `/tokens/${token.id}`)}
          query="tokens"
          done={w.deleted}
        />
      )}
    </>
  );
}
