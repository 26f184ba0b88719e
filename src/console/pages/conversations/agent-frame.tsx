/**
 * The frame of an agent's pages: the agent's name and the links to its settings, playground, versions, rehearsals and
 * channel, as far as the user may open them.
 */
import { Badge, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import type { Agent } from '../../../contract/conversations/agents.ts';
import { Page } from '../../components/page.tsx';
import { useRead } from '../../components/queries.ts';
import { Loaded } from '../../components/states.tsx';
import { Hint } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { NoModelBanner } from '../models/no-model.tsx';
import { AgentActive } from './agent-active.tsx';

const t = texts.agent;

export function AgentFrame(props: { lead?: string; children: (agent: Agent) => ReactNode }) {
  const { lead, children } = props;
  const { id = '' } = useParams();
  const can = useCan();
  const [path] = useLocation();
  const query = useRead<Agent>(['agents', id], `/agents/${id}`);
  const sections = [
    { path: `/agents/${id}`, label: t.settings, shown: true },
    { path: `/agents/${id}/playground`, label: t.playground, shown: can('agents.manage') },
    { path: `/agents/${id}/versions`, label: texts.versions.title, shown: true },
    { path: `/agents/${id}/rehearsals`, label: texts.rehearsals.title, shown: can('conversations.view') },
    { path: `/agents/${id}/channel`, label: t.channel, shown: can('channels.manage') },
  ];
  return (
    <Page
      title={query.data?.name ?? t.settings}
      above={
        <Group justify="space-between" className="agent-top">
          <Link href="/agents" className="back-link">
            ← {t.back}
          </Link>
          <Link href={`/developers?agent=${id}`} className="back-link">
            {texts.quickStart.toQuickStart} →
          </Link>
        </Group>
      }
      mark={query.data && <Marks of={query.data} />}
    >
      <Loaded query={query}>
        {(agent) => (
          <Stack gap="md">
            <nav aria-label={t.sections} className="sections" ref={showCurrent}>
              {sections
                .filter(({ shown }) => shown)
                .map((section) => (
                  <Link
                    key={section.path}
                    href={section.path}
                    aria-current={isIn(path, section.path, id) ? 'page' : undefined}
                  >
                    {section.label}
                  </Link>
                ))}
            </nav>
            {lead !== undefined && <Hint>{lead}</Hint>}
            {agent.uses_default_model && <NoModelBanner />}
            {children(agent)}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Marks({ of }: { of: Agent }) {
  const { active, version, candidate } = of;
  const { version: named, versionShare } = texts.versions;
  const may = useCan()('agents.manage');
  return (
    <Group gap={8}>
      {may ? (
        <AgentActive agent={of} />
      ) : (
        <Badge color={active ? 'green' : 'gray'}>
          {active ? texts.agents.active : texts.agents.inactive}
        </Badge>
      )}
      <Hint span>
        {candidate === undefined
          ? named(version)
          : `${versionShare(version, 100 - candidate.percent)} · ${versionShare(candidate.version, candidate.percent)}`}
      </Hint>
    </Group>
  );
}

/** Scrolls the current section into view: on a phone, the sections may be wider than the screen. */
function showCurrent(sections: HTMLElement | null): void {
  sections?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/**
 * True if `path` is the section's page or a page below it. For the settings, only their own page counts, because the
 * paths of all other sections begin with the path of the settings.
 */
const isIn = (path: string, section: string, agentId: string): boolean =>
  path === section || (section !== `/agents/${agentId}` && path.startsWith(`${section}/`));
