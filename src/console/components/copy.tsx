/**
 * Copies a text and confirms it, also to a screen reader. Without a clipboard, the browser selects the text instead.
 */
import { Button, Stack, Text, Textarea, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconCopy } from './icons.tsx';
import { useEffect, useRef, useState } from 'react';
import { words } from '../messages.ts';

const w = words.common;
const shownMs = 2000;

export function Copy({ text, label = w.copy }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  /** Counts the clicks that found no clipboard. */
  const [tries, setTries] = useState(0);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => {
      setCopied(false);
    }, shownMs);
    return () => {
      clearTimeout(timer);
    };
  }, [copied]);
  useEffect(() => {
    if (tries === 0) return;
    field.current?.focus();
    field.current?.select();
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- all that there is outside https and localhost
    document.execCommand('copy');
  }, [tries]);
  const copy = async () => {
    if (await writeToClipboard(text)) {
      setTries(0);
      setCopied(true);
    } else setTries((before) => before + 1);
  };
  return (
    <Stack gap="xs" align="flex-start" style={{ flexShrink: 0, maxWidth: '100%' }}>
      <Button
        variant="default"
        size="xs"
        leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
        onClick={() => void copy()}
      >
        {label}
      </Button>
      <VisuallyHidden role="status">{copied ? w.copied : ''}</VisuallyHidden>
      {tries > 0 && (
        <>
          <Textarea
            ref={field}
            aria-label={w.textToCopy}
            value={text}
            readOnly
            autosize
            maxRows={4}
            w="100%"
          />
          <Text size="xs" role="status">
            {w.copyByHand}
          </Text>
        </>
      )}
    </Stack>
  );
}

/** @returns false if the browser has no clipboard, as on plain http, or does not allow it */
async function writeToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
