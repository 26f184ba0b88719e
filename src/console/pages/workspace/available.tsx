/** The kinds of tools that an organization can set up, and the search of all its tools by name. */
import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { McpServer } from '../../../contract/mcp-servers/mcp-servers.ts';
import { DialogButton } from '../../components/dialogs.tsx';
import { useFilter } from '../../components/filters.tsx';
import { IconBrandNotion, IconRequest, IconServers, type Icon } from '../../components/icons.tsx';
import { plainToolName } from '../../components/plain-tool.ts';
import { useConnections, useHttpTools, useMcpServers, useTools } from '../../components/queries.ts';
import { Row, Rows } from '../../components/rows.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { Loaded } from '../../components/states.tsx';
import { KindUse } from '../../components/tool-activity.tsx';
import { isWorkspaceAction } from '../../components/workspace-presets.ts';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { problemColor } from '../mcp-servers/server-state.tsx';
import { SignIn } from '../mcp-servers/sign-in.tsx';
import { FoundTools } from './found-tools.tsx';
import { ToolActions } from './tool-actions.tsx';

const t = texts.tools;

/** If the URL's parameter `tool` is a workspace action, shows that action. */
export function Available({ connect }: { connect: () => void }) {
  const [tool] = useFilter('tool');
  const action = tool !== undefined && isWorkspaceAction(tool) ? tool : undefined;
  return <Kinds key={action} action={action} connect={connect} />;
}

function Kinds({ action, connect }: { action: string | undefined; connect: () => void }) {
  const mayManage = useCan()('tools.manage');
  const tools = useTools();
  const connections = useConnections();
  const httpTools = useHttpTools().data ?? [];
  const servers = useMcpServers().data ?? [];
  const ofServers = servers.flatMap((server) => server.tools);
  const all = (tools.data?.length ?? 0) + httpTools.length + ofServers.length;
  const [search, setSearch] = useState('');
  const [opened, actions] = useDisclosure(action !== undefined);
  const connected = (connections.data ?? []).filter(({ status }) => status === 'connected');
  const refused = (connections.data ?? []).filter(({ status }) => status === 'needs_reconnect');
  const isKnown = connected.length + refused.length > 0;
  const unsigned = servers.filter(({ status }) => status === 'needs_sign_in');
  const wanted = search.trim().toLowerCase();
  const matches = ({ name, text }: { name: string; text: string }) =>
    `${name} ${text}`.toLowerCase().includes(wanted);
  const fits = matches(t.docs);
  const shown = [t.docs, t.http, t.mcp].filter(matches);
  return (
    <Stack gap="lg">
      <SearchField
        label={t.search}
        placeholder={tools.data && t.searchAll(all)}
        text={search}
        setText={setSearch}
      />
      {shown.length > 0 && (
        <Rows>
          {fits && (
            <Kind
              tab="connected"
              icon={IconBrandNotion}
              {...t.docs}
              state={
                isKnown && (
                  <>
                    {connected.length > 0 && (
                      <Count color="green" tab="connected" text={t.docs.counted(connected.length)} />
                    )}
                    {refused.length > 0 && (
                      <Count color="red" tab="connected" text={t.docs.refused(refused.length)} />
                    )}
                    <KindUse tools="workspace" failures={pathOf('connected')} />
                  </>
                )
              }
            >
              <Button variant="default" onClick={actions.toggle} aria-expanded={opened}>
                {tools.data === undefined ? t.actions : t.seeActions(tools.data.length)}
              </Button>
              {mayManage && (
                <Button variant={isKnown && refused.length === 0 ? 'default' : 'filled'} onClick={connect}>
                  {refused.length > 0 ? t.reconnect : isKnown ? t.connectAnother : t.connect}
                </Button>
              )}
            </Kind>
          )}
          {matches(t.http) && (
            <Kind
              tab="http"
              icon={IconRequest}
              {...t.http}
              state={
                httpTools.length > 0 && (
                  <>
                    <Count color="gray" tab="http" text={t.http.counted(httpTools.length)} />
                    <Names of={httpTools} />
                    <KindUse tools={httpTools.map(({ name }) => name)} failures={pathOf('http')} />
                  </>
                )
              }
            >
              {mayManage && (
                <Button variant="default" component={Link} href="/admin/tools?tab=http&open=add">
                  {texts.httpTools.add}
                </Button>
              )}
            </Kind>
          )}
          {matches(t.mcp) && (
            <Kind
              tab="mcp"
              icon={IconServers}
              {...t.mcp}
              state={
                servers.length > 0 && (
                  <>
                    <Count
                      color={colorOf(unsigned)}
                      tab="mcp"
                      text={t.mcp.counted(servers.length, unsigned.length)}
                    />
                    <Names of={ofServers} />
                    <KindUse tools={ofServers.map(({ name }) => name)} failures={pathOf('mcp')} />
                  </>
                )
              }
            >
              {mayManage && (
                <Button variant="default" component={Link} href="/admin/tools?tab=mcp&open=add">
                  {texts.mcpServers.add}
                </Button>
              )}
              {mayManage && <SignInButton servers={unsigned} />}
            </Kind>
          )}
        </Rows>
      )}
      {wanted !== '' && (
        <FoundTools
          {...{ wanted, httpTools, servers }}
          actions={tools.data ?? []}
          isAlone={shown.length === 0}
          follow={() => setSearch('')}
        />
      )}
      {opened && fits && (
        <Loaded query={tools}>
          {(found) => <ToolActions actions={found} workspaces={connected} wanted={action} />}
        </Loaded>
      )}
    </Stack>
  );
}

const pathOf = (tab: string) => `/admin/tools?tab=${tab}`;

/** Maximum number of tools that a row names. Chosen. */
const maxNamed = 5;

/** The plain names of the first tools. Renders nothing without any. */
function Names({ of: tools }: { of: readonly { name: string }[] }) {
  const names = tools.slice(0, maxNamed).map(({ name }) => plainToolName(name));
  const more = tools.length - names.length;
  return (
    names.length > 0 && (
      <Text span size="sm" c="var(--mantine-color-text)">
        {names.join(', ')}
        {more > 0 && ` ${texts.toolActivity.moreAgents(more)}`}
      </Text>
    )
  );
}

/** How much of a kind of tools is set up, as a link to the tab that shows it. */
function Count({ color, tab, text }: { color: string; tab: string; text: string }) {
  return (
    <Badge component={Link} href={pathOf(tab)} className="badge-link" color={color}>
      {text}
    </Badge>
  );
}

/** @returns the colour of the worst problem of the servers; gray without one */
function colorOf(servers: readonly McpServer[]): 'red' | 'yellow' | 'gray' {
  const colors = servers.map(problemColor);
  return colors.includes('red') ? 'red' : colors.includes('yellow') ? 'yellow' : 'gray';
}

/** Begins the sign-in at the only server that needs one; with several, leads to their list. Renders nothing without any. */
function SignInButton({ servers }: { servers: readonly McpServer[] }) {
  const [first, ...others] = servers;
  if (first === undefined) return null;
  if (others.length > 0)
    return (
      <Button component={Link} href={pathOf('mcp')}>
        {t.signIn}
      </Button>
    );
  return (
    <DialogButton label={t.signInAt(first.name)}>
      {(close) => <SignIn server={first} close={close} />}
    </DialogButton>
  );
}

/**
 * A kind of tools: its name, what it is for, and its buttons. A click elsewhere on the row opens the kind's tab.
 * @param props.state how much of it is set up and what needs attention; false if nothing is
 */
function Kind(props: {
  tab: string;
  icon: Icon;
  name: string;
  text: string;
  state: ReactNode;
  children: ReactNode;
}) {
  const { tab, icon, name, text, state, children } = props;
  return (
    <Row
      as="article"
      label={name}
      icon={icon}
      name={
        <Title order={2} size="h5">
          <Link href={pathOf(tab)} className="covering-link">
            {name}
          </Link>
        </Title>
      }
      help={
        <>
          {text}
          <Group gap="xs" mt={6}>
            {state === false ? t.notSetUp : state}
          </Group>
        </>
      }
    >
      <Group gap="xs">{children}</Group>
    </Row>
  );
}
