import { ActionIcon } from '@mantine/core';
import { useState } from 'react';
import { IconBell } from '../../../components/icons.tsx';
import { Hint } from '../../../components/text.tsx';
import { notify, useNotifyMe } from '../../../components/waiting-conversations.ts';
import { texts } from '../../../messages.ts';

const t = texts.conversations;

/** Why the browser shows no notifications of this page, with what the user can do; undefined if it does. */
function obstacle(): string | undefined {
  if (!window.isSecureContext) return t.notifyInsecure;
  if (!('Notification' in window)) return t.notifyUnsupported;
  return Notification.permission === 'granted' ? undefined : t.notifyDenied;
}

/**
 * A button that switches this browser's notifications of conversations that begin to wait on or off. A problem
 * is shown in the row below it, in a group that wraps.
 */
export function NotifyMe() {
  const [chosen, choose] = useNotifyMe();
  const [problem, setProblem] = useState<string>();
  const isOn = chosen && obstacle() === undefined;
  const press = async () => {
    if (window.isSecureContext && 'Notification' in window && !isOn) await Notification.requestPermission();
    // The first notification says that they are on, and shows whether the browser can show any.
    const works = () => notify(t.notifyMe, { body: t.notifyHelp }) !== undefined;
    const found = obstacle() ?? (isOn || works() ? undefined : t.notifyUnsupported);
    setProblem(found);
    choose(!isOn && found === undefined);
  };
  return (
    <>
      <ActionIcon
        {...(isOn ? { variant: 'light' } : { variant: 'subtle', color: 'gray' })}
        size={30}
        title={t.notifyHelp}
        aria-label={t.notifyMe}
        aria-pressed={isOn}
        onClick={() => void press()}
      >
        <IconBell />
      </ActionIcon>
      <Hint role="status" className="notify-problem">
        {problem}
      </Hint>
    </>
  );
}
