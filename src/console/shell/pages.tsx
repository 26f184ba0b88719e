/** Which page a path opens. Each is loaded when it is first needed. */
import { lazy, Suspense, type ComponentType } from 'react';
import { Redirect, Route, Switch } from 'wouter';
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
  {
    path: '/settings/api',
    page: lazy(async () => ({ default: (await import('../pages/api-tokens.tsx')).ApiTokens })),
    needs: ['tokens.view', 'tokens.create', 'tokens.delete'],
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
        <Route path="/">
          <Redirect to="/settings/api" replace />
        </Route>
        <Route>
          <Page title={words.common.notFound}>
            <Empty icon={IconMapOff} title={words.common.notFound} />
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
