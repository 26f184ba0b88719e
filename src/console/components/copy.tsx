/**
 * A button that copies a text, and then shows a confirmation for 2 s, also to screen readers. If the Clipboard API
 * fails, for example on plain http, shows and selects the text, and tries the deprecated copy command.
 */
import { ActionIcon, Button, Group, Stack, Text, Textarea, VisuallyHidden } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { texts } from '../messages.ts';
import { IconCheck, IconCopy } from './icons.tsx';

const t = texts.common;
const shownMs = 2000;

/** @param props.isIcon shows only the icon; screen readers and the pointer still get the label */
export function Copy(props: { text: string; label?: string; isIcon?: boolean }) {
  const { text, label = t.copy, isIcon = false } = props;
  const { copy, copied, error } = useClipboard({ timeout: shownMs });
  const field = useRef<HTMLTextAreaElement>(null);
  const icon = copied ? <IconCheck size={14} /> : <IconCopy size={14} />;
  useEffect(() => {
    if (error === null) return;
    field.current?.focus();
    field.current?.select();
    // oxlint-disable-next-line typescript/no-deprecated -- the only way to copy outside https and localhost
    document.execCommand('copy');
  }, [error]);
  return (
    <Stack gap="xs" align="flex-start" style={{ flexShrink: 0, maxWidth: '100%' }}>
      {isIcon ? (
        <ActionIcon variant="default" size={30} aria-label={label} title={label} onClick={() => copy(text)}>
          {icon}
        </ActionIcon>
      ) : (
        <Button variant="default" size="xs" leftSection={icon} onClick={() => copy(text)}>
          {label}
        </Button>
      )}
      <VisuallyHidden role="status">{copied ? t.copied : ''}</VisuallyHidden>
      {error !== null && (
        <>
          <Textarea ref={field} aria-label={t.textToCopy} value={text} readOnly maxRows={4} w="100%" />
          <Text size="xs" role="status">
            {t.copyByHand}
          </Text>
        </>
      )}
    </Stack>
  );
}

/** An identifier on one line, with a button that copies it. @param props.label names the button */
export function CopiedId({ id, label }: { id: string; label: string }) {
  return (
    <Group gap={6} wrap="nowrap">
      <Text size="xs" ff="monospace" truncate title={id}>
        {id}
      </Text>
      <Copy text={id} label={label} isIcon />
    </Group>
  );
}
