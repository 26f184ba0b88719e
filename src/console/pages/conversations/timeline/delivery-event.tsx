import { Stack, Text } from '@mantine/core';
import { IconSend } from '../../../components/icons.tsx';
import type { DeliveryView } from '../../../../contract/conversations/timeline.ts';
import { duration } from '../../../components/durations.ts';
import { DeliveryDetail } from '../../../components/delivery-detail.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { words } from '../../../messages.ts';

export function DeliveryEvent({ delivery }: { delivery: DeliveryView }) {
  const onChannel = delivery.url.startsWith('whatsapp:');
  return (
    <details className="event">
      <summary>
        <IconSend size={16} aria-hidden />
        <Text span size="sm">
          {onChannel ? words.timeline.reply : words.timeline.callback}
        </Text>
        <StatusBadge status={delivery.status} />
        {delivery.duration_ms !== undefined && (
          <Text span size="xs" c="dimmed">
            {duration(delivery.duration_ms)}
          </Text>
        )}
      </summary>
      <Stack pt="xs">
        <DeliveryDetail delivery={delivery} />
      </Stack>
    </details>
  );
}
