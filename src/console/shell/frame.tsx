/** Shows the navigation beside the page or, on narrow screens, in a drawer that the Menu button opens. */
import { ActionIcon, Burger, Drawer, Group, Kbd, UnstyledButton } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { cappedCount } from '../components/format.ts';
import { IconSearch } from '../components/icons.tsx';
import { ProductName } from '../components/page.tsx';
import { useWaitingApprovals } from '../components/waiting-approvals.ts';
import { useWaitingConversations } from '../components/waiting-conversations.ts';
import { lazily } from '../lazily.tsx';
import { texts } from '../messages.ts';
import { AccountMenu } from './account-menu.tsx';
import { LimitBanner } from './limit-banner.tsx';
import { Navigation } from './navigation.tsx';
import { OpenSearch } from './open-search.ts';
import { besideList, listsInView, pageOf } from './place.ts';
import { Reconnecting } from './reconnecting.tsx';
import { useSession } from './session.ts';
import { WaitingNotifications } from './waiting-notifications.tsx';

const Palette = lazily(() => import('./palette.tsx'), 'Palette');
const searchKeys = { 'aria-keyshortcuts': 'Control+K Meta+K', 'aria-haspopup': 'dialog' } as const;
const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

export function Frame({ children }: { children: ReactNode }) {
  const { organization } = useSession();
  const [opened, menu] = useDisclosure(false);
  const [searches, setSearches] = useState(0);
  const search = () => setSearches((before) => before + 1);
  // The empty list of ignored tags makes the shortcut work in fields too, where the focus often is.
  useHotkeys([['mod+K', search]], []);
  const [path] = useLocation();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(path);
  useEffect(() => {
    const before = shown.current;
    shown.current = path;
    // If a list stays visible while one of its items opens, the page neither scrolls nor gets the focus. A delivery or
    // a request opens beside or over the list; a conversation opens beside the list on wide screens.
    const page = pageOf(path);
    const staysInView = listsInView.includes(page) || window.matchMedia(besideList).matches;
    if (before === path || (pageOf(before) === page && staysInView)) return;
    // Scrolls a new page to its top and focuses it, as a page load would.
    window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [path]);
  return (
    <div className="frame">
      <a className="skip-link" href="#content">
        {texts.nav.skip}
      </a>
      <aside className="side" aria-label={texts.nav.side}>
        <Group p="lg" pb="sm">
          <Brand />
        </Group>
        <div style={{ padding: '8px 12px 120px' }}>
          <UnstyledButton className="search-button" onClick={search} {...searchKeys}>
            <IconSearch size={18} stroke={1.7} />
            {texts.palette.button}
            <Kbd size="xs" ml="auto" aria-hidden>
              {isMac ? '⌘K' : 'Ctrl K'}
            </Kbd>
          </UnstyledButton>
          <Navigation />
        </div>
        <div className="side-foot">
          <AccountMenu />
        </div>
      </aside>
      <aside className="top" aria-label={texts.nav.top}>
        <Group justify="space-between" w="100%" px="md" py={8}>
          <Brand />
          <Group gap="xs">
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              onClick={search}
              aria-label={texts.palette.button}
              {...searchKeys}
            >
              <IconSearch size={20} />
            </ActionIcon>
            <MenuButton opened={opened} open={menu.open} />
          </Group>
        </Group>
      </aside>
      <Drawer opened={opened} onClose={menu.close} size={300} title={<Brand />}>
        <Navigation onNavigate={menu.close} />
        <div style={{ marginTop: 32 }}>
          <AccountMenu />
        </div>
      </Drawer>
      <main className="main" id="content" ref={main} tabIndex={-1}>
        <LimitBanner />
        <OpenSearch value={search}>{children}</OpenSearch>
      </main>
      <Reconnecting />
      <WaitingNotifications key={organization.id} />
      {searches > 0 && <Palette requests={searches} />}
    </div>
  );
}

/** The button that opens the menu on narrow screens, with the sum of the counts that the closed menu hides. */
function MenuButton({ opened, open }: { opened: boolean; open: () => void }) {
  const conversations = useWaitingConversations().data?.count ?? 0;
  const approvals = useWaitingApprovals().data?.length ?? 0;
  const waiting = conversations + approvals;
  return (
    <Burger
      className="menu-button"
      size="sm"
      opened={opened}
      onClick={open}
      aria-label={waiting > 0 ? texts.nav.menuWaiting(cappedCount(waiting)) : texts.nav.menu}
      aria-expanded={opened}
    >
      {waiting > 0 && (
        <span className="nav-count" aria-hidden>
          {cappedCount(waiting)}
        </span>
      )}
    </Burger>
  );
}

export function Brand() {
  return (
    <Link href="/" style={{ textDecoration: 'none', color: 'inherit' }}>
      <ProductName />
    </Link>
  );
}
