import { Textarea, type TextareaProps } from '@mantine/core';

/** A text area for code, such as JSON. */
export const CodeArea = (props: TextareaProps) => (
  <Textarea spellCheck={false} classNames={{ input: 'mono' }} {...props} />
);
