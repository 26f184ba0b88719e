/** A command or a program, with a button in its corner that copies it. */
import type { ReactNode } from 'react';
import { Copy } from './copy.tsx';

/**
 * A program. Long lines scroll sideways, by keyboard too.
 * @param props.label name of the block for screen readers
 * @param props.copy label of the button
 * @param props.children the text as it is shown
 * @param props.wraps wraps long lines instead
 */
export function CodeBlock(props: {
  text: string;
  label: string;
  copy: string;
  children: ReactNode;
  wraps?: boolean;
}) {
  const { text, label, copy, children, wraps = false } = props;
  return (
    <div className="code-block">
      <pre
        className="json-text"
        role="region"
        aria-label={label}
        {...(!wraps && { tabIndex: 0, 'data-scrolls': true })}
      >
        {children}
      </pre>
      <div className="code-copy">
        <Copy text={text} label={copy} isIcon />
      </div>
    </div>
  );
}

/** A command that breaks at its spaces; elsewhere only if a word is longer than the line. */
export function CommandBlock(props: { text: string; label: string; copy: string }) {
  return (
    <CodeBlock {...props} wraps>
      {props.text.split(/(?<= )/).map((word, index) => (
        <span key={index} className="command-word">
          {word}
        </span>
      ))}
    </CodeBlock>
  );
}
