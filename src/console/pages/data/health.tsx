/**
 * Shows the health of the organization: one line if there are no problems or warnings; otherwise each of them, with a
 * link to the page that can solve it if the user may open that page. Tool calls that wait for a decision are one of them.
 */
import { Badge, Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { WaitingConversation } from '../../../contract/conversations/waiting.ts';
import type { HealthItem } from '../../../contract/data/health.ts';
import { ApprovalBadge } from '../../components/approval-decision.tsx';
import { IconAlertTriangle, IconCheck } from '../../components/icons.tsx';
import { Heading } from '../../components/page.tsx';
import { useHealth } from '../../components/queries.ts';
import { Refusal } from '../../components/refusal.tsx';
import { Ago, Hint, Label, Lasted, TextLink } from '../../components/text.tsx';
import { useWaitingApprovals } from '../../components/waiting-approvals.ts';
import { useWaitingConversations } from '../../components/waiting-conversations.ts';
import { texts } from '../../messages.ts';
import { useMayOpen } from '../../shell/may-open.ts';

const t = texts.health;

interface Shown {
  title: string;
  text?: ReactNode;
  action: string;
  to: string;
}

/** @param props.failedToday how many answers to customers failed today */
export function HealthPanel({ failedToday }: { failedToday: number }) {
  const { data } = useHealth();
  const approvals = useWaitingApprovals().data?.length ?? 0;
  const waiting = useWaitingConversations().data;
  if (data === undefined) return <div className="health-waiting" />;
  const { areas, items } = data;
  // What waits for the user. The item names no contact, so it is only for users who may not view conversations.
  const isWaiting = ({ kind }: HealthItem) => kind === 'waiting';
  const [longest] = waiting?.oldest ?? [];
  const forUser = [
    ...(approvals > 0 ? [approvalsLine(approvals)] : []),
    ...(waiting !== undefined && longest !== undefined
      ? [waitingLine(waiting.count, longest)]
      : items.filter(isWaiting).map(shownFor)),
  ];
  const others = items.filter((item) => !isWaiting(item));
  const count = forUser.length + others.length + (failedToday > 0 ? 1 : 0);
  if (count === 0) {
    return (
      <section className="panel health health-fine" aria-label={t.title}>
        <IconCheck size={20} />
        <div>
          <Text fw={600}>{t.fine}</Text>
          <Hint>{t.checked(areas, t.areas)}</Hint>
        </div>
      </section>
    );
  }
  return (
    <section className="panel health" aria-label={t.title}>
      <Group gap="sm" className="health-head">
        <IconAlertTriangle size={20} />
        <Heading>{t.problems(count)}</Heading>
      </Group>
      <ul>
        {forUser.map((line) => (
          <Line key={line.to} badge={<ApprovalBadge status="waiting" />} isUrgent {...line} />
        ))}
        {failedToday > 0 && (
          <Line
            badge={<Severity of={{ severity: 'problem' }} />}
            title={t.failedAnswers.title(failedToday)}
            text={t.failedAnswers.text}
            action={t.failedAnswers.action}
            to="/conversations?only=failed&status=all"
          />
        )}
        {others.map((item) => (
          <Line key={keyOf(item)} badge={<Severity of={item} />} {...shownFor(item)} />
        ))}
      </ul>
    </section>
  );
}

function Severity({ of: { severity } }: { of: Pick<HealthItem, 'severity'> }) {
  return <Badge color={severity === 'problem' ? 'red' : 'yellow'}>{t.severities[severity]}</Badge>;
}

/** @param props.isUrgent true for what waits for the user */
function Line(props: Shown & { badge: ReactNode; isUrgent?: boolean }) {
  const { badge, title, text, action, to, isUrgent = false } = props;
  const mayOpen = useMayOpen();
  return (
    <li>
      <div className="health-badge">{badge}</div>
      <div className="health-text">
        <Label size="sm">{title}</Label>
        {text !== undefined && (
          <Text size="sm" c="dimmed" component="div" className="plain-text">
            {text}
          </Text>
        )}
      </div>
      {mayOpen(to.split('?')[0] ?? to) && (
        <Button component={Link} href={to} variant={isUrgent ? 'filled' : 'default'} size="xs">
          {action}
        </Button>
      )}
    </li>
  );
}

function NoModelText({ text }: { text: string }) {
  const mayOpen = useMayOpen();
  return mayOpen('/models') ? text : `${text} ${texts.models.missing.ask}`;
}

/** Returns a key that identifies an item across polls. */
function keyOf(item: HealthItem): string {
  const { kind } = item;
  if (kind === 'model_failing') return kind + item.provider;
  if (kind === 'channel') return kind + item.agent_id;
  if (kind === 'connection') return kind + (item.name ?? '');
  if (kind === 'mcp_sign_in') return kind + item.server;
  if (kind === 'limit') return kind + item.of;
  if (kind === 'cap') return kind + item.period;
  if (kind === 'webhook_failing' || kind === 'webhook_blocked') return kind + item.host;
  return kind;
}

/** @param count how many tool calls wait for a decision, at most `maxWaitingApprovals` */
function approvalsLine(count: number): Shown {
  const { waitingCount, waitingText, toApprovals } = texts.approvals;
  return { title: waitingCount(count), text: waitingText(count), action: toApprovals, to: '/approvals' };
}

/**
 * @param count how many conversations wait for a person, at most `maxWaitingCounted`
 * @param longest the one that has waited longest
 */
function waitingLine(count: number, longest: WaitingConversation): Shown {
  const { waitingCount, waitingText, hasWaited, othersWait, anonymous } = texts.conversations;
  return {
    title: waitingCount(count),
    text: (
      <>
        <TextLink to={`/conversations/${longest.id}?only=waiting`}>{longest.contact ?? anonymous}</TextLink>
        {` ${hasWaited} `}
        <Lasted at={longest.waiting_since} />
        {count > 1 && othersWait(count - 1)}. {waitingText}
      </>
    ),
    action: t.waiting.action,
    to: '/conversations?only=waiting',
  };
}

function shownFor(item: HealthItem): Shown {
  switch (item.kind) {
    case 'no_model': {
      const { title, text, add } = texts.models.missing;
      return { title, text: <NoModelText text={text} />, action: add, to: '/models' };
    }
    case 'model_failing': {
      const text = t.model.text(item.error, item.provider_message);
      return {
        title: t.model.title(item.provider),
        text: item.severity === 'warning' ? t.model.unused(text) : text,
        action: t.model.action,
        to: '/models',
      };
    }
    case 'channel':
      return channelLine(item);
    case 'connection':
      return {
        title: t.connection.title(item.name),
        text: t.connection.text(item.error),
        action: t.connection.action,
        to: '/admin/tools?tab=connected',
      };
    case 'mcp_sign_in':
      return {
        title: t.mcpSignIn.title(item.server),
        text: t.mcpSignIn.text(item.tools),
        action: t.mcpSignIn.action,
        to: '/admin/tools?tab=mcp',
      };
    case 'limit':
      return limitLine(item);
    case 'cap':
      return capLine(item);
    case 'webhook_failing':
      return {
        title: t.failing.title(item.host),
        text: t.failing.text(item.failed, item.attempts, item.error),
        action: t.failing.action,
        to: `/deliveries?status=failed&host=${encodeURIComponent(item.host)}`,
      };
    case 'webhook_blocked':
      return {
        title: t.blocked.title(item.host),
        text: (
          <>
            {t.blocked.text(item.blocked)}{' '}
            <Refusal reason={item.reason} url={`http://${item.host}`} host={item.host} />
          </>
        ),
        action: t.blocked.action,
        to: `/deliveries?status=blocked&host=${encodeURIComponent(item.host)}`,
      };
    case 'waiting':
      return {
        title: t.waiting.title(item.conversations),
        text: since(t.waiting.text, item.since),
        action: t.waiting.action,
        to: '/conversations?only=waiting',
      };
    case 'backlog':
      return {
        title: t.backlog.title(item.messages),
        text: since(t.backlog.text, item.since),
        action: t.backlog.action,
        to: '/conversations',
      };
    case 'storage':
      return {
        title: item.used_bytes >= item.limit_bytes ? t.storage.full : t.storage.near,
        text: t.storage.text(item.used_bytes, item.limit_bytes),
        action: t.storage.action,
        to: '/data?tab=limits',
      };
  }
}

function channelLine({ agent_id, agent_name, message, last_inbound_at }: ItemOf<'channel'>): Shown {
  const to = `/agents/${agent_id}/channel`;
  if (message === null)
    return {
      title: t.channel.unfinished(agent_name),
      text: t.channel.unfinishedText,
      action: t.channel.finish,
      to,
    };
  return {
    title: t.channel.title(agent_name),
    text: (
      <>
        {message}
        {last_inbound_at !== null && <> {since(t.channel.lastMessage, last_inbound_at)}</>}
      </>
    ),
    action: t.channel.action,
    to,
  };
}

function limitLine({ of, reached, used, limit }: ItemOf<'limit'>): Shown {
  const figures = used === null || limit === null ? undefined : t.limit.used(used, limit, of);
  const text = [figures, reached ? t.limit.refused : undefined]
    .filter((part) => part !== undefined)
    .join(' ');
  return {
    title: reached ? t.limit.reached(of) : t.limit.near(of),
    text,
    action: t.limit.action,
    to: '/data?tab=limits',
  };
}

function capLine({ period, reached, used, cap }: ItemOf<'cap'>): Shown {
  const figures = used === null || cap === null ? '' : `${t.cap.used[period](used, cap)} `;
  return {
    title: reached ? t.cap.reached[period] : t.cap.near[period],
    text: `${figures}${reached ? t.cap.stops[period] : t.cap.nearText}`,
    action: t.cap.action,
    to: '/data?tab=limits',
  };
}

const since = (text: string, at: string): ReactNode => (
  <>
    {text} <Ago at={at} />.
  </>
);

type ItemOf<Kind> = Extract<HealthItem, { kind: Kind }>;
