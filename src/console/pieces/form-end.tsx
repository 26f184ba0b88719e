import { Button, Group } from '@mantine/core';
import { words } from '../words.ts';
import { Problem } from './problem.tsx';

/** The end of a dialog's form: what went wrong, the way out, and the button that sends it. */
export function FormEnd({
  of,
  submit,
  close,
}: {
  of: { error: Error | null; isPending: boolean };
  submit: string;
  close: () => void;
}) {
  return (
    <>
      <Problem of={of} />
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          {words.common.cancel}
        </Button>
        <Button type="submit" loading={of.isPending}>
          {submit}
        </Button>
      </Group>
    </>
  );
}
