/** The page of tools: the workspaces that the organization can connect, its connections, HTTP tools and MCP servers. */
import { Alert, Badge, Button, SegmentedControl, PasswordInput, Stack, Tabs, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Agent } from '../../../contract/conversations/agents.ts';
import type { ToolConnection } from '../../../contract/workspace/tools.ts';
import { call } from '../../client.ts';
import { DeleteButton, FormDialog } from '../../components/dialogs.tsx';
import { IconPlugConnected, IconPlus } from '../../components/icons.tsx';
import { useFilter } from '../../components/filters.tsx';
import { Page, Section } from '../../components/page.tsx';
import { useAllAgents, useConnections } from '../../components/queries.ts';
import { Empty, Loaded } from '../../components/states.tsx';
import { DataTable, type Column } from '../../components/table.tsx';
import { WorkspaceCalls } from '../../components/tool-activity.tsx';
import { Ago, Hint, Multiline, Nothing, TextLink } from '../../components/text.tsx';
import { useServerForm } from '../../components/use-server-form.ts';
import { isWorkspaceAction } from '../../components/workspace-presets.ts';
import { texts } from '../../messages.ts';
import { useCan, useSession } from '../../shell/session.ts';
import { HealthPanel } from '../data/health.tsx';
import { HttpTools } from '../http-tools/http-tools.tsx';
import { McpServers } from '../mcp-servers/mcp-servers.tsx';
import { Available } from './available.tsx';
import { FindPageButton } from './find-page.tsx';

const t = texts.tools;
const outcomeText: Readonly<Record<string, string | undefined>> = t.outcomes;
const signInText: Readonly<Record<string, string | undefined>> = texts.mcpServers.signInOutcomes;

const tabs = ['available', 'connected', 'http', 'mcp'] as const;

export function Tools() {
  // After an OAuth connection, Parley's callback redirects to this page with the outcome as a parameter of the URL.
  const [outcome] = useState(() => parameter('connection'));
  // After a sign-in at an MCP server, Parley's callback redirects to this page with another parameter.
  const [signIn] = useState(() => parameter('sign_in'));
  const [wanted, setTab] = useFilter('tab');
  const tab = tabs.find((one) => one === wanted) ?? (outcome === null ? 'available' : 'connected');
  // True if a workspace was just connected. The button with which the user can try it then gets the focus.
  const [isNew, setNew] = useState(outcome === 'connected');
  const [connecting, dialog] = useDisclosure(false);
  return (
    <Page title={t.title} lead={t.lead}>
      {outcome !== null && (
        <Alert color={outcome === 'connected' ? 'green' : 'red'} role="status">
          {outcomeText[outcome] ?? t.outcomes.other}
        </Alert>
      )}
      {signIn !== null && (
        <Alert color={signIn === 'signed_in' ? 'green' : 'red'} role="status">
          {signInText[signIn] ?? texts.mcpServers.signInOutcomes.other}
        </Alert>
      )}
      <Tabs value={tab} onChange={(next) => setTab(next ?? undefined)} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="available">{t.available}</Tabs.Tab>
          <Tabs.Tab value="connected">{t.connected}</Tabs.Tab>
          <Tabs.Tab value="http">{texts.httpTools.title}</Tabs.Tab>
          <Tabs.Tab value="mcp">{texts.mcpServers.title}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="available" pt="lg">
          <Stack gap="lg">
            <HealthPanel area="connections" />
            <Available connect={dialog.open} open={setTab} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="connected" pt="lg">
          <Connected connect={dialog.open} isNew={isNew} />
        </Tabs.Panel>
        <Tabs.Panel value="http" pt="lg">
          <HttpTools />
        </Tabs.Panel>
        <Tabs.Panel value="mcp" pt="lg">
          <McpServers />
        </Tabs.Panel>
      </Tabs>
      {connecting && (
        <ConnectTool
          close={dialog.close}
          connected={() => {
            setNew(true);
            setTab('connected');
          }}
        />
      )}
    </Page>
  );
}

const parameter = (name: string): string | null => new URLSearchParams(window.location.search).get(name);

/** @param isOnly true if there is one connection: the calls are counted of all connections together */
const columnsOf = (isOnly: boolean): readonly Column<ToolConnection>[] => [
  {
    label: t.columns.name,
    render: ({ workspace_name }) => (
      <>
        {workspace_name ?? t.unnamed}
        <Hint size="xs" fw={400}>
          {t.docs.name}
        </Hint>
      </>
    ),
  },
  {
    label: t.columns.integration,
    render: ({ integration_name }) => integration_name ?? <Nothing />,
  },
  {
    label: t.columns.usedBy,
    render: ({ id }) => (
      <div>
        <UsersOfConnection id={id} />
        {isOnly && <WorkspaceCalls />}
      </div>
    ),
  },
  { label: t.columns.how, render: ({ auth }) => (auth === 'API_KEY' ? t.apiKey : t.oauth) },
  {
    label: t.columns.status,
    render: ({ status, last_error }) => (
      <Stack gap={4} align="start">
        <Badge color={status === 'connected' ? 'green' : status === 'pending' ? 'gray' : 'yellow'}>
          {t.statuses[status]}
        </Badge>
        {last_error !== undefined && <Text size="xs">{last_error}</Text>}
      </Stack>
    ),
  },
  { label: t.columns.since, render: ({ created_at }) => <Ago at={created_at} /> },
];

const isUsable = ({ status }: ToolConnection) => status === 'connected';

/** @param props.isNew true if a workspace was just connected. The button that finds pages in it then gets the focus. */
function Connected({ connect, isNew }: { connect: () => void; isNew: boolean }) {
  const can = useCan();
  const connections = useConnections();
  const add = (variant: 'default' | 'filled') =>
    can('tools.manage') && (
      <Button variant={variant} leftSection={<IconPlus />} onClick={connect}>
        {t.connectTitle}
      </Button>
    );
  const actionsOf = (first: ToolConnection | undefined) => (connection: ToolConnection) => (
    <>
      {isUsable(connection) && (
        <FindPageButton connection={connection} autoFocus={isNew && connection === first} />
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
  );
  return (
    <Loaded query={connections}>
      {(rows) => (
        <Section
          title={t.workspacesTitle}
          lead={t.workspacesLead}
          actions={rows.length > 0 && add('default')}
        >
          <DataTable
            label={t.connectionsTable}
            rows={rows}
            rowKey={({ id }) => id}
            columns={columnsOf(rows.length === 1)}
            actions={can('tools.manage') ? actionsOf(rows.find(isUsable)) : undefined}
            empty={
              <Empty icon={IconPlugConnected} title={t.emptyTitle} text={t.emptyText}>
                {add('filled')}
              </Empty>
            }
          />
        </Section>
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

/** Connects a workspace with an API key, or opens the workspace's own page to connect it with OAuth 2.0. */
function ConnectTool({ close, connected }: { close: () => void; connected: () => void }) {
  const queries = useQueryClient();
  const { offers_workspace_oauth } = useSession();
  const connecting = useServerForm({
    values: { auth: offers_workspace_oauth ? 'OAUTH2' : 'API_KEY', api_key: '' },
    send: ({ auth, api_key }) =>
      call<ToolConnection>('POST', '/tools/docs/connections', {
        body: { auth, ...(auth === 'API_KEY' && { api_key }) },
      }),
    sent: async ({ authorization_url, notice }) => {
      if (authorization_url !== undefined) {
        window.location.assign(authorization_url);
        return;
      }
      await queries.invalidateQueries({ queryKey: ['connections'] });
      notifications.show({ message: notice ?? t.saved, ...(notice !== undefined && { autoClose: false }) });
      connected();
      close();
    },
  });
  const { form, forget } = connecting;
  const byOAuth = form.values.auth === 'OAUTH2';
  return (
    <FormDialog
      title={t.connectTitle}
      action={byOAuth ? t.oauthGo : t.apiKeySubmit}
      of={connecting}
      close={close}
    >
      {offers_workspace_oauth && (
        <SegmentedControl
          aria-label={t.how}
          data={[
            { value: 'OAUTH2', label: t.oauth },
            { value: 'API_KEY', label: t.apiKey },
          ]}
          value={form.values.auth}
          onChange={(auth) => {
            form.setFieldValue('auth', auth);
            forget();
          }}
          fullWidth
        />
      )}
      {byOAuth ? (
        <Hint>{t.oauthHelp}</Hint>
      ) : (
        <PasswordInput
          label={t.apiKey}
          description={t.apiKeyHelp}
          autoComplete="off"
          required
          {...form.getInputProps('api_key')}
        />
      )}
    </FormDialog>
  );
}
