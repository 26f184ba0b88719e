/** The connections that agents can use: workspaces, the HTTP tools together, and MCP servers. */
import { Badge, Button, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Agent } from '../../../contract/conversations/agents.ts';
import type { HttpTool } from '../../../contract/http-tools/http-tools.ts';
import type { McpServer } from '../../../contract/mcp-servers/mcp-servers.ts';
import type { ToolConnection } from '../../../contract/workspace/tools.ts';
import { DeleteButton, DialogButton } from '../../components/dialogs.tsx';
import { IconPlugConnected, IconPlus } from '../../components/icons.tsx';
import { Section } from '../../components/page.tsx';
import { useAllAgents, useConnections, useHttpTools, useMcpServers } from '../../components/queries.ts';
import { Empty, Loaded } from '../../components/states.tsx';
import { DataTable, type Column } from '../../components/table.tsx';
import { ToolUseOfAll, useUseOfAll, WorkspaceCalls } from '../../components/tool-activity.tsx';
import { Day, Hint, Multiline, Nothing, TextLink } from '../../components/text.tsx';
import { isWorkspaceAction } from '../../components/workspace-presets.ts';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { ServerState } from '../mcp-servers/server-state.tsx';
import { SignIn } from '../mcp-servers/sign-in.tsx';
import { FindPageButton } from './find-page.tsx';

const t = texts.tools;

type Row =
  | { kind: 'workspace'; connection: ToolConnection; isOnly: boolean }
  | { kind: 'http'; tools: readonly HttpTool[] }
  | { kind: 'mcp'; server: McpServer };

const columns: readonly Column<Row>[] = [
  {
    label: t.columns.name,
    hasTextBelow: true,
    render: (row) => (
      <>
        <span>{nameOf(row)}</span>
        <Hint size="xs" fw={400}>
          {kindOf(row)}
        </Hint>
      </>
    ),
  },
  { label: t.columns.usedBy, render: (row) => <UsedBy row={row} /> },
  { label: t.columns.status, isStatus: true, render: (row) => <Status row={row} /> },
  {
    label: t.columns.how,
    render: (row) => (
      <div>
        <span>{accessTo(row)}</span>
        {row.kind === 'workspace' && row.connection.integration_name !== null && (
          <Hint size="xs">{t.actsAs(row.connection.integration_name)}</Hint>
        )}
      </div>
    ),
  },
  {
    label: t.columns.added,
    // The HTTP tools were not added together.
    render: (row) =>
      row.kind === 'http' ? (
        <Nothing />
      ) : (
        <Day at={(row.kind === 'mcp' ? row.server : row.connection).created_at} />
      ),
  },
];

function nameOf(row: Row): string {
  if (row.kind === 'http') return texts.httpTools.title;
  return row.kind === 'mcp' ? row.server.name : t.docs.name;
}

function kindOf(row: Row): string {
  if (row.kind === 'workspace') return row.connection.workspace_name ?? t.unnamed;
  const { tools } = row.kind === 'http' ? row : row.server;
  const counted = t.http.counted(tools.length);
  if (row.kind === 'http') return counted;
  return tools.length === 0 ? t.mcpServer : `${t.mcpServer} · ${counted}`;
}

function needsAttention(row: Row): boolean {
  if (row.kind === 'http') return row.tools.some(({ headers_lost }) => headers_lost);
  return row.kind === 'mcp' ? row.server.status !== 'connected' : row.connection.status === 'needs_reconnect';
}

function UsedBy({ row }: { row: Row }) {
  if (row.kind === 'http') return <ToolUseOfAll tools={row.tools.map(({ name }) => name)} />;
  if (row.kind === 'mcp') return <ToolUseOfAll tools={row.server.tools.map(({ name }) => name)} />;
  return (
    <div>
      <UsersOfConnection id={row.connection.id} />
      {row.isOnly && <WorkspaceCalls />}
    </div>
  );
}

function Status({ row }: { row: Row }) {
  if (row.kind === 'mcp') return <ServerState server={row.server} />;
  if (row.kind === 'http') return <HttpStatus row={row} />;
  const { status, last_error } = row.connection;
  return (
    <Stack gap={4} align="start">
      <Badge color={status === 'connected' ? 'green' : status === 'pending' ? 'gray' : 'yellow'}>
        {t.statuses[status]}
      </Badge>
      {last_error !== undefined && <Text size="xs">{last_error}</Text>}
    </Stack>
  );
}

/** Whether the HTTP tools can be called, and how many of today's calls failed. */
function HttpStatus({ row }: { row: Extract<Row, { kind: 'http' }> }) {
  const failed = useUseOfAll(row.tools.map(({ name }) => name))?.failed ?? 0;
  if (needsAttention(row)) return <Badge color="red">{texts.health.attention}</Badge>;
  if (failed > 0) return <Badge color="yellow">{t.http.failedToday(failed)}</Badge>;
  return <Badge color="green">{t.isConnected}</Badge>;
}

/** @returns how Parley proves who it is; each HTTP tool has headers of its own */
function accessTo(row: Row): string {
  if (row.kind === 'http') return t.access.ofEach;
  if (row.kind === 'workspace') return row.connection.auth === 'API_KEY' ? t.access.apiKey : t.access.oauth;
  const { auth } = row.server;
  return auth === 'header' ? t.access.header : auth === 'none' ? t.access.none : t.access.oauth;
}

const isUsable = ({ status }: ToolConnection) => status === 'connected';

/** @param props.isNew true if a workspace was just connected. The button that finds pages in it then gets the focus. */
export function Connected({ connect, isNew }: { connect: () => void; isNew: boolean }) {
  const mayManage = useCan()('tools.manage');
  const connections = useConnections();
  const httpTools = useHttpTools();
  const servers = useMcpServers();
  const add = (variant: 'default' | 'filled') =>
    mayManage && (
      <Button variant={variant} leftSection={<IconPlus />} onClick={connect}>
        {t.connectTitle}
      </Button>
    );
  const firstUsable = connections.data?.find(isUsable);
  const actionsOf = (row: Row) => {
    if (mayManage && row.kind === 'mcp' && row.server.status === 'needs_sign_in')
      return (
        <DialogButton size="xs" label={t.signIn} aria-label={t.signInAt(row.server.name)}>
          {(close) => <SignIn server={row.server} close={close} />}
        </DialogButton>
      );
    if (row.kind !== 'workspace')
      return (
        <Button
          size="xs"
          variant="default"
          component={Link}
          href={`/admin/tools?tab=${row.kind}`}
          aria-label={t.openOf(nameOf(row))}
        >
          {t.open}
        </Button>
      );
    const { connection } = row;
    return (
      mayManage && (
        <>
          {isUsable(connection) && (
            <FindPageButton connection={connection} autoFocus={isNew && connection === firstUsable} />
          )}
          {connection.status === 'needs_reconnect' && (
            <Button size="xs" onClick={connect}>
              {t.reconnect}
            </Button>
          )}
          <DeleteButton
            {...t.disconnect(connection.workspace_name ?? t.unnamed)}
            path={`/tools/docs/connections/${connection.id}`}
            query="connections"
          >
            <AgentsOfConnection id={connection.id} />
          </DeleteButton>
        </>
      )
    );
  };
  return (
    <Loaded query={connections}>
      {(workspaces) => (
        <Loaded query={httpTools}>
          {(tools) => (
            <Loaded query={servers}>
              {(mcpServers) => {
                const rows: Row[] = [
                  ...workspaces.map((connection): Row => ({
                    kind: 'workspace',
                    connection,
                    isOnly: workspaces.length === 1,
                  })),
                  ...(tools.length > 0 ? [{ kind: 'http', tools } as const] : []),
                  ...mcpServers.map((server): Row => ({ kind: 'mcp', server })),
                ].toSorted((a, b) => Number(needsAttention(b)) - Number(needsAttention(a)));
                return (
                  <Section
                    title={t.connectionsTable}
                    lead={t.connectionsLead}
                    actions={rows.length > 0 && add('default')}
                  >
                    <DataTable
                      label={t.connectionsTable}
                      rows={rows}
                      rowKey={(row) =>
                        row.kind === 'http' ? 'http' : (row.kind === 'mcp' ? row.server : row.connection).id
                      }
                      columns={columns}
                      actions={actionsOf}
                      empty={
                        <Empty icon={IconPlugConnected} title={t.emptyTitle} text={t.emptyText}>
                          {add('filled')}
                        </Empty>
                      }
                    />
                  </Section>
                );
              }}
            </Loaded>
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

/** Maximum number of agents that a row names. Chosen. */
const maxShown = 4;

/** Maximum number of agents that the confirmation names. It only counts the others. Chosen. */
const maxNamed = 20;

/** @returns the agents that use a workspace */
function usersOf(connection: string, agents: readonly Agent[]): Agent[] {
  return agents.filter(
    ({ tools, connections = [connection] }) =>
      tools.some(isWorkspaceAction) && connections.includes(connection),
  );
}

/** Links to the first agents that use the workspace. */
function UsersOfConnection({ id }: { id: string }) {
  const { data } = useAllAgents();
  if (data === undefined) return null;
  const users = usersOf(id, data);
  if (users.length === 0) return <Nothing />;
  return (
    <Stack gap={2}>
      {users.slice(0, maxShown).map((agent) => (
        <TextLink key={agent.id} to={`/agents/${agent.id}`}>
          {agent.name}
        </TextLink>
      ))}
      {users.length > maxShown && (
        <Hint size="xs">{texts.toolActivity.moreAgents(users.length - maxShown)}</Hint>
      )}
    </Stack>
  );
}

/** Shows how many agents use the workspace, and the names of the first `maxNamed` of them. */
function AgentsOfConnection({ id }: { id: string }) {
  return (
    <Loaded query={useAllAgents()}>
      {(agents) => {
        const users = usersOf(id, agents);
        const names = users.slice(0, maxNamed).map(({ name }) => name);
        return <Multiline>{t.disconnectedAgents(users.length, names)}</Multiline>;
      }}
    </Loaded>
  );
}
