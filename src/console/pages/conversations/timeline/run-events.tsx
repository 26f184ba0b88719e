/** Events of a run other than its messages: tool calls, failed model calls, deliveries. A click shows the details. */
import { Badge, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { DeliveryView, TimelineRun } from '../../../../contract/conversations/timeline.ts';
import { DeliveryDetail, StatusBadge } from '../../../components/delivery-detail.tsx';
import { duration } from '../../../components/format.ts';
import { IconAlertTriangle, IconSend, IconTool, type Icon } from '../../../components/icons.tsx';
import { Hint, Label, PlainText } from '../../../components/text.tsx';
import { texts } from '../../../messages.ts';

const t = texts.timeline;

function Event(props: { icon: Icon; head: ReactNode; tookMs?: number | undefined; children: ReactNode }) {
  const { icon: Icon, head, tookMs, children } = props;
  return (
    <details className="event">
      <summary>
        <Icon />
        {head}
        {tookMs !== undefined && (
          <Text span size="xs" c="dimmed">
            {duration(tookMs)}
          </Text>
        )}
      </summary>
      <Stack gap="xs" pt="xs">
        {children}
      </Stack>
    </details>
  );
}

export const toolColors = {
  waiting: 'yellow',
  pending: 'gray',
  attempting: 'blue',
  succeeded: 'green',
  failed: 'red',
  unknown: 'yellow',
} as const;

/** The tool calls of one step, each with its outcome, duration, input and result. */
export function ToolCalls({ calls }: { calls: TimelineRun['steps'][number]['tools'] }) {
  return calls.map(({ name, status, started_at, finished_at, input, result }, index) => (
    <Event
      key={index}
      icon={IconTool}
      head={
        <>
          <span className="mono">{name}</span>
          <Badge color={toolColors[status]}>{t.toolStates[status]}</Badge>
        </>
      }
      tookMs={
        started_at === null || finished_at === null
          ? undefined
          : Date.parse(finished_at) - Date.parse(started_at)
      }
    >
      <Label>{t.input}</Label>
      <PlainText text={JSON.stringify(input, null, 2)} label={`${name}: ${t.input}`} />
      {result !== null && (
        <>
          <Label>{t.result}</Label>
          <PlainText text={result} label={`${name}: ${t.result}`} />
        </>
      )}
    </Event>
  ));
}

type ModelFailure = TimelineRun['model_failures'][number];

/** Failed model calls of a step that did not end the run: the last error, the count, and the provider's message. */
export function ModelFailureEvent({ failure }: { failure: ModelFailure }) {
  return (
    <Event
      icon={IconAlertTriangle}
      head={
        <>
          <Text span size="sm">
            {failure.error}
          </Text>
          <Badge color="yellow">{t.failedCalls(failure.count)}</Badge>
        </>
      }
    >
      <ProviderMessage failure={failure} />
    </Event>
  );
}

export function ProviderMessage({ failure: { provider_message: message } }: { failure: ModelFailure }) {
  if (message === null) {
    return <Hint size="xs">{t.noProviderMessage}</Hint>;
  }
  return (
    <>
      <Label>{t.providerMessage}</Label>
      <Text size="sm" className="plain-text">
        {message}
      </Text>
    </>
  );
}

export function DeliveryEvent({ delivery }: { delivery: DeliveryView }) {
  return (
    <Event
      icon={IconSend}
      head={
        <>
          <Text span size="sm">
            {delivery.kind === 'channel_reply' ? t.reply : t.callback}
          </Text>
          <StatusBadge status={delivery.status} />
        </>
      }
      tookMs={delivery.duration_ms}
    >
      <DeliveryDetail delivery={delivery} />
    </Event>
  );
}
