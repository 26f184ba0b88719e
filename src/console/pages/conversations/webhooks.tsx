/**
 * The page of webhooks: every receiver of callbacks with how well it answers, test callbacks and, in local mode, the
 * receivers on this machine that Parley may call.
 */
import { Badge, Code, Group, Stack, Text } from '@mantine/core';
import type { DeliveryReceivers } from '../../../contract/conversations/timeline.ts';
import type {
  CreatedWebhookEndpoint,
  LoopbackReceivers,
  WebhookEndpoint,
} from '../../../contract/conversations/webhook-endpoints.ts';
import { call } from '../../client.ts';
import { DeleteButton, DialogButton } from '../../components/dialogs.tsx';
import { countText, duration } from '../../components/format.ts';
import { IconPlus, IconShieldLock } from '../../components/icons.tsx';
import { Info } from '../../components/info.tsx';
import { useLoopbackReceiver } from '../../components/loopback-receiver.ts';
import { Page, Section } from '../../components/page.tsx';
import { useList, useRead } from '../../components/queries.ts';
import { briefRefusal, reasonOf, Refusal } from '../../components/refusal.tsx';
import { RotateDialog } from '../../components/rotate-dialog.tsx';
import { deletion, RowActions } from '../../components/row-actions.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { DataTable, RowLink, type Column } from '../../components/table.tsx';
import { Ago, Breakable, Hint, Nothing, TextLink, When } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { DayBars } from './day-bars.tsx';
import { deliveredShare, deliveriesOf } from './delivery-counts.tsx';
import { TestForm, TestOfEndpoint } from './test-callback.tsx';
import { AddEndpoint, EndpointDetails, SigningSecret } from './webhook-dialogs.tsx';

const t = texts.webhooks;

export function Webhooks() {
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <DialogButton leftSection={<IconPlus />} label={t.add.label}>
          {(close) => <AddEndpoint close={close} />}
        </DialogButton>
      }
    >
      <Endpoints />
      <TestForm />
      <LocalReceivers />
    </Page>
  );
}

/** An endpoint whose callbacks are signed, or a URL that got callbacks without a signature. */
interface Receiver {
  url: string;
  /** Undefined if the callbacks are not signed. */
  endpoint?: WebhookEndpoint;
  /** Undefined if it got no callback in the last 7 days, or the member may not view deliveries. */
  counts?: Omit<DeliveryReceivers['data'][number], 'url' | 'host'> | undefined;
}

function Endpoints() {
  const endpoints = useList<WebhookEndpoint>('webhook-endpoints', '/webhook-endpoints');
  const { data: counted } = useRead<DeliveryReceivers>(['delivery-receivers'], '/delivery-receivers', {
    enabled: useCan()('deliveries.view'),
    refetchInterval: 30_000,
  });
  return (
    <Section
      title={t.endpoints}
      lead={
        <>
          {t.endpointsLead} <Info text={t.endpointsCount} />
        </>
      }
    >
      <Loaded query={endpoints}>
        {(signed) => (
          <DataTable<Receiver>
            label={t.table}
            rows={[
              ...signed.map((endpoint) => ({
                url: endpoint.url,
                endpoint,
                counts: counted?.endpoints.find(({ id }) => id === endpoint.id),
              })),
              ...(counted?.data ?? []).map((counts) => ({ url: counts.url, counts })),
            ]}
            rowKey={({ url, endpoint }) => endpoint?.id ?? url}
            columns={columns}
            isLinked
            actions={actionsOf}
            empty={<Empty icon={IconShieldLock} title={t.emptyTitle} text={t.emptyText} />}
          />
        )}
      </Loaded>
    </Section>
  );
}

const columns: readonly Column<Receiver>[] = [
  {
    label: t.columns.url,
    render: (receiver) => (
      <Stack gap={4} align="flex-start">
        <RowLink to={deliveriesOf(hostOf(receiver))}>
          <span className="mono">
            <Breakable text={receiver.url} />
          </span>
        </RowLink>
        <Trouble of={receiver} />
      </Stack>
    ),
  },
  {
    label: t.columns.signed,
    render: ({ url, endpoint }) =>
      endpoint === undefined ? <Unsigned url={url} /> : <Badge color="green">{t.yes}</Badge>,
  },
  {
    label: t.columns.events,
    render: ({ endpoint }) => (
      <Text size="xs" component="div" className="short">
        {t.events.callbacks}
        {endpoint?.waiting_alerts === true && <div>{t.events.waiting}</div>}
      </Text>
    ),
  },
  {
    label: t.columns.delivered,
    render: ({ counts }) => (counts === undefined ? <Hint>{t.noCallbacks}</Hint> : <Delivered {...counts} />),
  },
  {
    label: t.columns.response,
    isFigure: true,
    render: ({ counts }) =>
      counts?.median_ms == null ? <Nothing /> : <span className="short">{duration(counts.median_ms)}</span>,
  },
  {
    label: t.columns.last,
    render: (receiver) =>
      receiver.counts === undefined ? <Nothing /> : <Last counts={receiver.counts} host={hostOf(receiver)} />,
  },
];

/** Says that callbacks to a URL have no signature, and leads to one. */
function Unsigned({ url }: { url: string }) {
  return (
    <Stack gap={4} align="flex-start">
      <Badge color="yellow">{t.no}</Badge>
      <DialogButton size="compact-xs" variant="default" label={t.sign} aria-label={t.signUrl(url)}>
        {(close) => <AddEndpoint url={url} close={close} />}
      </DialogButton>
    </Stack>
  );
}

const hostOf = ({ url }: Receiver) => (URL.canParse(url) ? new URL(url).host : url);

/** What keeps callbacks from arriving, and what helps; or nothing. */
function Trouble({ of: receiver }: { of: Receiver }) {
  const { url, endpoint, counts } = receiver;
  const { status, error } = counts?.last ?? {};
  if (endpoint?.secret_lost === true)
    return (
      <>
        <Badge color="red">{t.lost}</Badge>
        <Hint size="xs">{t.lostHelp}</Hint>
      </>
    );
  if (status === 'blocked' && error != null)
    return (
      <>
        <Badge color="orange">{briefRefusal(reasonOf(error))}</Badge>
        <Hint size="xs">
          <WhatHelps reason={reasonOf(error)} url={url} host={hostOf(receiver)} />
        </Hint>
      </>
    );
  if (endpoint?.previous_until === undefined) return null;
  return (
    <Hint size="xs">
      {t.previousUntil} <When at={endpoint.previous_until} />
    </Hint>
  );
}

/** Explains in one line how to make Parley call an address that it has blocked. */
function WhatHelps(props: { reason: string; url: string; host: string }) {
  const { reason, url, host } = props;
  const isAllowed = useLoopbackReceiver(url)?.isAllowed === true;
  if (isAllowed) return t.local.allowed(host);
  if (reason !== 'internal_name' && reason !== 'private_address') return <Refusal {...props} />;
  return (
    <>
      {t.allowWith} <Code>{texts.refusals.allow(host)}</Code>
    </>
  );
}

function Delivered(counts: NonNullable<Receiver['counts']>) {
  const { attempts, failed, blocked, days } = counts;
  const isNone = attempts === failed + blocked;
  return (
    <Group gap="xs" wrap="nowrap">
      <div className="delivered-share">
        <Text size="sm" fw={600} className="short" {...(isNone && { c: 'var(--mantine-color-error)' })}>
          {deliveredShare(counts)}
        </Text>
        <Hint size="xs" className="short">
          {t.ofCallbacks(countText(attempts))}
        </Hint>
      </div>
      <DayBars days={days} label={t.byDay} />
    </Group>
  );
}

/** The last attempt: when, and the answer or why there was none; and a link to the failed ones, if there are any. */
function Last({ counts, host }: { counts: NonNullable<Receiver['counts']>; host: string }) {
  const { at, status, http_status, error } = counts.last;
  const outcome = texts.deliveries.statuses[status];
  // The reason of a blocked one is below the URL, with what helps.
  const reason = status === 'blocked' ? outcome : (error ?? outcome);
  return (
    <div>
      <span className="short">
        <Ago at={at} />
      </span>
      <Text
        size="xs"
        {...(http_status !== null && { className: 'short' })}
        c={status === 'delivered' ? 'dimmed' : 'var(--mantine-color-error)'}
      >
        {http_status === null ? reason : `HTTP ${String(http_status)}`}
      </Text>
      {counts.failed + counts.blocked > 0 && (
        <TextLink
          to={`${deliveriesOf(host)}&status=failed_or_blocked`}
          size="xs"
          className="short"
          aria-label={t.failedDeliveriesTo(host)}
        >
          {t.failedDeliveries}
        </TextLink>
      )}
    </div>
  );
}

const actionsOf = ({ url, endpoint }: Receiver) => (
  <RowActions
    name={url}
    actions={[
      { label: t.test.ofEndpoint, dialog: (close) => <TestOfEndpoint url={url} close={close} /> },
      ...(endpoint === undefined ? [] : actionsOfEndpoint(endpoint)),
    ]}
  />
);

const actionsOfEndpoint = (endpoint: WebhookEndpoint) => {
  const { id, url } = endpoint;
  return [
    {
      label: t.details.label,
      dialog: (close: () => void) => <EndpointDetails endpoint={endpoint} close={close} />,
    },
    {
      label: t.rotate.label,
      dialog: (close: () => void) => (
        <RotateDialog
          {...t.rotate}
          title={t.rotate.title(url)}
          send={(body) => call<CreatedWebhookEndpoint>('POST', `/webhook-endpoints/${id}/rotate`, { body })}
          query="webhook-endpoints"
          close={close}
        >
          {(made) => <SigningSecret made={made} close={close} />}
        </RotateDialog>
      ),
    },
    deletion({ ...t.remove(url), path: `/webhook-endpoints/${id}`, query: 'webhook-endpoints' }),
  ];
};

function LocalReceivers() {
  const { data } = useRead<LoopbackReceivers>(['loopback-receivers'], '/loopback-receivers');
  if (data?.offered !== true || data.data.length === 0) return null;
  return (
    <Section title={t.local.title} lead={t.local.lead}>
      {data.data.map(({ host }) => (
        <Group key={host} justify="space-between" className="panel" p="sm">
          <span className="mono">{host}</span>
          <DeleteButton
            {...t.local.remove(host)}
            path={`/loopback-receivers/${encodeURIComponent(host)}`}
            query="loopback-receivers"
          />
        </Group>
      ))}
    </Section>
  );
}
