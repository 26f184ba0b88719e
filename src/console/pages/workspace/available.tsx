/** The kinds of tools that an organization can set up, and the search of all its tools by name. */
import { Badge, Button, Group, Stack, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useFilter } from '../../components/filters.tsx';
import { IconNotebook, IconRequest, IconServers, type Icon } from '../../components/icons.tsx';
import { useConnections, useHttpTools, useMcpServers, useTools } from '../../components/queries.ts';
import { Row, Rows } from '../../components/rows.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { Loaded } from '../../components/states.tsx';
import { isWorkspaceAction } from '../../components/workspace-presets.ts';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
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
  const all =
    (tools.data?.length ?? 0) +
    httpTools.length +
    servers.reduce((sum, server) => sum + server.tools.length, 0);
  const [search, setSearch] = useState('');
  const [opened, actions] = useDisclosure(action !== undefined);
  const connected = (connections.data ?? []).filter(({ status }) => status === 'connected');
  const isConnected = connected.length > 0;
  const unsigned = servers.filter(({ status }) => status === 'needs_sign_in').length;
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
              icon={IconNotebook}
              {...t.docs}
              badge={isConnected && <Badge color="green">{t.docs.counted(connected.length)}</Badge>}
            >
              <Button variant="default" onClick={actions.toggle} aria-expanded={opened}>
                {tools.data === undefined ? t.actions : t.seeActions(tools.data.length)}
              </Button>
              {mayManage && (
                <Button variant={isConnected ? 'default' : 'filled'} onClick={connect}>
                  {isConnected ? t.connectAnother : t.connect}
                </Button>
              )}
            </Kind>
          )}
          {matches(t.http) && (
            <Kind
              icon={IconRequest}
              {...t.http}
              badge={httpTools.length > 0 && <Badge color="gray">{t.http.counted(httpTools.length)}</Badge>}
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
              icon={IconServers}
              {...t.mcp}
              badge={
                servers.length > 0 && (
                  <Badge color={unsigned > 0 ? 'yellow' : 'gray'}>
                    {t.mcp.counted(servers.length, unsigned)}
                  </Badge>
                )
              }
            >
              {mayManage && (
                <Button variant="default" component={Link} href="/admin/tools?tab=mcp&open=add">
                  {texts.mcpServers.add}
                </Button>
              )}
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

/** A kind of tools: its name, what it is for, and its buttons. */
function Kind(props: { icon: Icon; name: string; text: string; badge: ReactNode; children: ReactNode }) {
  const { icon, name, text, badge, children } = props;
  return (
    <Row
      as="article"
      label={name}
      icon={icon}
      name={
        <Group gap="xs">
          <Title order={2} size="h5">
            {name}
          </Title>
          {badge}
        </Group>
      }
      help={text}
    >
      <Group gap="xs">{children}</Group>
    </Row>
  );
}
