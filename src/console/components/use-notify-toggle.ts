import { useState } from 'react';
import { texts } from '../messages.ts';
import { notify, useNotifyMe } from './waiting-conversations.ts';

const t = texts.conversations;

/** Why the browser shows no notifications of this page, with what the user can do; undefined if it does. */
function obstacle(): string | undefined {
  if (!window.isSecureContext) return t.notifyInsecure;
  if (!('Notification' in window)) return t.notifyUnsupported;
  return Notification.permission === 'granted' ? undefined : t.notifyDenied;
}

/**
 * Whether this browser notifies the user of conversations that begin to wait.
 * @returns `toggle` switches the notifications on or off; if the browser shows none, `problem` then explains why
 */
export function useNotifyToggle(): {
  isOn: boolean;
  problem: string | undefined;
  toggle: () => Promise<void>;
} {
  const [chosen, choose] = useNotifyMe();
  const [problem, setProblem] = useState<string>();
  const isOn = chosen && obstacle() === undefined;
  const toggle = async () => {
    if (window.isSecureContext && 'Notification' in window && !isOn) await Notification.requestPermission();
    // The first notification says that they are on, and shows whether the browser can show any.
    const works = () => notify(t.notifyMe, { body: t.notifyHelp }) !== undefined;
    const found = obstacle() ?? (isOn || works() ? undefined : t.notifyUnsupported);
    setProblem(found);
    choose(!isOn && found === undefined);
  };
  return { isOn, problem, toggle };
}
