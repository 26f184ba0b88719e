/** The header of an agent's pages: its name and the tabs for settings, playground and channel. */
import { Badge, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import type { Agent } from '../../../contract/conversations/agents.ts';
import { call } from '../../client.ts';
import { Page } from '../../components/page.tsx';
import { Loaded } from '../../components/states.tsx';
import { words } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';

const w = words.agent;

export function AgentFrame(props: { lead?: string; children: (agent: Agent) => ReactNode }) {
  const { lead, children } = props;
  const { id = '' } = useParams();
  const can = useCan();
  const [path] = useLocation();
  const query = useQuery({
    queryKey: ['agents', id],
    queryFn: () => call<Agent>('GET', `/agents/${id}`),
  });
  const sections = [
    { path: `/agents/${id}`, label: w.settings, shown: true },
    { path: `/agents/${id}/playground`, label: w.playground, shown: can('agents.manage') },
    { path: `/agents/${id}/channel`, label: w.channel, shown: can('channels.manage') },
  ];
  return (
    <Page
      title={query.data?.name ?? w.settings}
      lead={lead}
      above={
        <Link href="/agents" className="back-link">
          ← {w.back}
        </Link>
      }
      mark={query.data?.active === false && <Badge color="gray">{words.agents.inactive}</Badge>}
    >
      <Loaded query={query}>
        {(agent) => (
          <Stack gap="lg">
            <nav aria-label={w.sections} className="sections">
              {sections
                .filter(({ shown }) => shown)
                .map((section) => (
                  <Link
                    key={section.path}
                    href={section.path}
                    aria-current={path === section.path ? 'page' : undefined}
                  >
                    {section.label}
                  </Link>
                ))}
            </nav>
            {children(agent)}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}
