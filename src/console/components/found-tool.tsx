import { VisuallyHidden } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useFilter } from './filters.tsx';
import { plainName } from './plain-tool.ts';
import { Breakable, Hint } from './text.tsx';

/**
 * A tool in a table: its plain name, and the name that its server gave it. If agents and the API know it by another
 * name, that one shows on hover, and screen readers read it. If the URL's parameter `tool` has the agents' name, as in a
 * link from the search of the page Tools, the row scrolls into view and its name gets the focus.
 * @param props.name the name by which agents and the API know the tool
 * @param props.own the name that the tool's server gave it, if it is another one
 */
export function FoundTool({ name, own = name }: { name: string; own?: string }) {
  const [wanted] = useFilter('tool');
  const element = useRef<HTMLSpanElement>(null);
  const isFound = wanted === name;
  useEffect(() => {
    if (!isFound) return;
    element.current?.scrollIntoView({ block: 'center' });
    element.current?.focus({ preventScroll: true });
  }, [isFound]);
  return (
    <span
      ref={element}
      className="found-tool"
      title={own === name ? undefined : name}
      {...(isFound && { tabIndex: -1 })}
    >
      <Breakable text={plainName(own)} />{' '}
      <Hint span size="xs" fw={400} className="mono">
        <Breakable text={own} />
      </Hint>
      {own !== name && <VisuallyHidden> {name}</VisuallyHidden>}
    </span>
  );
}
