/** The connections that agents can use: workspaces and MCP servers. */
import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Agent } from '../../../contract/conversations/agents.ts';
import type { McpServer } from '../../../contract/mcp-servers/mcp-servers.ts';
import type { ToolConnection } from '../../../contract/workspace/tools.ts';
import { IconBrandNotion, IconPlugConnected, IconPlus, IconServers } from '../../components/icons.tsx';
import { Section } from '../../components/page.tsx';
import { useAllAgents, useConnections, useHttpTools, useMcpServers } from '../../components/queries.ts';
import { deletion, RowActions } from '../../components/row-actions.tsx';
import { IconTile } from '../../components/rows.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { DataTable, type Column } from '../../components/table.tsx';
import { ToolUseOfAll, WorkspaceCalls } from '../../components/tool-activity.tsx';
import { Day, Hint, Multiline, Nothing, TextLink } from '../../components/text.tsx';
import { isWorkspaceAction } from '../../components/workspace-presets.ts';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { ServerState } from '../mcp-servers/server-state.tsx';
import { removalOf } from '../mcp-servers/removal.ts';
import { SignIn } from '../mcp-servers/sign-in.tsx';
import { FindPageButton } from './find-page.tsx';

const t = texts.tools;

type Row =
  { kind: 'workspace'; connection: ToolConnection; isOnly: boolean } | { kind: 'mcp'; server: McpServer };

const columns: readonly Column<Row>[] = [
  {
    label: t.columns.name,
    render: (row) => (
      <Group gap="sm" wrap="nowrap" className="has-picture">
        <IconTile icon={row.kind === 'mcp' ? IconServers : IconBrandNotion} isSmall />
        <div>
          {row.kind === 'mcp' ? (
            <Link href="/admin/tools?tab=mcp" className="figure-link">
              {row.server.name}
            </Link>
          ) : (
            t.docs.name
          )}
          <Hint size="xs" fw={400}>
            {kindOf(row)}
          </Hint>
        </div>
      </Group>
    ),
  },
  { label: t.columns.usedBy, before: '', render: (row) => <UsedBy row={row} /> },
  { label: t.columns.status, isStatus: true, render: (row) => <Status row={row} /> },
  {
    label: t.columns.how,
    before: '',
    render: (row) => (
      <div>
        <span>{accessTo(row)}</span>
        {row.kind === 'workspace' && row.connection.integration_name !== null && (
          <Hint size="xs" className="wide-only">
            {t.actsAs(row.connection.integration_name)}
          </Hint>
        )}
      </div>
    ),
  },
  {
    label: t.columns.added,
    isMinor: true,
    render: (row) => <Day at={(row.kind === 'mcp' ? row.server : row.connection).created_at} />,
  },
];

function kindOf(row: Row): string {
  if (row.kind === 'workspace') return row.connection.workspace_name ?? t.unnamed;
  const { tools } = row.server;
  return tools.length === 0 ? t.mcpServer : `${t.mcpServer} · ${t.http.counted(tools.length)}`;
}

function needsAttention(row: Row): boolean {
  return row.kind === 'mcp' ? row.server.status !== 'connected' : row.connection.status === 'needs_reconnect';
}

function UsedBy({ row }: { row: Row }) {
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

/** @returns how Parley proves who it is */
function accessTo(row: Row): string {
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
    if (row.kind === 'mcp') {
      const { name, status } = row.server;
      const needsSignIn = mayManage && status === 'needs_sign_in';
      return (
        <RowActions
          name={name}
          buttons={2}
          actions={[
            needsSignIn && {
              label: t.signIn,
              name: t.signInAt(name),
              isUrgent: true,
              dialog: (close) => <SignIn server={row.server} close={close} />,
            },
            mayManage && removalOf(row.server),
          ]}
        />
      );
    }
    const { connection } = row;
    const name = connection.workspace_name ?? t.unnamed;
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
          <RowActions
            name={name}
            actions={[
              deletion({
                ...t.disconnect(name),
                path: `/tools/docs/connections/${connection.id}`,
                query: 'connections',
                children: <AgentsOfConnection id={connection.id} />,
              }),
            ]}
          />
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
                      rowKey={(row) => (row.kind === 'mcp' ? row.server : row.connection).id}
                      columns={columns}
                      actions={actionsOf}
                      empty={
                        <Empty icon={IconPlugConnected} title={t.emptyTitle} text={t.emptyText}>
                          {add('filled')}
                        </Empty>
                      }
                    />
                    {tools.length > 0 && (
                      <Hint>
                        {t.httpElsewhere(tools.length)}{' '}
                        <TextLink to="/admin/tools?tab=http">{t.toHttp(tools.length)}</TextLink>
                      </Hint>
                    )}
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
