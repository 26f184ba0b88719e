/** Chooses in the playground whether the agent's tools run that change data. */
import { Group, Switch } from '@mantine/core';
import type { Agent } from '../../../contract/conversations/agents.ts';
import { IconAlertTriangle, IconShieldLock } from '../../components/icons.tsx';
import { plainToolName } from '../../components/plain-tool.ts';
import { useHttpTools, useMcpServers, useTools } from '../../components/queries.ts';
import { Hint } from '../../components/text.tsx';
import { texts } from '../../messages.ts';

const t = texts.playground;

/**
 * Names the tools that change data or need an approval, and chooses whether they run in a new conversation. Renders
 * nothing for an agent that has no such tool, and transfers to no agent, which may have one.
 * @param props.isOff true if they do not run in the conversation shown or, if there is none, in a new one
 */
export function ToolsRun(props: {
  agent: Pick<Agent, 'tools' | 'tool_policies' | 'transfers_to'>;
  isOff: boolean;
  choose: (isOff: boolean) => void;
}) {
  const { tools, tool_policies, transfers_to } = props.agent;
  const actions = useTools();
  const httpTools = useHttpTools();
  const servers = useMcpServers();
  if (tools.length > 0 && [actions, httpTools, servers].some(({ isPending }) => isPending)) return null;
  const known = [
    ...(actions.data ?? []).map(({ action, effect }) => ({ name: action, effect })),
    ...(httpTools.data ?? []),
    ...(servers.data ?? []).flatMap((server) => server.tools),
  ];
  const reading = new Set(known.filter(({ effect }) => effect === 'read').map(({ name }) => name));
  for (const { tool, policy } of tool_policies) if (policy === 'ask') reading.delete(tool);
  const writing = tools.filter((tool) => !reading.has(tool)).map((tool) => plainToolName(tool));
  if (writing.length === 0 && transfers_to.length === 0) return null;
  return (
    <Group gap="xs" className="tools-run" data-off={props.isOff || undefined}>
      {props.isOff ? <IconShieldLock size={15} /> : <IconAlertTriangle size={15} />}
      <Hint size="xs" className="tools-run-text" title={t.runToolsHelp}>
        {props.isOff ? t.toolsOff(writing) : t.toolsOn(writing)}
      </Hint>
      <Switch
        size="xs"
        label={t.runTools}
        title={t.runToolsHelp}
        checked={!props.isOff}
        onChange={(event) => props.choose(!event.currentTarget.checked)}
      />
    </Group>
  );
}
