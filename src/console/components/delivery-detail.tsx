/** Shows a delivery: status, error, request and response. Nothing is rendered as HTML. */
import { Badge, Group, Stack, Text } from '@mantine/core';
import type { Delivery } from '../../contract/conversations/conversations.ts';
import type { DeliveryView } from '../../contract/conversations/timeline.ts';
import { texts } from '../messages.ts';
import { Hint, Label, PlainText, When } from './text.tsx';

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

export function DeliveryDetail({ delivery }: { delivery: DeliveryView }) {
  const { event, url, status, http_status, response_body, error, attempted_at, duration_ms, request_body } =
    delivery;
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
      </Group>
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
        </div>
      )}
      <Label>{t.request}</Label>
      {request_body === null ? (
        <Hint>{t.notSent}</Hint>
      ) : (
        <PlainText text={indented(request_body)} label={t.request} />
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

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
