import { ActionIcon } from '@mantine/core';
import { IconBell } from '../../../components/icons.tsx';
import { Hint } from '../../../components/text.tsx';
import { useNotifyToggle } from '../../../components/use-notify-toggle.ts';
import { texts } from '../../../messages.ts';

const t = texts.conversations;

/**
 * A button that switches this browser's notifications of conversations that begin to wait on or off. A problem
 * is shown in the row below it, in a group that wraps.
 */
export function NotifyMe() {
  const { isOn, problem, toggle } = useNotifyToggle();
  return (
    <>
      <ActionIcon
        {...(isOn ? { variant: 'light' } : { variant: 'subtle', color: 'gray' })}
        size={30}
        title={t.notifyHelp}
        aria-label={t.notifyMe}
        aria-pressed={isOn}
        onClick={() => void toggle()}
      >
        <IconBell />
      </ActionIcon>
      <Hint role="status" className="notify-problem">
        {problem}
      </Hint>
    </>
  );
}
