/** All details of a delivery: why it ended as it did, the request, the response. Everything is shown as text. */
import { Group, Stack, Text } from '@mantine/core';
import type { DeliveryView } from '../../contract/conversations/timeline.ts';
import { words } from '../messages.ts';
import { PlainText } from './plain-text.tsx';
import { StatusBadge } from './status-badge.tsx';
import { When } from './when.tsx';

const w = words.deliveries;

export function DeliveryDetail({ delivery }: { delivery: DeliveryView }) {
  const { event, url, status, http_status, response_body, error, attempted_at, duration_ms, request_body } =
    delivery;
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <StatusBadge status={status} />
        <span className="mono">{event}</span>
        {http_status !== undefined && <Text size="sm">{w.httpStatus(http_status)}</Text>}
        {attempted_at !== undefined && (
          <Text size="sm" c="dimmed">
            <When at={attempted_at} />
          </Text>
        )}
        {duration_ms !== undefined && (
          <Text size="sm" c="dimmed">
            {w.milliseconds(duration_ms)}
          </Text>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {w.statusHelp[status]}
      </Text>
      <Text size="sm" className="mono">
        {url}
      </Text>
      {error !== undefined && (
        <div>
          <Text size="xs" fw={600}>
            {w.why}
          </Text>
          <Text size="sm" className="plain-text">
            {error}
          </Text>
        </div>
      )}
      <Text size="xs" fw={600}>
        {w.request}
      </Text>
      {request_body === null ? (
        <Text size="sm" c="dimmed">
          {w.notSent}
        </Text>
      ) : (
        <PlainText text={indented(request_body)} label={w.request} />
      )}
      <Text size="xs" fw={600}>
        {w.answer}
      </Text>
      {response_body === undefined || response_body === '' ? (
        <Text size="sm" c="dimmed">
          {w.noAnswer}
        </Text>
      ) : (
        <PlainText text={response_body} label={w.answer} />
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
