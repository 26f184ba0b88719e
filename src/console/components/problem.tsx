import { Alert, Text } from '@mantine/core';
import { ApiProblem } from '../client.ts';

/** Shows why the last attempt failed, until the next attempt. */
export function Problem({ of }: { of: { error: Error | null } }) {
  const { error } = of;
  if (error === null) return null;
  const details = error instanceof ApiProblem ? error.details : [];
  const lines = [error.message, ...details.map(({ path, message }) => `${path}: ${message}`)];
  return (
    <Alert color="red" role="alert">
      <Text size="sm" className="plain-text">
        {lines.join('\n')}
      </Text>
    </Alert>
  );
}
