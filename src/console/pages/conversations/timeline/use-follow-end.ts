/** Keeps a growing page scrolled to its end, like a chat, until the reader scrolls up. */
import { useCallback, useEffect, useRef, useState } from 'react';

/** Within this many pixels of the end counts as at the end. */
const nearPx = 120;

/** @returns `content`, a ref for the element that grows */
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
      // Until the content is first rendered, the previous page may scroll the window.
      if (!opened.current) return;
      const below = document.documentElement.scrollHeight - window.innerHeight - window.scrollY;
      // The content may have grown since the scroll that caused this event; only the reader scrolls up.
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
