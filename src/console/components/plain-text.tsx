import { Code } from '@mantine/core';

/** Text from outside, never rendered as HTML. Keyboard users can focus it to scroll. */
export function PlainText({ text, label, mah = 320 }: { text: string; label: string; mah?: number }) {
  return (
    <Code
      block
      mah={mah}
      tabIndex={0}
      role="region"
      aria-label={label}
      style={{ overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
    >
      {text}
    </Code>
  );
}
