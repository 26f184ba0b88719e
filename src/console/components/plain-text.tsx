import { Code } from '@mantine/core';

/** Text from outside, as it is: never as HTML. Reached by keyboard where it scrolls. */
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
