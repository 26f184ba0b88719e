/** Copies a text, and says so, also to a screen reader. */
import { Button, VisuallyHidden } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { words } from '../words.ts';

export function Copy({ text, label = words.common.copy }: { text: string; label?: string }) {
  const clipboard = useClipboard({ timeout: 2000 });
  return (
    <>
      <Button
        variant="default"
        size="xs"
        style={{ flexShrink: 0 }}
        leftSection={
          clipboard.copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />
        }
        onClick={() => {
          clipboard.copy(text);
        }}
      >
        {label}
      </Button>
      <VisuallyHidden role="status">{clipboard.copied ? words.common.copied : ''}</VisuallyHidden>
    </>
  );
}
