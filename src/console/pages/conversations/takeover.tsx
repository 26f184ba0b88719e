/** Says that the agent of a conversation is paused, and pauses or resumes it. */
import { Alert, type ButtonProps } from '@mantine/core';
import type { Timeline } from '../../../contract/conversations/timeline.ts';
import { call } from '../../client.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { IconPlayerPause, IconPlayerPlay } from '../../components/icons.tsx';
import { When } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';

const t = texts.conversation;

interface Of {
  conversation: Timeline['conversation'];
}

/** Says who has paused the agent, and until when. Renders nothing while the agent answers. */
export function TakenOver({ conversation }: Of) {
  const { paused_until } = conversation;
  if (paused_until === undefined) return null;
  return (
    <Alert color="violet" role="status">
      {takenOver(conversation)} {t.silentUntil} <When at={paused_until} />.
    </Alert>
  );
}

function takenOver({ paused_by, paused_by_name, agent_name }: Of['conversation']): string {
  if (paused_by === 'agent') return t.takenOver.agent(agent_name);
  if (paused_by === 'phone') return t.takenOver.phone;
  if (paused_by === 'loop') return t.takenOver.loop;
  return paused_by_name === undefined ? t.takenOver.api : t.takenOver.console(paused_by_name);
}

/**
 * A button that pauses the agent in a conversation or, if it is paused, resumes it. Renders nothing for users who may not
 * take over conversations.
 */
export function Takeover({ conversation, ...look }: Of & Pick<ButtonProps, 'size' | 'variant'>) {
  const can = useCan();
  const { id, paused_until } = conversation;
  const isPaused = paused_until !== undefined;
  if (!can('conversations.take_over')) return null;
  return (
    <ActionButton
      variant={isPaused ? 'filled' : 'default'}
      {...look}
      leftSection={isPaused ? <IconPlayerPlay /> : <IconPlayerPause />}
      title={isPaused ? undefined : t.pauseHelp}
      label={isPaused ? t.resume : t.pause}
      run={() =>
        isPaused
          ? call('POST', `/conversations/${id}/resume`)
          : call('POST', `/conversations/${id}/pause`, { body: {} })
      }
      refetches={[['timeline', id], ['inbox']]}
    />
  );
}
