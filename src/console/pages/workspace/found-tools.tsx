/** The organization's tools whose name or description contains a text, with links to them. */
import { Badge, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { HttpTool } from '../../../contract/http-tools/http-tools.ts';
import type { McpServer } from '../../../contract/mcp-servers/mcp-servers.ts';
import type { DocsToolDefinition } from '../../../contract/workspace/actions.ts';
import { IconBrandNotion, IconRequest, IconServers, type Icon } from '../../components/icons.tsx';
import { Row, Rows } from '../../components/rows.tsx';
import { Breakable, Hint, TextLink } from '../../components/text.tsx';
import { textsOf, toolLabel } from '../../components/workspace-presets.ts';
import { texts } from '../../messages.ts';
import { EffectBadge } from '../http-tools/effect-badge.tsx';

const t = texts.tools;

interface Found {
  /** The name by which agents call the tool. */
  tool: string;
  name: string;
  kind: string;
  text: string;
  icon: Icon;
  effect: ReactNode;
  /** The URL's parameter `tab` of the page that shows the tool; undefined for the first one. */
  tab?: string;
}

function allTools(of: {
  actions: readonly DocsToolDefinition[];
  httpTools: readonly HttpTool[];
  servers: readonly McpServer[];
}): Found[] {
  return [
    ...of.httpTools.map(({ name, description, effect }) => ({
      tool: name,
      name,
      kind: t.kinds.http,
      text: description,
      icon: IconRequest,
      effect: <EffectBadge effect={effect} />,
      tab: 'http',
    })),
    ...of.servers.flatMap((server) =>
      server.tools.map(({ name, remote_name, description, effect }) => ({
        tool: name,
        name: remote_name,
        kind: t.kinds.mcp(server.name),
        text: description,
        icon: IconServers,
        effect: <EffectBadge effect={effect} />,
        tab: 'mcp',
      })),
    ),
    ...of.actions.map(({ action, summary, effect }) => ({
      tool: action,
      name: toolLabel(action),
      kind: t.kinds.docs,
      text: textsOf(action)?.text ?? summary,
      icon: IconBrandNotion,
      effect: (
        <Badge color={effect === 'read' ? 'gray' : 'indigo'}>
          {effect === 'read' ? t.effects.read : t.effects.write}
        </Badge>
      ),
    })),
  ];
}

/** Maximum number of tools that are shown. Chosen. */
const maxShown = 20;

/**
 * @param props.wanted the text, in lower case
 * @param props.isAlone true if the page shows nothing else for this text
 * @param props.follow called when the user follows a link
 */
export function FoundTools(props: {
  wanted: string;
  actions: readonly DocsToolDefinition[];
  httpTools: readonly HttpTool[];
  servers: readonly McpServer[];
  isAlone: boolean;
  follow: () => void;
}) {
  const { wanted, isAlone, follow } = props;
  const contains = (...parts: string[]) => parts.join(' ').toLowerCase().includes(wanted);
  const all = allTools(props);
  const named = all.filter(({ tool, name }) => contains(tool, name));
  const found = [...named, ...all.filter((one) => !named.includes(one) && contains(one.text, one.kind))];
  if (found.length === 0)
    return isAlone ? (
      <Text c="dimmed" role="status">
        {t.none}
      </Text>
    ) : null;
  return (
    <Stack gap="xs">
      <Hint role="status">{t.found(found.length, maxShown)}</Hint>
      <Rows label={t.foundTools}>
        {found.slice(0, maxShown).map(({ tool, name, kind, text, icon, effect, tab }) => (
          <Row
            key={tool}
            as="li"
            icon={icon}
            name={
              <TextLink
                to={`/admin/tools?${tab === undefined ? '' : `tab=${tab}&`}tool=${tool}`}
                {...(tab !== undefined && { className: 'mono' })}
                onClick={follow}
              >
                <Breakable text={name} />
              </TextLink>
            }
            help={`${kind} · ${text}`}
          >
            {effect}
          </Row>
        ))}
      </Rows>
    </Stack>
  );
}
