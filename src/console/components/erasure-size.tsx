/** Says, in a question before an erasure, how much it deletes. */
import { Text } from '@mantine/core';
import type { ErasureSize as Size } from '../../contract/data/erasure-size.ts';
import { texts } from '../messages.ts';
import { useRead } from './queries.ts';
import { Loaded } from './states.tsx';

/** @param props.of the conversation, or the contact of the conversations, that would be erased */
export function ErasureSize({ of }: { of: { conversation_id: string } | { contact_id: string } }) {
  // Counted each time the question opens, because messages may have arrived since.
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
