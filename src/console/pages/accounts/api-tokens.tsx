/**
 * The organization's API tokens and MCP clients. The secret of a new or rotated token is in memory only while the
 * dialog that shows it is open.
 */
import { Badge, Stack, Text } from '@mantine/core';
import type { McpGrant } from '../../../contract/accounts/mcp-clients.ts';
import type { ApiToken, CreatedToken } from '../../../contract/accounts/tokens.ts';
import { call } from '../../client.ts';
import { useActorText } from '../../components/actor.tsx';
import { DialogButton } from '../../components/dialogs.tsx';
import { ago, amount, limitText, countText } from '../../components/format.ts';
import { IconBan, IconKey, IconPlus, IconTrash } from '../../components/icons.tsx';
import { Page, Section } from '../../components/page.tsx';
import { useList } from '../../components/queries.ts';
import { RotateDialog } from '../../components/rotate-dialog.tsx';
import { confirmed, deletion, RowActions } from '../../components/row-actions.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { DataTable, idOf, type Column } from '../../components/table.tsx';
import { Ago, Hint, TextLink, When } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { GenerateToken, LimitToken, TokenSecret } from './token-dialogs.tsx';

const t = texts.tokens;
const m = texts.mcpClients;

const columns: readonly Column<ApiToken>[] = [
  { label: t.columns.name, hasTextBelow: true, render: (token) => <Access token={token} /> },
  {
    label: t.columns.prefix,
    before: '',
    render: ({ prefix }) => <span className="mono short">{prefix}…</span>,
  },
  { label: t.columns.status, isStatus: true, render: (token) => <State token={token} /> },
  {
    label: t.columns.created,
    render: (token) => <Created token={token} />,
  },
  { label: t.columns.lastUsed, render: ({ last_used_at }) => <Ago at={last_used_at} /> },
  { label: t.columns.calls, render: (token) => <Calls token={token} /> },
];

export function ApiTokens() {
  const can = useCan();
  const mayView = can('tokens.view');
  const tokens = useList<ApiToken>('tokens', '/tokens', { refetchInterval: 15_000, enabled: mayView });
  const generate = can('tokens.create') && (
    <DialogButton leftSection={<IconPlus />} label={t.generate}>
      {(close) => <GenerateToken close={close} />}
    </DialogButton>
  );
  const changes = can('tokens.create') || can('tokens.delete') || can('data.manage');
  return (
    <Page title={t.title} lead={t.lead} actions={generate}>
      {mayView ? (
        <Loaded query={tokens}>
          {(rows) => (
            <DataTable
              label={t.table}
              rows={activeFirst(rows)}
              rowKey={idOf}
              columns={columns}
              isMuted={({ status }) => status !== 'Active'}
              actions={changes ? (token) => <Actions token={token} /> : undefined}
              empty={<Empty icon={IconKey} title={t.emptyTitle} text={t.emptyText} />}
            />
          )}
        </Loaded>
      ) : (
        <Text c="dimmed">{t.notViewable}</Text>
      )}
      {mayView && <McpGrants />}
    </Page>
  );
}

/** Orders the tokens: those that no longer work come last. */
const activeFirst = (tokens: readonly ApiToken[]): ApiToken[] =>
  tokens.toSorted((a, b) => Number(b.status === 'Active') - Number(a.status === 'Active'));

function State({ token: { status, expires_at, previous_until } }: { token: ApiToken }) {
  const times = [
    [t.expires, expires_at],
    [t.previousUntil, status === 'Active' ? previous_until : null],
  ] as const;
  return (
    <Stack gap={2} align="flex-start">
      <Badge color={status === 'Active' ? 'green' : 'gray'}>{t.statuses[status]}</Badge>
      {times.map(
        ([label, at]) =>
          at !== null && (
            <Hint key={label} size="xs">
              {label} <When at={at} />
            </Hint>
          ),
      )}
    </Stack>
  );
}

/** Shows the token's name, with its scopes and the agents to which it is bound. */
function Access({ token: { name, full_access, before_scopes, scopes, agents } }: { token: ApiToken }) {
  return (
    <>
      <span>{name}</span>
      <Hint size="xs" fw={400} maw={280}>
        {full_access ? t.presets.full.label : scopes.map((one) => t.scopes[one]).join(', ')}
      </Hint>
      {before_scopes && (
        <div>
          <Badge color="yellow">{t.beforeScopes}</Badge>
        </div>
      )}
      {agents !== null && (
        <Hint size="xs" fw={400} maw={280}>
          {agents.length === 0 ? t.noAgentLeft : t.onlyAgents(agents.map(({ name }) => name))}
        </Hint>
      )}
    </>
  );
}

function Created({ token: { created_at, created_by } }: { token: ApiToken }) {
  const actorText = useActorText();
  return (
    <div>
      <Ago at={created_at} />
      {created_by !== null && (
        <Hint size="xs" className="plain-text" title={created_by}>
          {t.createdBy(actorText(created_by))}
        </Hint>
      )}
    </div>
  );
}

/** Shows all calls since a token was created, as a link to its requests, and what it used this month, if anything or if it is limited. */
function Calls({ token }: { token: ApiToken }) {
  const { id, name, call_count: calls, this_month: used } = token;
  const { monthly_credit_limit: credits, monthly_message_limit: messages } = token;
  const isReached = used.credits >= (credits ?? Infinity) || used.messages >= (messages ?? Infinity);
  return (
    <div>
      <span>
        <TextLink
          to={`/requests?token_id=${id}`}
          className="short"
          aria-label={`${countText(calls)}: ${t.requestsOf(name)}`}
        >
          {countText(calls)}
        </TextLink>{' '}
        <Hint span size="xs" className="short">
          {t.sinceCreation}
        </Hint>
      </span>
      {(used.messages > 0 || messages !== null) && (
        <Hint size="xs" className="short">
          {t.messages(amount(used.messages), limitText(messages))}
        </Hint>
      )}
      {credits !== null && (
        <Hint size="xs" className="short">
          {t.credits(amount(used.credits), amount(credits))}
        </Hint>
      )}
      {isReached && <Badge color="yellow">{t.limitReached}</Badge>}
    </div>
  );
}

function Actions({ token }: { token: ApiToken }) {
  const can = useCan();
  const lastUsed = token.last_used_at === null ? undefined : ago(token.last_used_at);
  const isActive = token.status === 'Active';
  const mayChange = can('tokens.create') && isActive;
  return (
    <RowActions
      name={token.name}
      buttons={(mayChange ? 1 : 0) + (can('tokens.delete') ? 1 : 0)}
      actions={[
        mayChange && {
          ...confirmed({
            ...t.revoke(token.name, lastUsed),
            run: () => call('POST', `/tokens/${token.id}/revoke`),
            query: 'tokens',
          }),
          hint: t.revokeHelp,
          icon: IconBan,
        },
        can('tokens.delete') && {
          ...deletion({ ...t.delete(token.name, lastUsed), path: `/tokens/${token.id}`, query: 'tokens' }),
          hint: t.deleteHelp,
          icon: IconTrash,
        },
        mayChange && {
          label: t.rotate.label,
          dialog: (close) => (
            <RotateDialog
              {...t.rotate}
              title={t.rotate.title(token.name)}
              send={(body) => call<CreatedToken>('POST', `/tokens/${token.id}/rotate`, { body })}
              query="tokens"
              close={close}
            >
              {(made) => <TokenSecret made={made} close={close} />}
            </RotateDialog>
          ),
        },
        can('data.manage') &&
          isActive && { label: t.limit, dialog: (close) => <LimitToken token={token} close={close} /> },
      ]}
    />
  );
}

const grantColumns: readonly Column<McpGrant>[] = [
  { label: m.columns.name, render: ({ client_name }) => client_name },
  { label: m.columns.member, render: ({ member_email }) => member_email },
  { label: m.columns.since, render: ({ created_at }) => <Ago at={created_at} /> },
  { label: m.columns.lastUsed, render: ({ last_used_at }) => <Ago at={last_used_at} /> },
];

/** Lists the MCP clients that may act for members in the organization. Renders nothing if there are none. */
function McpGrants() {
  const can = useCan();
  const { data: grants = [] } = useList<McpGrant>('mcp-grants', '/mcp-grants', { refetchInterval: 15_000 });
  if (grants.length === 0) return null;
  return (
    <Section title={m.connected} lead={m.connectedLead}>
      <DataTable
        label={m.connected}
        rows={grants}
        rowKey={({ id }) => id}
        columns={grantColumns}
        actions={
          can('tokens.create')
            ? ({ id, client_name }) => (
                <RowActions
                  name={client_name}
                  buttons={0}
                  actions={[
                    deletion({ ...m.remove(client_name), path: `/mcp-grants/${id}`, query: 'mcp-grants' }),
                  ]}
                />
              )
            : undefined
        }
      />
    </Section>
  );
}
