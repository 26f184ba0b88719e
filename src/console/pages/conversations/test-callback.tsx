/** Test callbacks: the form for any URL, the dialog for an endpoint, and what came back. */
import { Badge, Button, Code, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import type { TestCallback } from '../../../contract/conversations/webhook-endpoints.ts';
import { call } from '../../client.ts';
import { Copy } from '../../components/copy.tsx';
import { FormDialog } from '../../components/dialogs.tsx';
import { indented } from '../../components/format.ts';
import { Refusal } from '../../components/refusal.tsx';
import { Row, Rows } from '../../components/rows.tsx';
import { Problem } from '../../components/states.tsx';
import { Hint, Label, PlainText, Summary } from '../../components/text.tsx';
import { required, useServerForm } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';
import { AllowLoopback } from './allow-loopback.tsx';

const t = texts.webhooks;

/** Sends a test callback to an endpoint, and shows how it ended. */
export function TestOfEndpoint({ url, close }: { url: string; close: () => void }) {
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

export function TestForm() {
  const testing = useServerForm({
    values: { url: '' },
    check: { url: required },
    send: (body) => call<TestCallback>('POST', '/test-callbacks', { body }),
  });
  return (
    <section aria-label={t.test.title}>
      <Rows>
        <form noValidate onSubmit={testing.submit}>
          <Row
            name={
              <Title order={2} size="h6">
                {t.test.title}
              </Title>
            }
            help={t.test.lead}
          >
            <Group align="flex-start" gap="xs" wrap="nowrap">
              <TextInput
                className="row-field"
                aria-label={t.test.url}
                placeholder={t.test.example}
                maxLength={2048}
                {...testing.form.getInputProps('url')}
              />
              <Button type="submit" variant="default" loading={testing.trying.isPending}>
                {t.test.submit}
              </Button>
            </Group>
          </Row>
        </form>
        {(testing.trying.error !== null || testing.answer !== undefined) && (
          <Stack p="md">
            <Problem of={testing.trying} />
            {testing.answer !== undefined && <TestResult result={testing.answer} />}
          </Stack>
        )}
      </Rows>
    </section>
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
