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

/** True if Parley did not run the call, for example in a test: the call has failed without having started. */
export const wasRefused = ({ status, started_at }: Call): boolean =>
  status === 'failed' && started_at === null;

/** The status of a tool call. */
export function ToolBadge({ call }: { call: Call }) {
  if (wasRefused(call)) return <Badge color="gray">{t.notExecuted}</Badge>;
  return <Badge color={colors[call.status]}>{t.toolStates[call.status]}</Badge>;
}
