/** Shows a notification of the browser when a conversation begins to wait for a person while the tab is hidden. */
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import type { WaitingConversations } from '../../contract/conversations/waiting.ts';
import { notify, useNotifyMe, useWaitingConversations } from '../components/waiting-conversations.ts';
import { texts } from '../messages.ts';

const t = texts.conversations;

export function WaitingNotifications() {
  const [isOn] = useNotifyMe();
  const [, navigate] = useLocation();
  const { data } = useWaitingConversations(isOn);
  const known = useRef<{ after: string; waits: Set<string> }>(undefined);
  useEffect(() => {
    if (data === undefined) return;
    // Waits that were there when the page was opened are not announced.
    known.current ??= { after: data.newest[0]?.waiting_since ?? '', waits: new Set() };
    const { after, waits } = known.current;
    for (const one of data.newest) {
      const wait = `${one.id} ${one.waiting_since}`;
      if (one.waiting_since <= after || waits.has(wait)) continue;
      waits.add(wait);
      if (isOn && document.visibilityState === 'hidden')
        announce(one, wait, () => navigate(`/conversations/${one.id}`));
    }
  }, [data, isOn, navigate]);
  return null;
}

/** @param wait identifies the wait: several tabs that announce it show one notification */
function announce(one: WaitingConversations['newest'][number], wait: string, open: () => void): void {
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  const shown = notify(t.notifyTitle(one.contact ?? t.anonymous), {
    body: t.notifyReasons[one.reason](one.agent_name),
    tag: wait,
    icon: '/favicon.svg',
  });
  if (shown === undefined) return;
  shown.onclick = () => {
    window.focus();
    open();
    shown.close();
  };
}
