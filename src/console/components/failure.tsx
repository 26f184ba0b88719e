import { Alert, Button, Stack, Text } from '@mantine/core';
import { words } from '../messages.ts';

/** An error message with a button to retry. */
export function Failure({ error, retry }: { error: Error | null; retry?: () => void }) {
  return (
    <Alert color="red" title={words.common.couldNotLoad} role="alert">
      <Stack align="start" gap="sm">
        <Text size="sm">{error?.message}</Text>
        {retry && (
          <Button variant="default" size="xs" onClick={retry}>
            {words.common.retry}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
