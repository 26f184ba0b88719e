import { Alert, Text } from '@mantine/core';

/** Why the last try failed, until there is another; nothing where none has. */
export function Problem({ of }: { of: { error: Error | null } }) {
  if (of.error === null) return null;
  return (
    <Alert color="red" role="alert">
      <Text size="sm">{of.error.message}</Text>
    </Alert>
  );
}
