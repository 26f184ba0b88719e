/** Maps paths to pages. Each page's code loads when it is first needed. */
import { lazy, Suspense, type ComponentType } from 'react';
import { Link, Route, Switch } from 'wouter';
import { Anchor } from '@mantine/core';
import type { Capability } from '../../contract/accounts/capabilities.ts';
import { Empty } from '../components/empty.tsx';
import { IconLock, IconMapOff } from '../components/icons.tsx';
import { Page } from '../components/page.tsx';
import { words } from '../messages.ts';
import { useCan } from './session.ts';

interface Entry {
  path: string;
  page: ComponentType;
  /** Any one of these capabilities is enough. */
  needs?: readonly Capability[];
}

const entries: readonly Entry[] = [
  {
    path: '/',
    page: lazy(async () => ({ default: (await import('../pages/data/overview.tsx')).OverviewPage })),
  },
  {
    path: '/settings/api',
    page: lazy(async () => ({ default: (await import('../pages/accounts/api-tokens.tsx')).ApiTokens })),
    needs: ['tokens.view', 'tokens.create', 'tokens.delete'],
  },
  {
    path: '/connect-mcp',
    page: lazy(async () => ({ default: (await import('../pages/accounts/connect-mcp.tsx')).ConnectMcp })),
    needs: ['tokens.create'],
  },
  {
    path: '/admin/tools',
    page: lazy(async () => ({ default: (await import('../pages/workspace/tools.tsx')).Tools })),
  },
  {
    path: '/agents',
    page: lazy(async () => ({ default: (await import('../pages/conversations/agents.tsx')).Agents })),
  },
  {
    path: '/agents/:id',
    page: lazy(async () => ({ default: (await import('../pages/conversations/agent.tsx')).AgentSettings })),
  },
  {
    path: '/agents/:id/playground',
    page: lazy(async () => ({ default: (await import('../pages/conversations/playground.tsx')).Playground })),
    needs: ['agents.manage'],
  },
  {
    path: '/agents/:id/channel',
    page: lazy(async () => ({ default: (await import('../pages/whatsapp/channel.tsx')).ChannelPage })),
    needs: ['channels.manage'],
  },
  {
    path: '/conversations',
    page: lazy(async () => ({
      default: (await import('../pages/conversations/conversations.tsx')).Conversations,
    })),
    needs: ['conversations.view'],
  },
  {
    path: '/conversations/:id',
    page: lazy(async () => ({
      default: (await import('../pages/conversations/conversation.tsx')).Conversation,
    })),
    needs: ['conversations.view'],
  },
  {
    path: '/deliveries',
    page: lazy(async () => ({ default: (await import('../pages/conversations/deliveries.tsx')).Deliveries })),
    needs: ['deliveries.view'],
  },
  {
    path: '/members',
    page: lazy(async () => ({ default: (await import('../pages/accounts/members.tsx')).Members })),
    needs: ['members.manage'],
  },
  {
    path: '/roles',
    page: lazy(async () => ({ default: (await import('../pages/accounts/roles.tsx')).Roles })),
    needs: ['members.manage'],
  },
  {
    path: '/audit',
    page: lazy(async () => ({ default: (await import('../pages/accounts/audit.tsx')).Audit })),
    needs: ['audit.view'],
  },
  {
    path: '/data',
    page: lazy(async () => ({ default: (await import('../pages/data/data.tsx')).Data })),
    needs: ['data.manage'],
  },
  {
    path: '/account',
    page: lazy(async () => ({ default: (await import('../pages/accounts/account.tsx')).Account })),
  },
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
