/** Keeps a growing page scrolled to its end, as a chat does, until the user scrolls up. */
import { Button } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { TimelineEntry } from '../../../../contract/conversations/timeline.ts';
import { IconArrowDown } from '../../../components/icons.tsx';
import { texts } from '../../../messages.ts';

/** Distance from the end of the page, in pixels, below which the user counts as being at the end. Chosen. */
const nearPx = 120;

/**
 * Scrolls to the end of the page when the content grows, until the user scrolls up.
 * @returns the ref `content` for the growing element, `isAtEnd` (false while the user has scrolled up), and the
 * function `toEnd`, which scrolls to the end and follows it again
 */
export function useFollowEnd() {
  const [isAtEnd, setAtEnd] = useState(true);
  const follows = useRef(true);
  const opened = useRef(false);
  const lastHeight = useRef(0);
  const toEnd = useCallback(() => {
    follows.current = true;
    setAtEnd(true);
    window.scrollTo(0, document.documentElement.scrollHeight);
  }, []);
  useEffect(() => {
    let lastY = window.scrollY;
    const scrolled = () => {
      const height = document.documentElement.scrollHeight;
      // When a part of the page shrinks, such as the header after a reply, the browser itself scrolls up.
      const isUpward = window.scrollY < lastY && height === lastHeight.current;
      lastY = window.scrollY;
      lastHeight.current = height;
      // Until the content is rendered for the first time, a scroll event may belong to the previous page.
      if (!opened.current) return;
      const below = height - window.innerHeight - window.scrollY;
      // A large distance is not enough to stop following, because the content may have grown since the scroll.
      if (below < nearPx) follows.current = true;
      else if (isUpward) follows.current = false;
      setAtEnd(follows.current);
    };
    window.addEventListener('scroll', scrolled, { passive: true });
    return () => window.removeEventListener('scroll', scrolled);
  }, []);
  const content = useCallback(
    (element: HTMLElement | null) => {
      if (element === null) return;
      const observer = new ResizeObserver(() => {
        opened.current = true;
        lastHeight.current = document.documentElement.scrollHeight;
        // An empty conversation has no end to follow: its page stays at the top.
        if (follows.current && element.querySelector('.run') !== null) toEnd();
      });
      observer.observe(element);
      return () => observer.disconnect();
    },
    [toEnd],
  );
  return { content, isAtEnd, toEnd };
}

/** A button that scrolls down to new messages. Shown only if messages have arrived since the user scrolled up. */
export function NewMessages(props: {
  entries: readonly TimelineEntry[];
  isAtEnd: boolean;
  toEnd: () => void;
}) {
  const { entries, isAtEnd, toEnd } = props;
  const newest = entries
    .flatMap(({ messages }) => messages)
    .reduce((last, { at }) => (at > last ? at : last), '');
  const [seen, setSeen] = useState(newest);
  if (isAtEnd && seen !== newest) setSeen(newest);
  const count = entries.flatMap(({ messages }) => messages).filter(({ at }) => at > seen).length;
  return (
    <div className="new-messages" role="status">
      {!isAtEnd && count > 0 && (
        <Button size="xs" radius="xl" rightSection={<IconArrowDown size={14} />} onClick={toEnd}>
          {texts.timeline.newMessages(count)}
        </Button>
      )}
    </div>
  );
}
