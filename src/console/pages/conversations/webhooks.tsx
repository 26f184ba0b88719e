/**
 * The page of webhooks: test callbacks, signed endpoints, recent receivers and, in local mode, the receivers on this
 * machine that Parley may call.
 */
import { Badge, Button, Code, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { DeliveryReceivers } from '../../../contract/conversations/timeline.ts';
import type {
  CreatedWebhookEndpoint,
  LoopbackReceivers,
  TestCallback,
  WebhookEndpoint,
} from '../../../contract/conversations/webhook-endpoints.ts';
import { call } from '../../client.ts';
import { Copy } from '../../components/copy.tsx';
import { DeleteButton, DialogButton, FormDialog, SecretDialog } from '../../components/dialogs.tsx';
import { indented, countText } from '../../components/format.ts';
import { IconPlus, IconSend, IconShieldLock } from '../../components/icons.tsx';
import { Page, Section } from '../../components/page.tsx';
import { useList, useRead } from '../../components/queries.ts';
import { Refusal } from '../../components/refusal.tsx';
import { RotateDialog } from '../../components/rotate-dialog.tsx';
import { deletion, RowActions } from '../../components/row-actions.tsx';
import { Empty, Problem } from '../../components/states.tsx';
import { DataTable, QueryTable, RowLink, type Column } from '../../components/table.tsx';
import { Ago, Hint, Label, PlainText, Summary, TextLink, When } from '../../components/text.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { AllowLoopback } from './allow-loopback.tsx';
import { countColumns, deliveredShare, deliveriesOf } from './delivery-counts.tsx';

const t = texts.webhooks;
/** Stands for a secret, which the console never shows again. */
const secretMask = 'whsec_…';

export function Webhooks() {
  const endpoints = useList<WebhookEndpoint>('webhook-endpoints', '/webhook-endpoints');
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
      <Section title={t.endpoints} lead={t.endpointsLead}>
        <QueryTable
          query={endpoints}
          label={t.table}
          columns={columns}
          isLinked
          actions={actionsOf}
          empty={<Empty icon={IconShieldLock} title={t.emptyTitle} text={t.emptyText} />}
        />
      </Section>
      <Receivers />
      <TestForm />
      <LocalReceivers />
    </Page>
  );
}

const columns: readonly Column<WebhookEndpoint>[] = [
  {
    label: t.columns.url,
    render: ({ url }) => (
      <RowLink to={deliveriesOf(new URL(url).host)}>
        <span className="mono plain-text">{url}</span>
      </RowLink>
    ),
  },
  { label: t.columns.lastDay, render: (endpoint) => <LastDay endpoint={endpoint} /> },
  { label: t.columns.alerts, render: (endpoint) => <WaitingAlerts endpoint={endpoint} /> },
  { label: t.columns.secret, render: (endpoint) => <Secret endpoint={endpoint} /> },
];

function useReceivers() {
  const enabled = useCan()('deliveries.view');
  const options = { enabled, refetchInterval: 30_000 };
  return useRead<DeliveryReceivers>(['delivery-receivers'], '/delivery-receivers', options);
}

function LastDay({ endpoint: { id, url } }: { endpoint: WebhookEndpoint }) {
  const { data } = useReceivers();
  const found = data?.endpoints.find((one) => one.id === id);
  if (found === undefined) return <Hint>{t.noCallbacks}</Hint>;
  return (
    <TextLink to={deliveriesOf(new URL(url).host)}>
      {t.delivered(deliveredShare(found), countText(found.attempts))}
    </TextLink>
  );
}

const { delivered, attempts, failed, blocked } = countColumns;
const receiverColumns: readonly Column<DeliveryReceivers['data'][number]>[] = [
  { label: t.receivers.url, render: ({ url, host }) => <RowLink to={deliveriesOf(host)}>{url}</RowLink> },
  attempts,
  delivered,
  failed,
  blocked,
];

function Receivers() {
  const { data } = useReceivers();
  if (data === undefined || data.data.length === 0) return null;
  return (
    <Section title={t.receivers.title} lead={t.receivers.lead}>
      <DataTable
        label={t.receivers.table}
        rows={data.data}
        rowKey={({ url }) => url}
        columns={receiverColumns}
        isLinked
      />
    </Section>
  );
}

/** A switch for alerts about conversations that wait for a person. */
function WaitingAlerts({ endpoint: { id, url, waiting_alerts } }: { endpoint: WebhookEndpoint }) {
  const choosing = useMutation({
    mutationFn: (isOn: boolean) =>
      call('PATCH', `/webhook-endpoints/${id}`, { body: { waiting_alerts: isOn } }),
    meta: { refetches: [['webhook-endpoints']], notifiesError: true },
  });
  return (
    <Switch
      label={t.waitingAlerts}
      title={t.waitingAlertsHelp}
      aria-label={`${t.waitingAlerts}: ${url}`}
      checked={choosing.isPending ? choosing.variables : waiting_alerts === true}
      onChange={({ currentTarget }) => choosing.mutate(currentTarget.checked)}
    />
  );
}

function Secret({
  endpoint: { created_at, rotated_at, previous_until, secret_lost },
}: {
  endpoint: WebhookEndpoint;
}) {
  return (
    <Stack gap={2} align="flex-start">
      {secret_lost !== true && <span className="mono">{secretMask}</span>}
      {secret_lost === true && (
        <>
          <Badge color="red">{t.lost}</Badge>
          <Hint>{t.lostHelp}</Hint>
        </>
      )}
      <Hint size="xs">
        {rotated_at === undefined ? t.since : t.rotated} <Ago at={rotated_at ?? created_at} />
      </Hint>
      {previous_until !== undefined && (
        <Hint size="xs">
          {t.previousUntil} <When at={previous_until} />
        </Hint>
      )}
    </Stack>
  );
}

const actionsOf = ({ id, url }: WebhookEndpoint) => (
  <RowActions
    name={url}
    actions={[
      { label: t.test.ofEndpoint, dialog: (close) => <TestOfEndpoint url={url} close={close} /> },
      {
        label: t.rotate.label,
        dialog: (close) => (
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
    ]}
  />
);

/** Sends a test callback to an endpoint, and shows how it ended. */
function TestOfEndpoint({ url, close }: { url: string; close: () => void }) {
  const testing = useServerForm({
    values: { url },
    send: (body) => call<TestCallback>('POST', '/test-callbacks', { body }),
  });
  return (
    <FormDialog title={t.test.title} action={t.test.submit} of={testing} close={close} size="lg">
      <Hint>{t.test.lead}</Hint>
      <span className="mono plain-text">{url}</span>
      {testing.answer !== undefined && (
        <TestResult result={testing.answer} label={`${t.test.result}: ${url}`} />
      )}
    </FormDialog>
  );
}

function AddEndpoint({ close }: { close: () => void }) {
  const adding = useServerForm({
    values: { url: '' },
    check: { url: required },
    send: (body) => call<CreatedWebhookEndpoint>('POST', '/webhook-endpoints', { body }),
    meta: { refetches: [['webhook-endpoints']] },
    secret: true,
  });
  if (adding.answer !== undefined) return <SigningSecret made={adding.answer} close={close} />;
  return (
    <FormDialog title={t.add.label} action={t.add.submit} of={adding} close={close}>
      <TextInput
        label={t.add.url}
        description={t.add.help}
        required
        maxLength={2048}
        data-autofocus
        {...adding.form.getInputProps('url')}
      />
    </FormDialog>
  );
}

function SigningSecret({ made, close }: { made: CreatedWebhookEndpoint; close: () => void }) {
  return (
    <SecretDialog {...t.made} secret={made.secret} close={close}>
      <Hint>{t.secretUsage}</Hint>
    </SecretDialog>
  );
}

function TestForm() {
  const testing = useServerForm({
    values: { url: '' },
    check: { url: required },
    send: (body) => call<TestCallback>('POST', '/test-callbacks', { body }),
  });
  return (
    <Section title={t.test.title} lead={t.test.lead} className="panel" p="md">
      <form noValidate onSubmit={testing.submit}>
        <Group align="flex-end" gap="sm">
          <TextInput
            label={t.test.url}
            placeholder={t.test.example}
            maxLength={2048}
            flex="1 1 260px"
            maw={560}
            {...testing.form.getInputProps('url')}
          />
          <Button
            type="submit"
            variant="default"
            leftSection={<IconSend />}
            loading={testing.trying.isPending}
          >
            {t.test.submit}
          </Button>
        </Group>
      </form>
      <Problem of={testing.trying} />
      {testing.answer !== undefined && <TestResult result={testing.answer} />}
    </Section>
  );
}

const colors = { delivered: 'green', failed: 'red', blocked: 'orange' } as const;

/** @param props.label the region's name for screen readers */
function TestResult({ result, label = t.test.result }: { result: TestCallback; label?: string }) {
  const { outcome, http_status, duration_ms, signed, error, url, headers, response_body, request_body } =
    result;
  const d = texts.deliveries;
  return (
    <Stack gap="xs" role="region" aria-label={label}>
      <Group gap="sm" role="status">
        <Badge color={colors[outcome]}>{t.test.outcomes[outcome]}</Badge>
        {http_status !== undefined && <Text size="sm">{d.httpStatus(http_status)}</Text>}
        {duration_ms !== undefined && <Hint>{d.milliseconds(duration_ms)}</Hint>}
        <Badge color="gray">{signed ? t.test.signed : t.test.unsigned}</Badge>
      </Group>
      {error !== undefined && <Cause outcome={outcome} error={error} url={url} />}
      {headers !== undefined && (
        <>
          <Label>{t.test.headers}</Label>
          <PlainText
            text={headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}
            label={t.test.headers}
            mah={160}
          />
          <Label>{t.test.answer}</Label>
          {response_body === undefined || response_body === '' ? (
            <Hint>{t.test.noBody}</Hint>
          ) : (
            <PlainText text={response_body} label={t.test.answer} mah={160} />
          )}
        </>
      )}
      <details>
        <Summary>{t.test.request}</Summary>
        <PlainText text={indented(request_body)} label={t.test.request} />
        <Copy text={request_body} label={texts.common.copy} />
      </details>
    </Stack>
  );
}

/** Explains why a test callback failed, and how to fix it. */
function Cause({ outcome, error, url }: Pick<TestCallback, 'outcome' | 'url'> & { error: string }) {
  if (outcome === 'blocked') {
    const host = URL.canParse(url) ? new URL(url).host : url;
    return (
      <Stack gap="xs">
        <Text size="sm" component="div">
          <Refusal reason={error} url={url} host={host} copies />
        </Text>
        <AllowLoopback url={url} />
      </Stack>
    );
  }
  const helps: Readonly<Record<string, string>> = t.test.helps;
  return (
    <Text size="sm">
      <Code>{error}</Code> {helps[error] ?? t.test.status}
    </Text>
  );
}

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
