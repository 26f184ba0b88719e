/** Maps paths to pages. The code of a page loads when the page is first opened. */
import type { ComponentType } from 'react';
import { Route, Switch } from 'wouter';
import { IconLock } from '../components/icons.tsx';
import { Page } from '../components/page.tsx';
import { Empty } from '../components/states.tsx';
import { lazily } from '../lazily.tsx';
import { texts } from '../messages.ts';
import { useMayOpen } from './may-open.ts';
import { NotFound } from './not-found.tsx';

const pages: Readonly<Record<string, ComponentType>> = {
  '/': lazily(() => import('../pages/data/overview.tsx'), 'OverviewPage'),
  '/settings/api': lazily(() => import('../pages/accounts/api-tokens.tsx'), 'ApiTokens'),
  '/webhooks': lazily(() => import('../pages/conversations/webhooks.tsx'), 'Webhooks'),
  '/developers': lazily(() => import('../pages/developers/quick-start.tsx'), 'QuickStart'),
  '/requests/:id?': lazily(() => import('../pages/developers/requests.tsx'), 'Requests'),
  '/connect-mcp': lazily(() => import('../pages/accounts/connect-mcp.tsx'), 'ConnectMcp'),
  '/admin/tools': lazily(() => import('../pages/workspace/tools.tsx'), 'Tools'),
  '/models': lazily(() => import('../pages/models/models.tsx'), 'Models'),
  '/agents': lazily(() => import('../pages/conversations/agents.tsx'), 'Agents'),
  '/agents/:id': lazily(() => import('../pages/conversations/agent-form.tsx'), 'AgentSettings'),
  '/agents/:id/playground': lazily(() => import('../pages/conversations/playground.tsx'), 'Playground'),
  '/agents/:id/versions': lazily(() => import('../pages/conversations/versions.tsx'), 'Versions'),
  '/agents/:id/rehearsals': lazily(() => import('../pages/rehearsals/rehearsals.tsx'), 'Rehearsals'),
  '/agents/:id/rehearsals/:rehearsalId': lazily(
    () => import('../pages/rehearsals/report.tsx'),
    'RehearsalReport',
  ),
  '/agents/:id/channel': lazily(() => import('../pages/whatsapp/channel.tsx'), 'ChannelPage'),
  '/conversations/:id?': lazily(() => import('../pages/conversations/inbox/inbox.tsx'), 'Inbox'),
  '/approvals': lazily(() => import('../pages/conversations/approvals.tsx'), 'Approvals'),
  '/deliveries/:id?': lazily(() => import('../pages/conversations/deliveries.tsx'), 'Deliveries'),
  '/members': lazily(() => import('../pages/accounts/members.tsx'), 'Members'),
  '/roles': lazily(() => import('../pages/accounts/roles.tsx'), 'Roles'),
  '/audit': lazily(() => import('../pages/accounts/audit.tsx'), 'Audit'),
  '/data': lazily(() => import('../pages/data/data.tsx'), 'Data'),
  '/account': lazily(() => import('../pages/accounts/account.tsx'), 'Account'),
};

export function Pages() {
  return (
    <Switch>
      {Object.entries(pages).map(([path, page]) => (
        <Route key={path} path={path}>
          <Allowed path={path} page={page} />
        </Route>
      ))}
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}

function Allowed({ path, page: Shown }: { path: string; page: ComponentType }) {
  if (useMayOpen()(path)) return <Shown />;
  return (
    <Page title={texts.common.notAllowedTitle}>
      <Empty icon={IconLock} title={texts.common.notAllowed} />
    </Page>
  );
}
