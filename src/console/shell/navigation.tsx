/** The side menu. Contains only the pages that the user may open. */
import { Box, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useId, type ComponentProps } from 'react';
import { Link, useLocation } from 'wouter';
import type { HealthArea } from '../../contract/data/health.ts';
import {
  IconActivity,
  IconCircleCheck,
  IconCode,
  IconDatabase,
  IconHistory,
  IconHome,
  IconInfoCircle,
  IconKey,
  IconMessages,
  IconNotebook,
  IconPlugConnected,
  IconRobot,
  IconSend,
  IconShieldLock,
  IconSparkles,
  IconUsers,
  IconWebhook,
  type Icon,
} from '../components/icons.tsx';
import { texts } from '../messages.ts';
import { useHealth } from '../components/queries.ts';
import { cappedCount } from '../components/format.ts';
import { useWaitingApprovals } from '../components/waiting-approvals.ts';
import { useWaitingConversations } from '../components/waiting-conversations.ts';
import { useMayOpen } from './may-open.ts';

const t = texts.nav;
export interface MenuEntry {
  path: string;
  label: string;
  icon: Icon;
  /** True if the path is not a route of the console. The browser then loads it as a new page. */
  isOutside?: true;
}

export const menuGroups: readonly { label?: string; entries: readonly MenuEntry[] }[] = [
  {
    entries: [
      { path: '/', label: t.overview, icon: IconHome },
      { path: '/agents', label: t.agents, icon: IconRobot },
      { path: '/conversations', label: t.conversations, icon: IconMessages },
      { path: '/approvals', label: t.approvals, icon: IconCircleCheck },
      { path: '/deliveries', label: t.deliveries, icon: IconSend },
      { path: '/admin/tools', label: t.tools, icon: IconPlugConnected },
      { path: '/models', label: t.models, icon: IconSparkles },
    ],
  },
  {
    label: t.developers,
    entries: [
      { path: '/developers', label: t.quickStart, icon: IconCode },
      { path: '/settings/api', label: t.api, icon: IconKey },
      { path: '/webhooks', label: t.webhooks, icon: IconWebhook },
      { path: '/requests', label: t.requests, icon: IconActivity },
      { path: '/docs', label: t.documentation, icon: IconNotebook, isOutside: true },
      { path: '/reference', label: t.reference, icon: IconInfoCircle, isOutside: true },
    ],
  },
  {
    label: t.organization,
    entries: [
      { path: '/members', label: t.members, icon: IconUsers },
      { path: '/roles', label: t.roles, icon: IconShieldLock },
      { path: '/audit', label: t.audit, icon: IconHistory },
      { path: '/data', label: t.data, icon: IconDatabase },
    ],
  },
];

/** By health area, the path of the menu entry that shows a dot while the area has a problem or a warning. */
const pathOf: Readonly<Record<HealthArea, string>> = {
  models: '/models',
  channels: '/agents',
  connections: '/admin/tools',
  limits: '/data',
  webhooks: '/deliveries',
  conversations: '/conversations',
  storage: '/data',
};

export function Navigation({ onNavigate }: { onNavigate?: () => void }) {
  const mayOpen = useMayOpen();
  const [path] = useLocation();
  const attention = useId();
  const counted = useId();
  const counts: Readonly<Record<string, [count: number, text: (count: number) => string]>> = {
    '/conversations': [useWaitingConversations().data?.count ?? 0, texts.conversations.waitingCount],
    '/approvals': [useWaitingApprovals().data?.length ?? 0, texts.approvals.waitingCount],
  };
  const countOf = (entry: string) => counts[entry]?.[0] ?? 0;
  const items = useHealth().data?.items ?? [];
  const marked = new Set(items.map(({ area }) => pathOf[area]));
  const describedBy = (entry: string) =>
    [marked.has(entry) && attention, countOf(entry) > 0 && counted + entry].filter(Boolean).join(' ') ||
    undefined;
  return (
    <nav aria-label={t.main}>
      <VisuallyHidden id={attention}>{texts.health.attention}</VisuallyHidden>
      {Object.entries(counts).map(([entry, [count, text]]) => (
        <VisuallyHidden key={entry} id={counted + entry}>
          {text(count)}
        </VisuallyHidden>
      ))}
      <Stack gap="lg">
        {menuGroups.map(({ label, entries }) => {
          const shown = entries.filter((entry) => mayOpen(entry.path));
          if (shown.length === 0) return null;
          return (
            <Box key={label ?? ''}>
              {label !== undefined && (
                <Text size="xs" fw={600} c="dimmed" px={12} pb={6}>
                  {label}
                </Text>
              )}
              <Stack gap={2} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
                {shown.map((entry) => (
                  <li key={entry.path}>
                    <NavLink
                      isOutside={entry.isOutside === true}
                      href={entry.path}
                      className="nav-link"
                      aria-describedby={describedBy(entry.path)}
                      aria-current={isAt(path, entry.path) ? 'page' : undefined}
                      {...(onNavigate && { onClick: onNavigate })}
                    >
                      <entry.icon size={18} stroke={1.7} />
                      {entry.label}
                      {marked.has(entry.path) && <span className="nav-dot" />}
                      {countOf(entry.path) > 0 && (
                        <span className="nav-count" aria-hidden>
                          {cappedCount(countOf(entry.path))}
                        </span>
                      )}
                    </NavLink>
                  </li>
                ))}
              </Stack>
            </Box>
          );
        })}
      </Stack>
    </nav>
  );
}

function NavLink({ isOutside, ...props }: ComponentProps<'a'> & { href: string; isOutside: boolean }) {
  return isOutside ? <a {...props} /> : <Link {...props} />;
}

function isAt(path: string, entry: string): boolean {
  return entry === '/' ? path === '/' : path === entry || path.startsWith(`${entry}/`);
}
