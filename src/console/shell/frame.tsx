/** Shows the navigation beside the page or, on narrow screens, behind a Menu button. */
import { Burger, Drawer, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useEffect, useRef, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { texts } from '../messages.ts';
import { AccountMenu } from './account-menu.tsx';
import { LimitBanner } from './limit-banner.tsx';
import { Navigation } from './navigation.tsx';
import { besideList, pageOf } from './place.ts';

export function Frame({ children }: { children: ReactNode }) {
  const [opened, menu] = useDisclosure(false);
  const [path] = useLocation();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(path);
  useEffect(() => {
    const before = shown.current;
    shown.current = path;
    // A delivery opens over its list. On screens that show the list beside the conversation, the focus stays in the list
    // when another conversation opens.
    const page = pageOf(path);
    const staysInView = page === '/deliveries' || window.matchMedia(besideList).matches;
    if (before === path || (pageOf(before) === page && staysInView)) return;
    // Starts a new page at its top, as a page load would.
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
          <Navigation />
        </div>
        <div className="side-foot">
          <AccountMenu />
        </div>
      </aside>
      <aside className="top" aria-label={texts.nav.top}>
        <Group justify="space-between" w="100%" px="md" py={8}>
          <Brand />
          <Burger
            size="sm"
            opened={opened}
            onClick={menu.open}
            aria-label={texts.nav.menu}
            aria-expanded={opened}
          />
        </Group>
      </aside>
      <Drawer opened={opened} onClose={menu.close} position="right" size={300} title={<Brand />}>
        <Navigation onNavigate={menu.close} />
        <div style={{ marginTop: 32 }}>
          <AccountMenu />
        </div>
      </Drawer>
      <main className="main" id="content" ref={main} tabIndex={-1}>
        <LimitBanner />
        {children}
      </main>
    </div>
  );
}

export function Brand() {
  return (
    <Link href="/" style={{ textDecoration: 'none', color: 'inherit' }}>
      <Group gap={10} wrap="nowrap">
        <img src="/favicon.svg" width={28} height={28} alt="" />
        <Text component="span" fw={700} size="lg" lh={1} style={{ letterSpacing: '-0.01em' }}>
          {texts.product}
        </Text>
      </Group>
    </Link>
  );
}
