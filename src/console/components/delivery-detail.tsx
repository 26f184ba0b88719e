/** Shows a delivery: status, error, request and response. Nothing is rendered as HTML. */
import { Badge, Group, Stack, Text } from '@mantine/core';
import type { Delivery } from '../../contract/conversations/conversations.ts';
import type { DeliveryView } from '../../contract/conversations/timeline.ts';
import type { ReactNode } from 'react';
import { texts } from '../messages.ts';
import { Copy } from './copy.tsx';
import { Refusal } from './refusal.tsx';
import { Hint, Label, PlainText, TextLink, When } from './text.tsx';

const t = texts.deliveries;
const colors = {
  pending: 'gray',
  attempting: 'blue',
  delivered: 'green',
  failed: 'red',
  blocked: 'orange',
  unknown: 'yellow',
} as const;

export function StatusBadge({ status }: { status: Delivery['status'] }) {
  return <Badge color={colors[status]}>{t.statuses[status]}</Badge>;
}

/** @param help shown below the reason of a blocked delivery */
export function DeliveryDetail({ delivery, help }: { delivery: DeliveryView; help?: ReactNode }) {
  const {
    event,
    url,
    status,
    http_status,
    response_body,
    error,
    attempted_at,
    duration_ms,
    request_body,
    host,
    signed,
    resend_of,
  } = delivery;
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <StatusBadge status={status} />
        <span className="mono">{event}</span>
        {http_status !== undefined && <Text size="sm">{t.httpStatus(http_status)}</Text>}
        {attempted_at !== undefined && (
          <Hint>
            <When at={attempted_at} />
          </Hint>
        )}
        {duration_ms !== undefined && <Hint>{t.milliseconds(duration_ms)}</Hint>}
        {signed === true && <Badge color="gray">{texts.webhooks.resend.signed}</Badge>}
      </Group>
      {resend_of !== undefined && (
        <Text size="sm">
          {texts.webhooks.resend.of}{' '}
          <TextLink to={`/deliveries/${resend_of}`}>{texts.webhooks.resend.first}</TextLink>
        </Text>
      )}
      <Hint>{t.statusHelp[status]}</Hint>
      <Text size="sm" className="mono">
        {url}
      </Text>
      {error !== undefined && (
        <div>
          <Label>{t.why}</Label>
          <Text size="sm" className="plain-text">
            {error}
          </Text>
          {status === 'blocked' && (
            <Text size="sm" component="div" mt={4}>
              <Refusal reason={error.replace(/^blocked: /, '')} host={host ?? url} copies />
            </Text>
          )}
          {status === 'blocked' && help}
        </div>
      )}
      <Label>{t.request}</Label>
      {request_body === null ? (
        <Hint>{t.notSent}</Hint>
      ) : (
        <>
          <PlainText text={indented(request_body)} label={t.request} />
          {host !== null && <Copy text={curlOf(url, request_body)} label={t.copyCurl} />}
        </>
      )}
      <Label>{t.answer}</Label>
      {response_body === undefined || response_body === '' ? (
        <Hint>{t.noAnswer}</Hint>
      ) : (
        <PlainText text={response_body} label={t.answer} />
      )}
    </Stack>
  );
}

/** Returns a shell command that sends the same request. */
function curlOf(url: string, body: string): string {
  return `curl -sS -X POST ${quoted(url)} -H 'Content-Type: application/json' --data-raw ${quoted(body)}`;
}

/** Quotes a text for a POSIX shell, so that nothing in it is expanded. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
