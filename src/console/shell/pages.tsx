/** Which page a path opens. Each is loaded when it is first needed. */
import { lazy, Suspense, type ComponentType } from 'react';
import { Link, Route, Switch } from 'wouter';
import { Anchor } from '@mantine/core';
import type { Capability } from '../../contract/console/capabilities.ts';
import { Empty } from '../pieces/empty.tsx';
import { IconLock, IconMapOff } from '@tabler/icons-react';
import { Page } from '../pieces/page.tsx';
import { words } from '../words.ts';
import { useCan } from './session.ts';

interface Entry {
  path: string;
  page: ComponentType;
  /** One of these is enough. */
  needs?: readonly Capability[];
}

const entries: readonly Entry[] = [
  { path: '/', page: lazy(async () => ({ default: (await import('../pages/overview.tsx')).OverviewPage })) },
  {
    path: '/settings/api',
    page: lazy(async () => ({ default: (await import('../pages/api-tokens.tsx')).ApiTokens })),
    needs: ['tokens.view', 'tokens.create', 'tokens.delete'],
  },
  {
    path: '/connect-mcp',
    page: lazy(async () => ({ default: (await import('../pages/connect-mcp.tsx')).ConnectMcp })),
    needs: ['tokens.create'],
  },
  { path: '/admin/tools', page: lazy(async () => ({ default: (await import('../pages/tools.tsx')).Tools })) },
  { path: '/agents', page: lazy(async () => ({ default: (await import('../pages/agents.tsx')).Agents })) },
  {
    path: '/agents/:id',
    page: lazy(async () => ({ default: (await import('../pages/agent.tsx')).AgentSettings })),
  },
  {
    path: '/agents/:id/playground',
    page: lazy(async () => ({ default: (await import('../pages/playground.tsx')).Playground })),
    needs: ['agents.manage'],
  },
  {
    path: '/agents/:id/channel',
    page: lazy(async () => ({ default: (await import('../pages/channel.tsx')).ChannelPage })),
    needs: ['channels.manage'],
  },
  {
    path: '/conversations',
    page: lazy(async () => ({ default: (await import('../pages/conversations.tsx')).Conversations })),
    needs: ['conversations.view'],
  },
  {
    path: '/conversations/:id',
    page: lazy(async () => ({ default: (await import('../pages/conversation.tsx')).Conversation })),
    needs: ['conversations.view'],
  },
  {
    path: '/deliveries',
    page: lazy(async () => ({ default: (await import('../pages/deliveries.tsx')).Deliveries })),
    needs: ['deliveries.view'],
  },
  {
    path: '/members',
    page: lazy(async () => ({ default: (await import('../pages/members.tsx')).Members })),
    needs: ['members.manage'],
  },
  {
    path: '/roles',
    page: lazy(async () => ({ default: (await import('../pages/roles.tsx')).Roles })),
    needs: ['members.manage'],
  },
  {
    path: '/audit',
    page: lazy(async () => ({ default: (await import('../pages/audit.tsx')).Audit })),
    needs: ['audit.view'],
  },
  {
    path: '/data',
    page: lazy(async () => ({ default: (await import('../pages/data.tsx')).Data })),
    needs: ['data.manage'],
  },
  { path: '/account', page: lazy(async () => ({ default: (await import('../pages/account.tsx')).Account })) },
];

export function Pages() {
  return (
    <Suspense fallback={null}>
      <Switch>
        {entries.map(({ path, page, needs }) => (
          <Route key={path} path={path}>
            <Allowed page={page} needs={needs} />
          </Route>
        ))}
        <Route>
          <Page title={words.common.notFound}>
            <Empty icon={IconMapOff} title={words.common.notFoundText}>
              <Anchor component={Link} href="/" underline="always">
                {words.common.toOverview}
              </Anchor>
            </Empty>
          </Page>
        </Route>
      </Switch>
    </Suspense>
  );
}

function Allowed({ page: Shown, needs }: { page: ComponentType; needs: readonly Capability[] | undefined }) {
  const can = useCan();
  if (needs === undefined || needs.some(can)) return <Shown />;
  return (
    <Page title={words.common.notAllowedTitle}>
      <Empty icon={IconLock} title={words.common.notAllowed} />
    </Page>
  );
}
