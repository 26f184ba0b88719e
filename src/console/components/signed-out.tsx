/** A page without navigation: one form in the middle, below the logo. */
import { Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode, SyntheticEvent } from 'react';
import { usePageTitle } from './use-page-title.ts';

export function SignedOut(props: {
  title: string;
  lead: string;
  submit?: (event: SyntheticEvent<HTMLFormElement>) => void;
  children: ReactNode;
}) {
  const { title, lead, submit, children } = props;
  usePageTitle(title);
  return (
    <main className="signed-out">
      <Paper className="panel" p={{ base: 24, xs: 36 }} w="100%" maw={420} shadow="md">
        <form noValidate {...(submit && { onSubmit: submit })}>
          <Stack gap="lg">
            <div>
              <img src="/favicon.svg" width={44} height={44} alt="" />
              <Title order={1} size="h2" mt="sm">
                {title}
              </Title>
              <Text c="dimmed" size="sm" mt={4}>
                {lead}
              </Text>
            </div>
            {children}
          </Stack>
        </form>
      </Paper>
    </main>
  );
}
