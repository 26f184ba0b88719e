/** A page that grows at its end is read there, as a chat is: it stays at the end until its reader scrolls up. */
import { useCallback, useEffect, useRef, useState } from 'react';

/** Pixels from the end that still count as there. */
const nearPx = 120;

/** @returns `content` is the ref of what grows */
export function useFollowEnd() {
  const [isAtEnd, setAtEnd] = useState(true);
  const follows = useRef(true);
  const opened = useRef(false);
  const toEnd = useCallback(() => {
    follows.current = true;
    setAtEnd(true);
    window.scrollTo(0, document.documentElement.scrollHeight);
  }, []);
  useEffect(() => {
    let lastY = window.scrollY;
    const scrolled = () => {
      const isUpward = window.scrollY < lastY;
      lastY = window.scrollY;
      // Until the content is drawn for the first time, the page is scrolled by the one before it.
      if (!opened.current) return;
      const below = document.documentElement.scrollHeight - window.innerHeight - window.scrollY;
      // The content may have grown since the scrolling that this event tells of: only its reader goes up.
      if (below < nearPx) follows.current = true;
      else if (isUpward) follows.current = false;
      setAtEnd(follows.current);
    };
    window.addEventListener('scroll', scrolled, { passive: true });
    return () => {
      window.removeEventListener('scroll', scrolled);
    };
  }, []);
  const content = useCallback(
    (element: HTMLElement | null) => {
      if (element === null) return;
      const observer = new ResizeObserver(() => {
        opened.current = true;
        if (follows.current) toEnd();
      });
      observer.observe(element);
      return () => {
        observer.disconnect();
      };
    },
    [toEnd],
  );
  return { content, isAtEnd, toEnd };
}
