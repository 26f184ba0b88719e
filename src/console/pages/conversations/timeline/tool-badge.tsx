import { Badge } from '@mantine/core';
import type { TimelineRun } from '../../../../contract/conversations/timeline.ts';
import { texts } from '../../../messages.ts';

const t = texts.timeline;
const colors = {
  waiting: 'yellow',
  pending: 'gray',
  attempting: 'blue',
  succeeded: 'green',
  failed: 'red',
  unknown: 'yellow',
} as const;

type Call = Pick<TimelineRun['steps'][number]['tools'][number], 'status' | 'started_at'>;

/** The status of a tool call. A call that Parley refused, for example in a test, has failed without having started. */
export function ToolBadge({ call: { status, started_at } }: { call: Call }) {
  if (status === 'failed' && started_at === null) return <Badge color="gray">{t.notExecuted}</Badge>;
  return <Badge color={colors[status]}>{t.toolStates[status]}</Badge>;
}
