import { Text } from '@mantine/core';
import { words } from '../messages.ts';

const short = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });
const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** @param at ISO 8601; null or undefined shows "never" */
export function When({ at, timeOnly = false }: { at: string | null | undefined; timeOnly?: boolean }) {
  if (at == null)
    return (
      <Text span inherit c="dimmed">
        {words.common.never}
      </Text>
    );
  const date = new Date(at);
  return (
    <time dateTime={at} title={exact.format(date)}>
      {(timeOnly ? clock : short).format(date)}
    </time>
  );
}
