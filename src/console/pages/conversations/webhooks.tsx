/**
 * The page of webhooks: the saved endpoints and the other receivers of callbacks, with how well each answers, test
 * callbacks and, in local mode, the receivers on this machine that Parley may call.
 */
import { Badge, Button, Code, Group, Text } from '@mantine/core';
import { Fragment, useState, type ReactNode } from 'react';
import type { DeliveryReceivers } from '../../../contract/conversations/timeline.ts';
import type {
  CreatedWebhookEndpoint,
  WebhookEndpoint,
} from '../../../contract/conversations/webhook-endpoints.ts';
import { call } from '../../client.ts';
import { countText, duration } from '../../components/format.ts';
import { IconPlus, IconShieldLock } from '../../components/icons.tsx';
import { Info } from '../../components/info.tsx';
import { useLoopbackReceiver } from '../../components/loopback-receiver.ts';
import { Page, Section } from '../../components/page.tsx';
import { useList, useRead } from '../../components/queries.ts';
import { briefRefusal, reasonOf, Refusal } from '../../components/refusal.tsx';
import { RotateDialog } from '../../components/rotate-dialog.tsx';
import { deletion, RowActions, type RowAction } from '../../components/row-actions.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { DataTable, RowLink, type Column } from '../../components/table.tsx';
import { Ago, Hint, Nothing, TextLink, When } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { DayBars } from './day-bars.tsx';
import { deliveredShare, deliveriesOf, failedDeliveriesOf } from './delivery-counts.ts';
import { LocalReceivers } from './local-receivers.tsx';
import { TestForm, TestOfEndpoint } from './test-callback.tsx';
import { AddEndpoint, EndpointDetails, SigningSecret } from './webhook-dialogs.tsx';

const t = texts.webhooks;

export function Webhooks() {
  const endpoints = useList<WebhookEndpoint>('webhook-endpoints', '/webhook-endpoints');
  // The page, not a row or the empty state, renders the dialog: those go once the endpoint is added, before the dialog
  // has shown its secret.
  const [adding, setAdding] = useState<{ url?: string }>();
  const add = (
    <Button leftSection={<IconPlus />} onClick={() => setAdding({})}>
      {t.add.label}
    </Button>
  );
  return (
    <Page title={t.title} lead={t.lead} actions={(endpoints.data?.length ?? 0) > 0 && add}>
      <Loaded query={endpoints}>
        {(saved) => <Endpoints saved={saved} add={add} sign={(url) => setAdding({ url })} />}
      </Loaded>
      <TestForm />
      <LocalReceivers />
      {adding && <AddEndpoint {...adding} close={() => setAdding(undefined)} />}
    </Page>
  );
}

/** A saved endpoint, whose callbacks are signed, or another URL that got callbacks. */
interface Receiver {
  url: string;
  /** Undefined for another URL. */
  endpoint?: WebhookEndpoint;
  /** Undefined if it got no callback in the last 7 days, or the member may not view deliveries. */
  counts?: Omit<DeliveryReceivers['data'][number], 'url' | 'host'> | undefined;
}

/** The saved endpoints, and below them the other URLs that got callbacks, if there are any. */
function Endpoints(props: {
  saved: readonly WebhookEndpoint[];
  add: ReactNode;
  sign: (url: string) => void;
}) {
  const { saved, add, sign } = props;
  const { data: counted } = useRead<DeliveryReceivers>(['delivery-receivers'], '/delivery-receivers', {
    enabled: useCan()('deliveries.view'),
    refetchInterval: 30_000,
  });
  const others = counted?.data ?? [];
  // Explained once, above the first table.
  const period = (
    <>
      {t.period} <Info text={t.periodHelp} />
    </>
  );
  const table = { rowKey: ({ url, endpoint }: Receiver) => endpoint?.id ?? url, isLinked: true };
  return (
    <>
      <Section title={t.endpoints} className="webhooks" {...(saved.length > 0 && { lead: period })}>
        <DataTable<Receiver>
          {...table}
          label={t.endpoints}
          rows={saved.map((endpoint) => ({
            url: endpoint.url,
            endpoint,
            counts: counted?.endpoints.find(({ id }) => id === endpoint.id),
          }))}
          columns={[{ ...address, label: t.columns.endpoint }, signature, receives, ...results]}
          actions={(receiver) => (
            <RowActions
              name={receiver.url}
              actions={[
                failuresOf(receiver),
                test(receiver.url),
                ...(receiver.endpoint ? actionsOfEndpoint(receiver.endpoint) : []),
              ]}
            />
          )}
          empty={
            <Empty icon={IconShieldLock} title={t.emptyTitle} text={t.emptyText}>
              {add}
            </Empty>
          }
        />
      </Section>
      {others.length > 0 && (
        <Section
          title={t.others}
          className="webhooks"
          lead={
            <>
              {t.othersLead} {saved.length === 0 && period}
            </>
          }
        >
          <DataTable<Receiver>
            {...table}
            label={t.others}
            rows={others.map((counts) => ({ url: counts.url, counts }))}
            columns={[{ ...address, label: t.columns.url }, ...results]}
            actions={(receiver) => (
              <RowActions
                name={receiver.url}
                actions={[
                  failuresOf(receiver),
                  { label: t.sign, name: t.signUrl(receiver.url), run: () => sign(receiver.url) },
                  test(receiver.url),
                ]}
              />
            )}
          />
        </Section>
      )}
    </>
  );
}

const address = {
  hasTextBelow: true,
  render: (receiver: Receiver) => (
    <>
      <RowLink to={deliveriesOf(hostOf(receiver))}>
        <Url text={receiver.url} />
      </RowLink>
      <Trouble of={receiver} />
    </>
  ),
};

const signature: Column<Receiver> = {
  label: t.columns.signed,
  isStatus: true,
  render: () => <Badge color="green">{t.yes}</Badge>,
};

const receives: Column<Receiver> = {
  label: t.columns.events,
  isBelowName: true,
  isMinor: ({ endpoint }) => endpoint?.waiting_alerts !== true,
  render: ({ endpoint }) => (
    <div className="dotted-on-phone" title={t.events.callbacksHelp}>
      <span>{t.events.callbacks}</span>
      {endpoint?.waiting_alerts === true && <Hint size="xs">{t.events.waiting}</Hint>}
    </div>
  ),
};

/** The columns of both tables that show how well a receiver answers. */
const results: readonly Column<Receiver>[] = [
  {
    label: t.columns.delivered,
    before: '',
    render: (receiver) =>
      receiver.counts === undefined ? (
        <Hint>{t.noCallbacks}</Hint>
      ) : (
        <Delivered counts={receiver.counts} host={hostOf(receiver)} />
      ),
  },
  {
    label: t.columns.response,
    isMinor: true,
    isFigure: true,
    render: ({ counts }) =>
      counts?.median_ms == null ? <Nothing /> : <span className="short">{duration(counts.median_ms)}</span>,
  },
  {
    label: t.columns.last,
    before: '',
    render: ({ counts }) => (counts === undefined ? <Nothing /> : <Last {...counts.last} />),
  },
];

/** Shows a URL with its path set off. It breaks before `/`, and elsewhere only if a part is too long. */
function Url({ text }: { text: string }) {
  const slash = text.indexOf('/', text.indexOf('://') + 3);
  const [origin, path] = slash === -1 ? [text, ''] : [text.slice(0, slash), text.slice(slash)];
  return (
    <span className="url">
      {origin}
      <b>
        {path.split(/(?=\/)/).map((part, index) => (
          <Fragment key={index}>
            <wbr />
            {part}
          </Fragment>
        ))}
      </b>
    </span>
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
        <Hint size="xs" fw={400}>
          {t.lostHelp}
        </Hint>
      </>
    );
  if (status === 'blocked' && error != null)
    return (
      <Hint size="xs" fw={400}>
        <WhatHelps reason={reasonOf(error)} url={url} host={hostOf(receiver)} />
      </Hint>
    );
  if (endpoint?.previous_until === undefined) return null;
  return (
    <Hint size="xs" fw={400}>
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
      {t.allowWith} <Code fz={11}>{texts.refusals.allow(host)}</Code>
    </>
  );
}

/** The share of what was delivered, of how many, a link to what was not, and the days. */
function Delivered({ counts, host }: { counts: NonNullable<Receiver['counts']>; host: string }) {
  const { attempts, failed, blocked, days } = counts;
  const isNone = attempts === failed + blocked;
  const failures = texts.deliveries.failures(failed, blocked);
  return (
    <Group gap="xs" wrap="nowrap">
      <div className="delivered-share dotted-on-phone">
        <div className="short">
          <Text span inherit fw={600} {...(isNone && { c: 'var(--mantine-color-error)' })}>
            {deliveredShare(counts)}
          </Text>{' '}
          <Hint span size="xs">
            {t.ofCallbacks(countText(attempts))}
          </Hint>
        </div>
        {failures !== '' && (
          <Text size="xs" component="div">
            <TextLink
              to={failedDeliveriesOf(host)}
              size="xs"
              className="short"
              aria-label={t.failedDeliveriesTo(failures, host)}
            >
              {failures}
            </TextLink>
          </Text>
        )}
      </div>
      <DayBars days={days} label={t.byDay} />
    </Group>
  );
}

/** The last attempt: when, and the answer or why there was none. */
function Last({ at, status, http_status, error }: NonNullable<Receiver['counts']>['last']) {
  const reason = status === 'blocked' && error !== null ? briefRefusal(reasonOf(error)) : error;
  return (
    <div>
      <span className="short">
        <Ago at={at} />
      </span>
      <Text
        size="xs"
        {...((http_status !== null || status === 'blocked') && { className: 'short' })}
        c={status === 'delivered' ? 'dimmed' : 'var(--mantine-color-error)'}
      >
        {http_status === null
          ? (reason ?? texts.deliveries.statuses[status])
          : texts.deliveries.httpStatus(http_status)}
      </Text>
    </div>
  );
}

/** Leads to the failures of a receiver whose last callback failed or was blocked. */
const failuresOf = (receiver: Receiver): RowAction | false => {
  const { counts } = receiver;
  if (counts?.last.status !== 'failed' && counts?.last.status !== 'blocked') return false;
  const host = hostOf(receiver);
  return { label: t.seeFailures, name: t.failuresOf(host), to: failedDeliveriesOf(host) };
};

const test = (url: string): RowAction => ({
  label: t.test.ofEndpoint,
  dialog: (close) => <TestOfEndpoint url={url} close={close} />,
});

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
