/** Shows a secret once. Only its Done button closes it, so that nobody loses the secret by accident. */
import { Button, Code, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { words } from '../messages.ts';
import { Copy } from './copy.tsx';
import { Dialog } from './dialog.tsx';

export function SecretDialog(props: {
  title: string;
  lead: string;
  /** Its name for screen readers. */
  label: string;
  secret: string;
  copyLabel: string;
  close: () => void;
  children?: ReactNode;
}) {
  const { title, lead, label, secret, copyLabel, close, children } = props;
  return (
    <Dialog
      onClose={close}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Text size="sm" role="status">
          {lead}
        </Text>
        <Group gap="sm" align="center" className="panel secret" p="sm" justify="space-between">
          <Code bg="transparent" fz="sm" aria-label={label}>
            {secret}
          </Code>
          <Copy text={secret} label={copyLabel} />
        </Group>
        {children}
        <Group justify="flex-end">
          <Button onClick={close} data-autofocus>
            {words.common.done}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
