/** Shows which agents use a tool, how often it was called today, how many of the calls failed, and the last call. */
import { Text } from '@mantine/core';
import { Fragment } from 'react';
import type { ToolActivity } from '../../contract/data/tool-activity.ts';
import { texts } from '../messages.ts';
import { useRead } from './queries.ts';
import { Ago, TextLink } from './text.tsx';
import { isWorkspaceAction } from './workspace-presets.ts';

const t = texts.toolActivity;
type ToolOfActivity = ToolActivity['data'][number];
type Use = ToolActivity['workspace'] &
  Pick<ToolActivity, 'is_complete'> &
  Partial<Pick<ToolOfActivity, 'last'>>;

/** Polls, every 30 s, the agents of each tool and its calls since midnight in the user's time zone. */
const useToolActivity = () =>
  useRead<ToolActivity>(['tool-activity'], '/tool-activity', {
    query: { since: new Date(new Date().setHours(0, 0, 0, 0)).toISOString() },
    refetchInterval: 30_000,
  }).data;

/**
 * Reads the agents of a tool and its calls of today.
 * @param tool if absent, all workspace actions together
 * @returns undefined until they are loaded
 */
function useToolUse(tool: string | undefined): Use | undefined {
  const data = useToolActivity();
  if (data === undefined) return undefined;
  const use =
    tool === undefined
      ? { ...data.workspace, last: lastOf(data.data.filter((one) => isWorkspaceAction(one.tool))) }
      : data.data.find((one) => one.tool === tool);
  const { is_complete } = data;
  return { ...(use ?? { calls: 0, failed: 0, agents: 0, first_agents: [] }), is_complete };
}

/** @returns the newest call of several tools; null if none was ever called */
const lastOf = (tools: readonly ToolOfActivity[]): ToolOfActivity['last'] =>
  tools.flatMap(({ last }) => last ?? []).toSorted((a, b) => b.at.localeCompare(a.at))[0] ?? null;

/**
 * Shows the agents that use a tool, as links, and today's calls and failures. If the API names only the first agents,
 * a link to the list of all agents follows. Renders nothing until they are loaded.
 * @param props.tool if absent, all workspace actions together
 * @param props.omitsCalls true: shows only the agents, and nothing if there are none
 */
export function ToolUse({ tool, omitsCalls = false }: { tool?: string; omitsCalls?: boolean }) {
  const use = useToolUse(tool);
  if (use === undefined || (omitsCalls && use.agents === 0)) return null;
  return <Shown use={use} omitsCalls={omitsCalls} />;
}

function Shown(props: { use: Use; omitsCalls: boolean; failures?: string | undefined }) {
  const { use, omitsCalls, failures } = props;
  const { agents } = use;
  return (
    <Text span size="sm" className="plain-text">
      {agents === 0 ? t.usedByCount(0) : `${t.usedBy(agents)} `}
      <Agents {...use} />
      {!omitsCalls && (
        <>
          : <Calls {...use} failures={failures} />
        </>
      )}
    </Text>
  );
}

/**
 * Shows a tool's use in a table, below the heading “Use”: the agents that use it, and on a second line the calls of
 * today. Renders nothing until they are loaded.
 */
export function ToolUseLines({ tool }: { tool: string }) {
  const use = useToolUse(tool);
  return use && <Lines {...use} />;
}

function Lines(use: Use) {
  return (
    <div>
      <Text size="sm" className="plain-text">
        {use.agents === 0 ? t.noAgent : <Agents {...use} />}
      </Text>
      <CallsLine {...use} />
    </div>
  );
}

/** Shows today's calls of all workspace actions together, as a line of a table. Renders nothing until they are loaded. */
export function WorkspaceCalls() {
  const use = useToolUse(undefined);
  return use && <CallsLine {...use} />;
}

function CallsLine(use: Use & { failures?: string }) {
  return (
    <>
      <Text size="xs" c="dimmed" className="first-upper short">
        <Calls {...use} />
      </Text>
      {use.last && <LastCall {...use.last} />}
    </>
  );
}

/** The outcome of a call, with a link to its conversation and its error, if the user may see them. */
function LastCall({ at, status, conversation_id, problem }: NonNullable<ToolOfActivity['last']>) {
  const color = status === 'failed' ? 'var(--mantine-color-error)' : 'dimmed';
  const outcome = t.last[status];
  return (
    <>
      <Text size="xs" c={color} className="short">
        {conversation_id === null ? (
          outcome
        ) : (
          <TextLink to={`/conversations/${conversation_id}`} inherit c={color}>
            {outcome}
          </TextLink>
        )}{' '}
        · <Ago at={at} />
      </Text>
      {problem !== null && (
        <Text size="xs" c={color} lineClamp={2} maw={220} title={problem}>
          {problem}
        </Text>
      )}
    </>
  );
}

/** Links to the first agents that use a tool. If there are more, a link to the list of all agents follows. */
function Agents({ agents, first_agents }: Use) {
  return (
    <>
      {first_agents.map(({ id, name }, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <TextLink to={`/agents/${id}`}>{name}</TextLink>
        </Fragment>
      ))}
      {agents > first_agents.length && (
        <>
          {' '}
          <TextLink to="/agents">{t.moreAgents(agents - first_agents.length)}</TextLink>
        </>
      )}
    </>
  );
}

/**
 * Shows, in a table, the agents that use some of several tools, and today's calls of all of them together. If the API
 * names only the first agents of a tool, or there are many, shows the calls alone. Renders nothing until they are loaded.
 */
export function ToolUseOfAll({ tools }: { tools: readonly string[] }) {
  const use = useUseOfAll(tools);
  if (use === undefined) return null;
  return use.isNamed ? <Lines {...use} /> : <CallsLine {...use} />;
}

/**
 * Shows the use of several tools together, or of all workspace actions, as a sentence. Renders nothing until it is loaded.
 * @param props.failures path of the page that shows which calls failed
 */
export function KindUse({ tools, failures }: { tools: readonly string[] | 'workspace'; failures: string }) {
  const all = useToolUse(undefined);
  const some = useUseOfAll(tools === 'workspace' ? [] : tools);
  const use = tools === 'workspace' ? all && { ...all, isNamed: true } : some;
  if (use === undefined) return null;
  return use.isNamed ? (
    <Shown use={use} omitsCalls={false} failures={failures} />
  ) : (
    <CallsLine {...use} failures={failures} />
  );
}

/**
 * Reads the agents that use some of several tools, and today's calls of all of them together.
 * @returns `isNamed`: false if a tool has more agents than the API names, or there are too many to name; undefined until
 * they are loaded
 */
function useUseOfAll(tools: readonly string[]): (Use & { isNamed: boolean }) | undefined {
  const data = useToolActivity();
  if (data === undefined) return undefined;
  const uses = data.data.filter(({ tool }) => tools.includes(tool));
  const agents = new Map(uses.flatMap(({ first_agents }) => first_agents.map((one) => [one.id, one])));
  const sum = (field: 'calls' | 'failed') => uses.reduce((total, use) => total + use[field], 0);
  return {
    calls: sum('calls'),
    failed: sum('failed'),
    is_complete: data.is_complete,
    last: lastOf(uses),
    agents: agents.size,
    first_agents: [...agents.values()],
    isNamed: agents.size <= maxNamed && uses.every((one) => one.agents === one.first_agents.length),
  };
}

/** Maximum number of agents that a line of a list names. Chosen. */
const maxInLine = 2;

/** Maximum number of agents that are named. Chosen. */
const maxNamed = 4;

/** Names the first agents that use a tool, and shows today's calls. Renders nothing if there are neither agents nor calls. */
export function ToolUseCount({ tool }: { tool: string }) {
  const use = useToolUse(tool);
  if (use === undefined || use.agents + use.calls === 0) return null;
  const names = use.first_agents.slice(0, maxInLine).map(({ name }) => name);
  const others = use.agents - names.length;
  return (
    <Text span size="xs" c="dimmed">
      {use.agents === 0 ? t.usedByCount(0) : `${t.usedBy(use.agents)} ${names.join(', ')}`}
      {others > 0 && ` ${t.moreAgents(others)}`}
      {use.calls > 0 && (
        <>
          : <Calls {...use} />
        </>
      )}
    </Text>
  );
}

/** @param props.failures a path to which the number of failures links */
function Calls({ calls, failed, is_complete, failures }: Use & { failures?: string | undefined }) {
  const count = t.failed(failed);
  return (
    <>
      {is_complete ? t.calls(calls) : t.callsAtLeast(calls)}
      {failed > 0 && (
        <>
          ,{' '}
          <Text span inherit c="var(--mantine-color-error)" className="short">
            {failures === undefined ? (
              count
            ) : (
              <TextLink to={failures} inherit c="inherit">
                {count}
              </TextLink>
            )}
          </Text>
        </>
      )}
    </>
  );
}
