/** Failed model calls: their consequence, and the provider's own message behind a click. */
import { Badge, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '../../../components/icons.tsx';
import type { TimelineRun } from '../../../../contract/conversations/timeline.ts';
import { words } from '../../../messages.ts';

const w = words.timeline;

export type ModelFailure = TimelineRun['model_failures'][number];

/** Calls that failed before another one succeeded, or while more are to come. */
export function ModelFailureEvent({ failure }: { failure: ModelFailure }) {
  return (
    <details className="event">
      <summary>
        <IconAlertTriangle size={16} aria-hidden />
        <Text span size="sm">
          {failure.error}
        </Text>
        <Badge color="yellow">{w.failedCalls(failure.count)}</Badge>
      </summary>
      <Stack gap="xs" pt="xs">
        <ProviderWords failure={failure} />
      </Stack>
    </details>
  );
}

export function ProviderWords({ failure }: { failure: ModelFailure }) {
  if (failure.provider_words === null) {
    return (
      <Text size="xs" c="dimmed">
        {w.noProviderWords}
      </Text>
    );
  }
  return (
    <>
      <Text size="xs" fw={600}>
        {w.providerWords}
      </Text>
      <Text size="sm" className="plain-text">
        {failure.provider_words}
      </Text>
    </>
  );
}
