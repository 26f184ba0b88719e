/** Signed webhook endpoints, test callbacks, and in local mode the receivers on this machine. */
import { Badge, Button, Code, Group, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { DeliveryReceivers } from '../../../contract/conversations/timeline.ts';
import type {
  CreatedWebhookEndpoint,
  LoopbackReceivers,
  TestCallback,
  WebhookEndpoint,
} from '../../../contract/conversations/webhook-endpoints.ts';
import { call } from '../../client.ts';
import { Copy } from '../../components/copy.tsx';
import { ConfirmButton, FormDialog, SecretDialog } from '../../components/dialogs.tsx';
import { IconPlus, IconSend, IconShieldLock } from '../../components/icons.tsx';
import { Page } from '../../components/page.tsx';
import { useList } from '../../components/queries.ts';
import { Refusal } from '../../components/refusal.tsx';
import { Empty, Problem } from '../../components/states.tsx';
import { DataTable, QueryTable, RowLink, type Column } from '../../components/table.tsx';
import { Hint, Label, PlainText, TextLink, When } from '../../components/text.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { AllowLoopback } from './allow-loopback.tsx';

const t = texts.webhooks;
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });

export function Webhooks() {
  const [adding, dialog] = useDisclosure(false);
  const endpoints = useList<WebhookEndpoint>('webhook-endpoints', '/webhook-endpoints');
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <Button leftSection={<IconPlus />} onClick={dialog.open}>
          {t.add.label}
        </Button>
      }
    >
      <TestForm />
      <Stack gap="sm">
        <div>
          <Title order={2} size="h4">
            {t.endpoints}
          </Title>
          <Hint>{t.endpointsLead}</Hint>
        </div>
        <QueryTable
          query={endpoints}
          label={t.table}
          columns={columns}
          actions={(endpoint) => <Actions endpoint={endpoint} />}
          empty={<Empty icon={IconShieldLock} title={t.emptyTitle} text={t.emptyText} />}
        />
      </Stack>
      <Receivers />
      <LocalReceivers />
      {adding && <AddEndpoint close={dialog.close} />}
    </Page>
  );
}

const columns: readonly Column<WebhookEndpoint>[] = [
  { label: t.columns.url, render: ({ url }) => <span className="mono plain-text">{url}</span> },
  { label: t.columns.lastDay, render: (endpoint) => <LastDay endpoint={endpoint} /> },
  { label: t.columns.secret, render: (endpoint) => <Secret endpoint={endpoint} /> },
];

function useReceivers() {
  const mayView = useCan()('deliveries.view');
  return useQuery({
    queryKey: ['delivery-receivers'],
    queryFn: ({ signal }) => call<DeliveryReceivers>('GET', '/delivery-receivers', { signal }),
    refetchInterval: 30_000,
    enabled: mayView,
  });
}

const deliveredShare = ({ attempts, failed, blocked }: Receiver | DeliveryReceivers['endpoints'][number]) =>
  percent.format((attempts - failed - blocked) / attempts);

function LastDay({ endpoint: { id, url } }: { endpoint: WebhookEndpoint }) {
  const { data } = useReceivers();
  const found = data?.endpoints.find((one) => one.id === id);
  if (found === undefined) return <Hint>{t.noCallbacks}</Hint>;
  return (
    <TextLink to={deliveriesOf(new URL(url).host)}>
      {t.delivered(deliveredShare(found), found.attempts.toLocaleString())}
    </TextLink>
  );
}

const deliveriesOf = (host: string) => `/deliveries?host=${encodeURIComponent(host)}`;

type Receiver = DeliveryReceivers['data'][number];
const c = t.receivers.columns;
const receiverColumns: readonly Column<Receiver>[] = [
  { label: c.url, render: ({ url, host }) => <RowLink to={deliveriesOf(host)}>{url}</RowLink> },
  { label: c.delivered, isFigure: true, render: deliveredShare },
  { label: c.attempts, isFigure: true, render: ({ attempts }) => attempts.toLocaleString() },
  { label: c.failed, isFigure: true, render: ({ failed }) => failed.toLocaleString() },
  { label: c.blocked, isFigure: true, render: ({ blocked }) => blocked.toLocaleString() },
];

function Receivers() {
  const { data } = useReceivers();
  if (data === undefined || data.data.length === 0) return null;
  return (
    <Stack gap="sm">
      <div>
        <Title order={2} size="h4">
          {t.receivers.title}
        </Title>
        <Hint>{t.receivers.lead}</Hint>
      </div>
      <DataTable
        label={t.receivers.table}
        rows={data.data}
        rowKey={({ url }) => url}
        columns={receiverColumns}
        isLinked
      />
    </Stack>
  );
}

function Secret({
  endpoint: { created_at, rotated_at, previous_until, secret_lost },
}: {
  endpoint: WebhookEndpoint;
}) {
  return (
    <Stack gap={2} align="flex-start">
      {secret_lost === true && (
        <>
          <Badge color="red">{t.lost}</Badge>
          <Hint>{t.lostHelp}</Hint>
        </>
      )}
      <Text size="xs" c="dimmed">
        {rotated_at === undefined ? t.since : t.rotated} <When at={rotated_at ?? created_at} />
      </Text>
      {previous_until !== undefined && (
        <Text size="xs" c="dimmed">
          {t.previousUntil} <When at={previous_until} />
        </Text>
      )}
    </Stack>
  );
}

function Actions({ endpoint }: { endpoint: WebhookEndpoint }) {
  const [rotating, dialog] = useDisclosure(false);
  return (
    <>
      <Button variant="default" size="xs" onClick={dialog.open}>
        {t.rotate.label}
      </Button>
      {rotating && <RotateSecret endpoint={endpoint} close={dialog.close} />}
      <ConfirmButton
        size="xs"
        {...t.remove(endpoint.url)}
        run={() => call('DELETE', `/webhook-endpoints/${endpoint.id}`)}
        query="webhook-endpoints"
      />
    </>
  );
}

const refetched = { refetches: [['webhook-endpoints']] };

function AddEndpoint({ close }: { close: () => void }) {
  const adding = useServerForm({
    values: { url: '' },
    check: { url: required },
    send: (body) => call<CreatedWebhookEndpoint>('POST', '/webhook-endpoints', { body }),
    meta: refetched,
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

function RotateSecret({ endpoint: { id, url }, close }: { endpoint: WebhookEndpoint; close: () => void }) {
  const rotating = useServerForm({
    values: { overlap: '86400' },
    send: ({ overlap }) =>
      call<CreatedWebhookEndpoint>('POST', `/webhook-endpoints/${id}/rotate`, {
        body: { overlap_seconds: Number(overlap) },
      }),
    meta: refetched,
    secret: true,
  });
  if (rotating.answer !== undefined) return <SigningSecret made={rotating.answer} close={close} />;
  return (
    <FormDialog title={t.rotate.title(url)} action={t.rotate.label} of={rotating} close={close}>
      <Text size="sm">{t.rotate.lead}</Text>
      <Select
        label={t.rotate.overlap}
        description={t.rotate.overlapHelp}
        data={Object.entries(t.rotate.overlaps).map(([value, label]) => ({ value, label }))}
        allowDeselect={false}
        data-autofocus
        {...rotating.form.getInputProps('overlap')}
      />
    </FormDialog>
  );
}

function SigningSecret({ made, close }: { made: CreatedWebhookEndpoint; close: () => void }) {
  return (
    <SecretDialog
      title={t.secretTitle}
      lead={t.secretLead}
      label={t.secretLabel}
      secret={made.secret}
      copyLabel={t.copySecret}
      close={close}
    >
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
    <Stack gap="sm" className="panel" p="md">
      <div>
        <Title order={2} size="h4">
          {t.test.title}
        </Title>
        <Hint>{t.test.lead}</Hint>
      </div>
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
          <Button type="submit" leftSection={<IconSend />} loading={testing.trying.isPending}>
            {t.test.submit}
          </Button>
        </Group>
      </form>
      <Problem of={testing.trying} />
      {testing.answer !== undefined && <TestResult result={testing.answer} />}
    </Stack>
  );
}

const colors = { delivered: 'green', failed: 'red', blocked: 'orange' } as const;

function TestResult({ result }: { result: TestCallback }) {
  const { outcome, http_status, duration_ms, signed, error, url, headers, response_body, request_body } =
    result;
  const d = texts.deliveries;
  return (
    <Stack gap="xs" role="region" aria-label={t.test.result}>
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
        <Text component="summary" size="sm">
          {t.test.request}
        </Text>
        <PlainText text={JSON.stringify(JSON.parse(request_body), null, 2)} label={t.test.request} />
        <Copy text={request_body} label={texts.common.copy} />
      </details>
    </Stack>
  );
}

/** Shows why a test callback failed, and how to fix that. */
function Cause({ outcome, error, url }: Pick<TestCallback, 'outcome' | 'url'> & { error: string }) {
  if (outcome === 'blocked') {
    const host = URL.canParse(url) ? new URL(url).host : url;
    return (
      <Stack gap="xs">
        <Text size="sm" component="div">
          <Refusal reason={error} host={host} copies />
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
  const { data } = useQuery({
    queryKey: ['loopback-receivers'],
    queryFn: () => call<LoopbackReceivers>('GET', '/loopback-receivers'),
  });
  if (data?.offered !== true || data.data.length === 0) return null;
  return (
    <Stack gap="sm">
      <div>
        <Title order={2} size="h4">
          {t.local.title}
        </Title>
        <Hint>{t.local.lead}</Hint>
      </div>
      {data.data.map(({ host }) => (
        <Group key={host} justify="space-between" className="panel" p="sm">
          <span className="mono">{host}</span>
          <ConfirmButton
            size="xs"
            {...t.local.remove(host)}
            run={() => call('DELETE', `/loopback-receivers/${encodeURIComponent(host)}`)}
            query="loopback-receivers"
          />
        </Group>
      ))}
    </Stack>
  );
}
