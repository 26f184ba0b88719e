/** A dialog with a form: fields, error message, Cancel, and the submit button. */
import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode, SyntheticEvent } from 'react';
import { words } from '../messages.ts';
import { Question, type QuestionText } from './question.tsx';
import { Problem } from './problem.tsx';
import { Dialog } from './dialog.tsx';

export function FormDialog(props: {
  title: string;
  /** The submit button's text, for example "Create role". */
  action: string;
  of: {
    submit: (event?: SyntheticEvent<HTMLFormElement>) => void;
    trying: { error: Error | null; isPending: boolean };
    question?: (QuestionText & { yes: () => void; no: () => void }) | undefined;
  };
  close: () => void;
  children: ReactNode;
}) {
  const { title, action, of, close, children } = props;
  // Replaces the form, so that one dialog is open at a time. The form hook keeps the typed values.
  if (of.question) return <Question {...of.question} />;
  return (
    <Dialog onClose={close} title={title}>
      <form noValidate onSubmit={of.submit}>
        <Stack>
          {children}
          <Problem of={of.trying} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {words.common.cancel}
            </Button>
            <Button type="submit" loading={of.trying.isPending}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
