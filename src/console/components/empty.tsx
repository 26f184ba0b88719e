import { Stack, Text, ThemeIcon } from '@mantine/core';
import type { Icon } from './icons.tsx';
import type { ReactNode } from 'react';

/** An empty state: says that nothing is here yet and what to do. */
export function Empty(props: { icon: Icon; title: string; text?: string; children?: ReactNode }) {
  const { icon: Icon, title, text, children } = props;
  return (
    <Stack align="center" gap="xs" py={48} px="md" className="panel" ta="center">
      <ThemeIcon size={48} radius="xl" variant="light" color="indigo">
        <Icon size={24} stroke={1.6} aria-hidden />
      </ThemeIcon>
      <Text fw={600}>{title}</Text>
      {text !== undefined && (
        <Text c="dimmed" size="sm" maw={460}>
          {text}
        </Text>
      )}
      {children}
    </Stack>
  );
}
