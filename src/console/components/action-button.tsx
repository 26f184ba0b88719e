import { Button, type ButtonProps } from '@mantine/core';
import { useMutation, type QueryKey } from '@tanstack/react-query';

interface Action {
  label: string;
  run: () => Promise<unknown>;
  /** Keys of the queries that are fetched again after success. */
  refetches: readonly QueryKey[];
  /** Text of the notification after success. */
  done?: string;
  /** Text on hover. */
  title?: string | undefined;
  /** The button's name for screen readers, if several buttons have the same text. It begins with that text. */
  'aria-label'?: string;
}

/** A button that runs an action without asking. If the action fails, a notification shows the error. */
export function ActionButton({ label, run, refetches, done, ...look }: Action & ButtonProps) {
  const running = useMutation({ mutationFn: run, meta: { refetches, done, notifiesError: true } });
  return (
    <Button {...look} loading={running.isPending} onClick={() => running.mutate()}>
      {label}
    </Button>
  );
}
