import { useEffect, useRef, type ReactNode } from 'react';
import { useFilter } from './filters.tsx';

/**
 * The name of a tool in a table. If the URL's parameter `tool` has this name, as in a link from the search of the page
 * Tools, the row scrolls into view and its name gets the focus.
 */
export function FoundTool({ name, children }: { name: string; children: ReactNode }) {
  const [wanted] = useFilter('tool');
  const element = useRef<HTMLSpanElement>(null);
  const isFound = wanted === name;
  useEffect(() => {
    if (!isFound) return;
    element.current?.scrollIntoView({ block: 'center' });
    element.current?.focus({ preventScroll: true });
  }, [isFound]);
  return (
    <span ref={element} className="found-tool" {...(isFound && { tabIndex: -1 })}>
      {children}
    </span>
  );
}
