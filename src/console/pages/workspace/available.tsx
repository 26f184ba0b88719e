/** The kinds of tools that an organization can set up, and the search of all its tools by name. */
import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import type { McpServer } from '../../../contract/mcp-servers/mcp-servers.ts';
import { useFilter } from '../../components/filters.tsx';
import { IconNotebook, IconPlugConnected, IconWebhook, type Icon } from '../../components/icons.tsx';
import { useConnections, useHttpTools, useMcpServers, useTools } from '../../components/queries.ts';
import { Row, Rows } from '../../components/rows.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { Loaded } from '../../components/states.tsx';
import { Hint, TextLink } from '../../components/text.tsx';
import { ToolUse, ToolUseOfAll } from '../../components/tool-activity.tsx';
import { isWorkspaceAction } from '../../components/workspace-presets.ts';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { problemColor, ServerState } from '../mcp-servers/server-state.tsx';
import { FoundTools } from './found-tools.tsx';
import { ToolActions } from './tool-actions.tsx';

const t = texts.tools;

interface Props {
  connect: () => void;
  open: (tab: string) => void;
}

/** If the URL's parameter `tool` is a workspace action, shows that action. */
export function Available(props: Props) {
  const [tool] = useFilter('tool');
  const action = tool !== undefined && isWorkspaceAction(tool) ? tool : undefined;
  return <Kinds key={action} action={action} {...props} />;
}

function Kinds({ action, connect, open }: Props & { action: string | undefined }) {
  const can = useCan();
  const tools = useTools();
  const connections = useConnections();
  const httpTools = useHttpTools().data ?? [];
  const servers = useMcpServers().data ?? [];
  const [search, setSearch] = useState('');
  const [opened, actions] = useDisclosure(action !== undefined);
  const connected = (connections.data ?? []).filter(({ status }) => status === 'connected');
  const isConnected = connected.length > 0;
  const wanted = search.trim().toLowerCase();
  const matches = ({ name, text }: { name: string; text: string }) =>
    `${name} ${text}`.toLowerCase().includes(wanted);
  const fits = matches(t.docs);
  const shown = [t.docs, t.http, t.mcp].filter(matches);
  return (
    <Stack gap="lg">
      <SearchField label={t.search} text={search} setText={setSearch} />
      {shown.length > 0 && (
        <Rows>
          {fits && (
            <Kind
              icon={IconNotebook}
              {...t.docs}
              badge={isConnected && <Badge color="green">{t.isConnected}</Badge>}
              more={
                isConnected && (
                  <>
                    <Text size="sm">
                      {t.workspaces(connected.map(({ workspace_name }) => workspace_name ?? t.unnamed))}
                    </Text>
                    <ToolUse />
                  </>
                )
              }
            >
              <Button variant="default" onClick={actions.toggle} aria-expanded={opened}>
                {tools.data === undefined ? t.actions : t.seeActions(tools.data.length)}
              </Button>
              {can('tools.manage') && (
                <Button variant={isConnected ? 'default' : 'filled'} onClick={connect}>
                  {isConnected ? t.connectAnother : t.connect}
                </Button>
              )}
            </Kind>
          )}
          {matches(t.http) && (
            <Kind
              icon={IconWebhook}
              {...t.http}
              badge={httpTools.length > 0 && <Badge color="gray">{t.http.counted(httpTools.length)}</Badge>}
              more={
                httpTools.length > 0 && (
                  <>
                    <Names
                      of={httpTools.map(({ id, name }) => ({
                        id,
                        shown: (
                          <TextLink to={`/admin/tools?tab=http&tool=${name}`} className="mono">
                            {name}
                          </TextLink>
                        ),
                      }))}
                    />
                    <ToolUseOfAll tools={httpTools.map(({ name }) => name)} />
                  </>
                )
              }
            >
              <Button variant="default" onClick={() => open('http')}>
                {t.http.action}
              </Button>
            </Kind>
          )}
          {matches(t.mcp) && (
            <Kind
              icon={IconPlugConnected}
              {...t.mcp}
              badge={servers.length > 0 && <Badge color="gray">{t.mcp.counted(servers.length)}</Badge>}
              more={
                servers.length > 0 && (
                  <>
                    <Names
                      of={servers.map((server) => ({
                        id: server.id,
                        shown: <ServerLine server={server} />,
                      }))}
                    />
                    <ToolUseOfAll tools={servers.flatMap((server) => server.tools.map(({ name }) => name))} />
                  </>
                )
              }
            >
              <Button variant="default" onClick={() => open('mcp')}>
                {t.mcp.action}
              </Button>
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
          {(all) => <ToolActions actions={all} workspaces={connected} wanted={action} />}
        </Loaded>
      )}
    </Stack>
  );
}

/** A kind of tools: its name, what is set up, and its buttons. @param props.more what is set up; false if nothing is */
function Kind(props: {
  icon: Icon;
  name: string;
  text: string;
  badge: ReactNode;
  more: ReactNode;
  children: ReactNode;
}) {
  const { icon, name, text, badge, more, children } = props;
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
      help={
        <>
          {text}
          {more !== false && (
            <Stack gap={4} mt={8} c="var(--mantine-color-text)">
              {more}
            </Stack>
          )}
        </>
      }
    >
      <Group gap="xs">{children}</Group>
    </Row>
  );
}

/** Maximum number of tools or servers that a kind names. Chosen. */
const maxShown = 4;

function Names({ of }: { of: readonly { id: string; shown: ReactNode }[] }) {
  return (
    <ul className="card-list">
      {of.slice(0, maxShown).map(({ id, shown }) => (
        <li key={id}>{shown}</li>
      ))}
      {of.length > maxShown && <li>{texts.toolActivity.moreAgents(of.length - maxShown)}</li>}
    </ul>
  );
}

/** The name of an MCP server, with the number of its tools or, if they cannot be called, that it needs attention. */
function ServerLine({ server }: { server: McpServer }) {
  return (
    <Group gap="xs">
      <TextLink to="/admin/tools?tab=mcp" className="mono">
        {server.name}
      </TextLink>
      {problemColor(server) === undefined ? (
        <Hint span>{t.http.counted(server.tools.length)}</Hint>
      ) : (
        <ServerState server={server} />
      )}
    </Group>
  );
}
