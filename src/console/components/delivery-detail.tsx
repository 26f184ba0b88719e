/** Shows a delivery: status, error, request and response. Never renders text from a receiver as HTML. */
import { Badge, Group, Stack, Text } from '@mantine/core';
import type { Delivery } from '../../contract/conversations/conversations.ts';
import type { DeliveryView } from '../../contract/conversations/timeline.ts';
import type { ReactNode } from 'react';
import { texts } from '../messages.ts';
import { Copy } from './copy.tsx';
import { curlOf } from './curl.ts';
import { indented, sentenceCase } from './format.ts';
import { reasonOf, Refusal } from './refusal.tsx';
import { Hint, Label, Multiline, PlainText, TextLink, When } from './text.tsx';

const t = texts.deliveries;
const helps: Readonly<Record<string, string | undefined>> = texts.webhooks.test.helps;
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

/**
 * @param props.help shown below the error of a blocked delivery
 * @param props.children shown above the request and the response, for example buttons
 */
export function DeliveryDetail(props: { delivery: DeliveryView; help?: ReactNode; children?: ReactNode }) {
  const { delivery, help, children } = props;
  const {
    id,
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
    agent_version,
  } = delivery;
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <StatusBadge status={status} />
        <span className="mono">{event}</span>
        {http_status !== undefined && <Text size="sm">{t.httpStatus(http_status)}</Text>}
        {attempted_at !== undefined && (
          <Hint>
            <When at={attempted_at} isExact />
          </Hint>
        )}
        {duration_ms !== undefined && <Hint>{t.milliseconds(duration_ms)}</Hint>}
        {agent_version !== undefined && <Badge color="gray">{texts.versions.version(agent_version)}</Badge>}
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
          {status === 'blocked' ? (
            <Text size="sm" component="div">
              <Refusal reason={reasonOf(error)} url={url} host={host ?? url} copies />
            </Text>
          ) : (
            <Multiline>{sentenceCase(error)}</Multiline>
          )}
          {status === 'failed' && helps[error] !== undefined && <Hint mt={4}>{helps[error]}</Hint>}
          {status === 'blocked' && help}
        </div>
      )}
      {children}
      <Label>{t.request}</Label>
      {request_body === null ? (
        <Hint>{t.notSent}</Hint>
      ) : (
        <>
          <PlainText text={indented(request_body)} label={t.request} />
          {host !== null && (
            <Copy
              text={curlOf({ id, url, body: request_body, signed: signed === true, resendOf: resend_of })}
              label={signed === true ? t.copySignedCurl : t.copyCurl}
            />
          )}
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
