/** Shows which agents use a tool, how often it was called today, and how many of the calls failed. */
import { Text } from '@mantine/core';
import type { ToolActivity } from '../../contract/data/tool-activity.ts';
import { texts } from '../messages.ts';
import { useRead } from './queries.ts';
import { TextLink } from './text.tsx';

const t = texts.toolActivity;

/** Polls, every 30 s, the agents of each tool and its calls since midnight in the user's time zone. */
export const useToolActivity = () =>
  useRead<ToolActivity>(['tool-activity'], '/tool-activity', {
    query: { since: new Date(new Date().setHours(0, 0, 0, 0)).toISOString() },
    refetchInterval: 30_000,
  });

/** Finds the use of a tool; without a name, of all workspace actions together. */
const activityOf = (data: ToolActivity | undefined, tool: string | undefined) =>
  tool === undefined ? data?.workspace : data?.data.find((one) => one.tool === tool);

/**
 * Shows the first agent that uses the tool and how many others do, and today's calls and failures. Renders nothing
 * until they are loaded.
 * @param props.tool if absent, all workspace actions together
 */
export function ActivityText({ tool }: { tool?: string }) {
  const { data } = useToolActivity();
  if (data === undefined) return null;
  const { agents = 0, first_agents = [], calls = 0, failed = 0 } = activityOf(data, tool) ?? {};
  return (
    <Text span inherit className="plain-text">
      {t.usedBy(first_agents[0]?.name, agents)}: {data.is_complete ? t.calls(calls) : t.callsAtLeast(calls)}
      {failed > 0 && (
        <>
          ,{' '}
          <Text span inherit c="red" className="short">
            {t.failed(failed)}
          </Text>
        </>
      )}
    </Text>
  );
}

/** Shows both parts of a tool's use in the cell of a table. */
export function ToolUse({ tool }: { tool: string }) {
  return (
    <>
      <ActivityText tool={tool} />
      <AgentsOfTool tool={tool} />
    </>
  );
}

/**
 * Links to the agents that use a tool. If the API names only the first of them, also links to the list of all agents.
 * Renders nothing until the agents are loaded, or if no agent uses the tool.
 * @param props.tool if absent, all workspace actions together
 */
export function AgentsOfTool({ tool }: { tool?: string }) {
  const { data } = useToolActivity();
  const found = activityOf(data, tool);
  if (found === undefined || found.agents === 0) return null;
  const { agents, first_agents } = found;
  return (
    <Text size="xs" c="dimmed" component="div">
      {first_agents.map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <TextLink to={`/agents/${id}`} size="xs">
            {name}
          </TextLink>
        </span>
      ))}
      {agents > first_agents.length && (
        <>
          {' '}
          <TextLink to="/agents" size="xs">
            {t.moreAgents(agents - first_agents.length)}
          </TextLink>
        </>
      )}
    </Text>
  );
}
