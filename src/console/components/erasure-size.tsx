/** Shows, in the confirmation before an erasure, how much the erasure would delete. */
import { Text } from '@mantine/core';
import type { ErasureSize as Size } from '../../contract/data/erasure-size.ts';
import { texts } from '../messages.ts';
import { useRead } from './queries.ts';
import { Loaded } from './states.tsx';

/** @param props.of the conversation, or the contact of the conversations, that would be erased */
export function ErasureSize({ of }: { of: { conversation_id: string } | { contact_id: string } }) {
  // Caches nothing, so that each confirmation shows a new count: messages may have arrived in the meantime.
  const size = useRead<Size>(['erasure-size', of], '/erasure-size', { query: of, gcTime: 0 });
  return (
    <Loaded query={size}>
      {({ conversations, messages, files, deliveries }) => (
        <Text size="sm" fw={600} role="status">
          {texts.data.erasureSize(conversations, messages, files, deliveries)}
        </Text>
      )}
    </Loaded>
  );
}
