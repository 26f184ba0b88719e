/** A button that scrolls to messages that arrived while the reader was further up. */
import { Button } from '@mantine/core';
import { IconArrowDown } from '../../../components/icons.tsx';
import { useState } from 'react';
import type { TimelineRun } from '../../../../contract/conversations/timeline.ts';
import { words } from '../../../messages.ts';

export function NewMessages(props: { runs: readonly TimelineRun[]; isAtEnd: boolean; toEnd: () => void }) {
  const { runs, isAtEnd, toEnd } = props;
  const newest = runs
    .flatMap(({ messages }) => messages)
    .reduce((last, { at }) => (at > last ? at : last), '');
  const [seen, setSeen] = useState(newest);
  if (isAtEnd && seen !== newest) setSeen(newest);
  const count = runs.flatMap(({ messages }) => messages).filter(({ at }) => at > seen).length;
  return (
    <div className="new-messages" role="status">
      {!isAtEnd && count > 0 && (
        <Button size="xs" radius="xl" rightSection={<IconArrowDown size={14} aria-hidden />} onClick={toEnd}>
          {words.timeline.newMessages(count)}
        </Button>
      )}
    </div>
  );
}
