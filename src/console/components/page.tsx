/** A page: title, one sentence, main actions, content. */
import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { usePageTitle } from './use-page-title.ts';

export function Page(props: {
  title: string;
  /** Shown beside the title, for example a badge. */
  mark?: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  above?: ReactNode;
  children: ReactNode;
}) {
  const { title, mark, lead, actions, above, children } = props;
  usePageTitle(title);
  return (
    <Stack gap="lg">
      <div>
        {above}
        <Group justify="space-between" align="flex-start" gap="md">
          <div style={{ minWidth: 0, flex: '1 1 280px' }}>
            <Group gap="sm">
              <Title order={1} size="h2">
                {title}
              </Title>
              {mark}
            </Group>
            {lead !== undefined && (
              <Text c="dimmed" mt={4} maw={680}>
                {lead}
              </Text>
            )}
          </div>
          {actions !== undefined && <Group gap="sm">{actions}</Group>}
        </Group>
      </div>
      {children}
    </Stack>
  );
}
