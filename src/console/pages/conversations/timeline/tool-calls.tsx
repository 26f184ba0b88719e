/** The tool calls of one step: name and outcome, with input and result behind a click. */
import { Badge, Stack, Text } from '@mantine/core';
import { IconTool } from '../../../components/icons.tsx';
import type { TimelineRun } from '../../../../contract/conversations/timeline.ts';
import { duration } from '../../../components/durations.ts';
import { PlainText } from '../../../components/plain-text.tsx';
import { words } from '../../../messages.ts';

type Call = TimelineRun['steps'][number]['tools'][number];

const w = words.timeline;
const colors = {
  pending: 'gray',
  attempting: 'blue',
  succeeded: 'green',
  failed: 'red',
  unknown: 'yellow',
} as const;

export function ToolCalls({ calls }: { calls: readonly Call[] }) {
  return calls.map((call, index) => (
    <details key={index} className="event">
      <summary>
        <IconTool size={16} aria-hidden />
        <span className="mono">{call.name}</span>
        <Badge color={colors[call.status]}>{w.toolStates[call.status]}</Badge>
        {call.started_at !== null && call.finished_at !== null && (
          <Text span size="xs" c="dimmed">
            {duration(Date.parse(call.finished_at) - Date.parse(call.started_at))}
          </Text>
        )}
      </summary>
      <Stack gap="xs" pt="xs">
        <Text size="xs" fw={600}>
          {w.input}
        </Text>
        <PlainText text={JSON.stringify(call.input, null, 2)} label={`${call.name}: ${w.input}`} />
        {call.result !== null && (
          <>
            <Text size="xs" fw={600}>
              {w.result}
            </Text>
            <PlainText text={call.result} label={`${call.name}: ${w.result}`} />
          </>
        )}
      </Stack>
    </details>
  ));
}
