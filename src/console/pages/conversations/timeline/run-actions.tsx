/**
 * The button below a conversation. While a run is in progress, the button cancels the unanswered messages. Otherwise, if
 * `mayRegenerate` is true, it regenerates the last answer once no delivery is pending.
 */
import type { ButtonProps } from '@mantine/core';
import type { TimelineEntry } from '../../../../contract/conversations/timeline.ts';
import { call } from '../../../client.ts';
import { ActionButton } from '../../../components/action-button.tsx';
import { IconPlayerStop, IconRefresh } from '../../../components/icons.tsx';
import { texts } from '../../../messages.ts';
import { useCan } from '../../../shell/session.ts';
import { isInProgress } from './timeline-polls.ts';

const t = texts.timeline;

export function RunActions(
  props: { id: string; mayRegenerate: boolean; entries: readonly TimelineEntry[] } & Pick<
    ButtonProps,
    'size' | 'variant' | 'color'
  >,
) {
  const { id, mayRegenerate, entries, ...look } = props;
  const can = useCan();
  if (!can('conversations.take_over')) return null;
  const button = (what: 'cancel' | 'regenerate', label: string, Icon: typeof IconRefresh) => (
    <ActionButton
      {...look}
      className="run-action"
      w="fit-content"
      leftSection={<Icon {...(what === 'cancel' && { fill: 'currentColor' })} />}
      label={label}
      run={() => call('POST', `/conversations/${id}/${what}`, what === 'regenerate' ? { body: {} } : {})}
      refetches={[['timeline', id]]}
    />
  );
  if (entries.some(isInProgress)) return button('cancel', t.stop, IconPlayerStop);
  return mayRegenerate && entries.some(canRegenerate) && !entries.some(isBeingDelivered)
    ? button('regenerate', t.regenerate, IconRefresh)
    : null;
}

/** True if the entry is a run with user messages, which can be answered again. The run of a follow-up has none. */
function canRegenerate(entry: TimelineEntry): boolean {
  return (
    entry.kind === 'run' &&
    entry.mode !== 'follow_up' &&
    entry.messages.some(({ origin }) => origin === 'user')
  );
}

function isBeingDelivered({ deliveries }: TimelineEntry): boolean {
  return deliveries.some(({ status }) => status === 'pending');
}
