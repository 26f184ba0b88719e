/**
 * The page of deliveries: a list with filters, by day. A delivery opens beside the list, and has its
 * own URL. Never renders text from receivers as HTML.
 */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { DeliveryHost, DeliveryHosts, DeliveryView } from '../../../contract/conversations/timeline.ts';
import type { ResentDelivery } from '../../../contract/conversations/webhook-endpoints.ts';
import { call } from '../../client.ts';
import { Copy } from '../../components/copy.tsx';
import { DeliveryDetail, StatusBadge } from '../../components/delivery-detail.tsx';
import {
  AgentFilter,
  FilterBar,
  FilterLinks,
  IdFilter,
  TextFilter,
  useFilters,
} from '../../components/filters.tsx';
import { cappedCount, countText, dayOf, receiverText } from '../../components/format.ts';
import { IconSend } from '../../components/icons.tsx';
import { ListDetail } from '../../components/list-detail.tsx';
import { Page } from '../../components/page.tsx';
import { PeriodFilter } from '../../components/period-filter.tsx';
import { useRead } from '../../components/queries.ts';
import { briefRefusal, reasonOf } from '../../components/refusal.tsx';
import { Empty, Problem } from '../../components/states.tsx';
import { RowLink, type Column } from '../../components/table.tsx';
import { Clipped, ClippedOrNothing, Hint, Label, Nothing, TextLink, When } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { AllowLoopback } from './allow-loopback.tsx';
import { isDelivering } from './timeline/timeline-polls.ts';

const t = texts.deliveries;

/** Returns the answer in short: the HTTP status, or why there is none. The status of a gateway's answer is not kept. */
function answerOf({ kind, status, http_status, error }: DeliveryView): string | undefined {
  if (http_status !== undefined) return t.httpStatus(http_status);
  if (error !== undefined) return status === 'blocked' ? briefRefusal(reasonOf(error)) : error;
  return kind === 'channel_reply' && status === 'delivered' ? t.accepted : undefined;
}

/** The beginning of an address, on phones without its scheme. */
function Address({ url }: { url: string }) {
  const [scheme = ''] = /^https?:\/\//.exec(url) ?? [];
  return (
    <span className="clipped" title={url}>
      <span className="wide-only">{scheme}</span>
      {url.slice(scheme.length)}
    </span>
  );
}

const isProblem = ({ status }: DeliveryView) => status === 'failed' || status === 'blocked';

const columns = (hrefOf: (id: string) => string): readonly Column<DeliveryView>[] => [
  { label: t.columns.status, isStatus: true, render: ({ status }) => <StatusBadge status={status} /> },
  {
    label: t.columns.contact,
    // An alert has no contact.
    render: ({ id, contact, agent_name, event }) => (
      <RowLink to={hrefOf(id)}>
        <Clipped text={contact ?? agent_name ?? event} />
      </RowLink>
    ),
  },
  {
    label: t.columns.from,
    isInDetail: true,
    render: ({ agent_name }) => <ClippedOrNothing text={agent_name} />,
  },
  {
    label: t.columns.event,
    isInDetail: 'if-narrow',
    // On a phone, a failure shows its reason instead.
    isMinor: isProblem,
    before: '·',
    render: ({ event }) => (
      <Text span inherit c="dimmed">
        {event}
      </Text>
    ),
  },
  {
    label: t.columns.url,
    isInDetail: true,
    render: ({ url }) => <Address url={receiverText(url)} />,
  },
  {
    label: t.columns.http,
    isInDetail: true,
    isMinor: (delivery) => !isProblem(delivery),
    before: '·',
    render: (delivery) => <ClippedOrNothing text={answerOf(delivery)} />,
  },
  {
    label: t.columns.took,
    isFigure: true,
    isInDetail: true,
    isMinor: true,
    render: ({ duration_ms }) =>
      duration_ms === undefined ? <Nothing /> : <span className="short">{t.milliseconds(duration_ms)}</span>,
  },
  { label: t.columns.created, isTime: true, render: ({ created_at }) => <When at={created_at} timeOnly /> },
];

export function Deliveries() {
  const filters = useFilters(['status', 'agent_id', 'host', 'message_id']);
  const hosts = useRead<DeliveryHosts>(['delivery-hosts'], '/delivery-hosts', {
    refetchInterval: 30_000,
  }).data;
  const { status: _, ...others } = filters;
  // The count is of all deliveries, so it is not shown beside a list that another filter shortens.
  const isCounted = Object.values(others).every((value) => value === undefined);
  const failed = hosts?.failed_or_blocked ?? 0;
  return (
    <Page title={t.title} lead={t.lead}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <FilterLinks
            name="status"
            label={t.statusFilter}
            all={t.allStatuses}
            choices={choicesWith(filters['status'])}
            counts={isCounted && failed > 0 ? { failed_or_blocked: cappedCount(failed) } : {}}
            titles={t.statusHelp}
          />
          {hosts !== undefined && <FailingHosts hosts={hosts.data} />}
        </Group>
        <FilterBar
          filters={{ ...filters, status: undefined }}
          more={['message_id']}
          moreFields={<IdFilter name="message_id" label={t.message} w={{ base: '100%', xs: 300 }} />}
        >
          <AgentFilter />
          <TextFilter name="host" label={t.host} placeholder={t.hostHelp} w={{ base: '100%', xs: 190 }} />
          <PeriodFilter />
        </FilterBar>
      </Stack>
      <div className="deliveries">
        <ListDetail<DeliveryView>
          path="/deliveries"
          filters={filters}
          label={t.table}
          columns={columns}
          groupOf={({ created_at }) => dayOf(created_at)}
          empty={<Empty icon={IconSend} title={t.emptyTitle} text={t.emptyText} />}
          detail={{
            name: t.detailTitle,
            titleOf: ({ event }) => event,
            useRow: useDelivery,
            render: (delivery) => <Opened delivery={delivery} />,
          }}
        />
      </div>
    </Page>
  );
}

const { delivered: arrived, pending, unknown } = t.statuses;
const choices = { delivered: arrived, failed_or_blocked: t.failedOrBlocked, pending, unknown };

/** Returns the statuses to choose from, and any other status that the page's URL names. */
function choicesWith(chosen: string | undefined): Record<string, string> {
  const other = Object.entries(t.statuses).filter(([status]) => status === chosen);
  return { ...choices, ...Object.fromEntries(other) };
}

/** Reads a delivery, every 2 s until it ends. Until it is read, returns it as the list has it. */
const useDelivery = (id: string, listed: DeliveryView | undefined) =>
  useRead<DeliveryView>(['delivery', id], `/deliveries/${id}`, {
    placeholderData: () => listed,
    refetchInterval: ({ state: { data } }) => (data !== undefined && isDelivering(data) ? 2000 : false),
  });

function Opened({ delivery }: { delivery: DeliveryView }) {
  const can = useCan();
  const { id, url, contact, conversation_id } = delivery;
  const toConversation = can('conversations.view') && conversation_id !== undefined && (
    <TextLink to={`/conversations/${conversation_id}`}>{contact ?? t.conversation}</TextLink>
  );
  return (
    <Stack gap="md">
      <Group gap="sm">
        <SendAgain key={id} delivery={delivery} />
        <Copy text={`${window.location.origin}/deliveries/${id}`} label={t.copyLink} />
      </Group>
      <DeliveryDetail
        key={id}
        delivery={delivery}
        help={<AllowLoopback url={url} />}
        facts={[
          toConversation !== false && [
            contact === null ? t.inConversation : t.columns.contact,
            toConversation,
          ],
        ]}
      />
    </Stack>
  );
}

/**
 * A button that sends a callback again, as a new delivery, and then opens that delivery. Asks for confirmation inside
 * the detail, because on narrow screens the detail is already a dialog. Renders nothing if the callback has not ended,
 * for other kinds of deliveries, and for users who may not manage webhooks.
 */
function SendAgain({ delivery }: { delivery: DeliveryView }) {
  const { id, kind } = delivery;
  const can = useCan();
  const [, navigate] = useLocation();
  const [asking, question] = useDisclosure(false);
  const sending = useMutation({
    mutationFn: () => call<ResentDelivery>('POST', `/deliveries/${id}/resend`),
    meta: { refetches: [['/deliveries']], done: r.done },
    onSuccess: (made) => navigate(`/deliveries/${made.id}`),
  });
  if (kind !== 'callback' || isDelivering(delivery) || !can('webhooks.manage')) return null;
  if (!asking) {
    return (
      <Button
        size="xs"
        variant={delivery.status === 'delivered' ? 'default' : 'filled'}
        leftSection={<IconSend size={14} />}
        onClick={question.open}
      >
        {r.label}
      </Button>
    );
  }
  return (
    <Stack gap="xs" className="panel" p="sm" role="group" aria-label={r.title}>
      <Label size="sm">{r.title}</Label>
      <Text size="sm">{r.text}</Text>
      <Problem of={sending} />
      <Group gap="sm">
        <Button
          size="xs"
          variant="default"
          loading={sending.isPending}
          onClick={() => sending.mutate()}
          ref={focusFirst}
        >
          {r.action}
        </Button>
        <Button size="xs" variant="subtle" onClick={question.close}>
          {texts.common.cancel}
        </Button>
      </Group>
    </Stack>
  );
}

/** Focuses the button that takes the place of the one that was pressed. */
const focusFirst = (button: HTMLButtonElement | null) => button?.focus();

const r = texts.webhooks.resend;

/** Maximum number of hosts that are named. Chosen: they fit on one line of a wide screen. */
const maxShown = 4;

/** Links that filter the list by the hosts with failures in the last day. Renders nothing without any. */
function FailingHosts({ hosts }: { hosts: readonly DeliveryHost[] }) {
  const failing = hosts.filter(({ failed, blocked }) => failed + blocked > 0);
  if (failing.length === 0) return null;
  const named = failing.slice(0, maxShown);
  return (
    <Group gap={8} className="failing-hosts">
      <Hint>{t.failingHosts}</Hint>
      <FilterLinks
        name="host"
        label={t.failingHosts}
        choices={Object.fromEntries(named.map(({ host }) => [host, host]))}
        counts={Object.fromEntries(named.map((one) => [one.host, t.failures(one.failed, one.blocked)]))}
        titles={Object.fromEntries(
          named.map((one) => [
            one.host,
            texts.webhooks.delivered(
              countText(one.attempts - one.failed - one.blocked),
              countText(one.attempts),
            ),
          ]),
        )}
      />
      {failing.length > maxShown && <Hint>{t.moreHosts(failing.length - maxShown)}</Hint>}
    </Group>
  );
}
