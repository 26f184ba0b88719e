/** Reads how many conversations wait for a person, and whether this browser announces new ones. */
import { useLocalStorage } from '@mantine/hooks';
import type { WaitingConversations } from '../../contract/conversations/waiting.ts';
import { useCan } from '../shell/session.ts';
import { useRead } from './queries.ts';

/**
 * Polls the waiting conversations every 10 s, for the menu, the title of the page and the notifications. Reads nothing
 * for a member who may not view conversations.
 * @param inBackground true to poll in a hidden tab too
 */
export function useWaitingConversations(inBackground = false) {
  const isAllowed = useCan()('conversations.view');
  return useRead<WaitingConversations>(['waiting'], '/waiting', {
    refetchInterval: 10_000,
    refetchIntervalInBackground: inBackground,
    // A hidden tab would not try again until it is shown. The next poll does.
    retry: false,
    enabled: isAllowed,
  });
}

/** Whether this browser shows a notification when a conversation begins to wait. Stored in this browser. */
export const useNotifyMe = () =>
  useLocalStorage<boolean>({ key: 'parley.notify-me', defaultValue: false, getInitialValueInEffect: false });

/** @returns undefined if the browser shows none, as Chrome on Android, where only service workers may show them */
export function notify(title: string, options: NotificationOptions): Notification | undefined {
  try {
    return new Notification(title, options);
  } catch {
    return undefined;
  }
}
