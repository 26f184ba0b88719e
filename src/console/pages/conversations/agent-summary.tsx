/** Summarizes an agent beside its settings, or below them on a narrow screen: its week, its channel, its tools and its identifier. */
import { Text } from '@mantine/core';
import { Fragment } from 'react';
import type { Agent } from '../../../contract/conversations/agents.ts';
import { CopiedId } from '../../components/copy.tsx';
import { AgentFigure } from '../../components/figure-link.tsx';
import { percentText } from '../../components/format.ts';
import { plainToolName } from '../../components/plain-tool.ts';
import { useAgentChannels, useAgents, useAgentWeek } from '../../components/queries.ts';
import { Facts, Hint, TextLink, type Fact } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';

const t = texts.agent.summary;

/** Maximum number of tools that are named. Chosen. */
const maxNamed = 5;

export function AgentSummary({ agent }: { agent: Agent }) {
  const { id, tools } = agent;
  const agents = useAgents().data ?? [];
  const senders = agents.filter(({ transfers_to }) => transfers_to.includes(id));
  const figures: Fact[] = [
    [t.week, <Week key="week" agentId={id} />],
    [t.channel, <Channel key="channel" agentId={id} />],
    senders.length > 0 && [
      t.senders,
      senders.map((sender, index) => (
        <Fragment key={sender.id}>
          {index > 0 && ', '}
          <TextLink to={`/agents/${sender.id}`}>{sender.name}</TextLink>
        </Fragment>
      )),
    ],
  ];
  const facts: Fact[] = [
    [
      tools.length === 0 ? texts.agent.tools : t.tools(tools.length),
      tools.length === 0 ? (
        <Hint>{t.noTools}</Hint>
      ) : (
        <>
          {tools.slice(0, maxNamed).map((tool) => (
            <div key={tool} title={tool}>
              {plainToolName(tool)}
            </div>
          ))}
          {tools.length > maxNamed && (
            <TextLink to={`/agents/${id}?tab=tools`}>{t.more(tools.length - maxNamed)}</TextLink>
          )}
        </>
      ),
    ],
    [t.identifier, <CopiedId key="id" id={id} label={texts.agent.copyId(texts.agent.agentId)} />],
  ];
  return (
    <aside className="panel facts agent-summary" aria-label={t.title}>
      <div className="agent-figures">
        <Facts facts={figures} />
      </div>
      <Facts facts={facts} />
    </aside>
  );
}

/** Shows the messages and failures of the last 7 days, unless the agent is not among the busiest of many. */
function Week({ agentId }: { agentId: string }) {
  const week = useAgentWeek(agentId);
  if (week === undefined) return null;
  if (typeof week === 'string') return <Hint>{week === 'unlisted' ? t.fewMessages : t.noMessages}</Hint>;
  const { received, answered, failed } = week;
  const share = percentText(failed / (answered + failed));
  return (
    <>
      <AgentFigure of={agentId} count={received} value={texts.agents.received(received)} />
      {failed > 0 && (
        <>
          {' · '}
          <Text span inherit c="var(--mantine-color-error)">
            <AgentFigure
              of={agentId}
              count={failed}
              only="failed"
              value={texts.agents.failed(failed, share)}
            />
          </Text>
        </>
      )}
    </>
  );
}

/** Shows the connected WhatsApp number, or the state of the channel, with a link to it if the user may open it. */
function Channel({ agentId }: { agentId: string }) {
  const may = useCan()('channels.manage');
  const { data } = useAgentChannels();
  if (data === undefined) return null;
  const found = data.find(({ agent_id }) => agent_id === agentId);
  const { states } = texts.channel;
  const number = found?.connected_number ?? null;
  const shown = number === null ? states[found?.state ?? 'not_connected'] : `+${number}`;
  return may ? <TextLink to={`/agents/${agentId}/channel`}>{shown}</TextLink> : shown;
}
