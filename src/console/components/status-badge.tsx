import { Badge } from '@mantine/core';
import type { Delivery } from '../../contract/conversations/conversations.ts';
import { words } from '../messages.ts';

const colors = {
  pending: 'gray',
  attempting: 'blue',
  delivered: 'green',
  failed: 'red',
  blocked: 'orange',
  unknown: 'yellow',
} as const;

export function StatusBadge({ status }: { status: Delivery['status'] }) {
  return <Badge color={colors[status]}>{words.deliveries.statuses[status]}</Badge>;
}
