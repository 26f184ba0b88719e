/** Dialogs for forms, for confirmations, and for secrets that are shown once, with the buttons that open them. */
import { Button, Code, Group, Modal, Stack, Text, type ButtonProps, type ModalProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode, type SyntheticEvent } from 'react';
import { texts } from '../messages.ts';
import { Copy } from './copy.tsx';
import { Problem } from './states.tsx';
import { Multiline } from './text.tsx';

/** Elements to which the dialog that was opened last returns the focus. */
let lastReturns: readonly HTMLElement[] = [];

/**
 * Returns the element that has the focus, and the part of the page around it. If they are in a dialog, the elements to
 * which that dialog returns the focus follow, because the next dialog may replace it.
 */
function returnsFromHere(): readonly HTMLElement[] {
  const at = document.activeElement;
  if (!(at instanceof HTMLElement)) return [];
  const around = at.parentElement?.closest<HTMLElement>('[tabindex="-1"]');
  const isInDialog = at.closest('[role="dialog"]') !== null;
  return [at, ...(around ? [around] : []), ...(isInDialog ? lastReturns : [])];
}

/**
 * A dialog that is open while it is rendered. When the dialog closes, the focus returns to the element that had it when
 * the dialog opened. If that element is gone, for example with a deleted row, the part of the page around it gets it.
 */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  const [returns] = useState(returnsFromHere);
  useEffect(() => {
    lastReturns = returns;
    const [before, ...others] = returns;
    return () => {
      before?.focus({ preventScroll: true });
      for (const other of others)
        if (document.activeElement === document.body) other.focus({ preventScroll: true });
    };
  }, [returns]);
  return <Modal opened {...props} />;
}

/** A dialog that closes only by its own buttons, so that what it shows once is not lost by accident. */
export function LockedDialog(props: Omit<ModalProps, 'opened'>) {
  return <Dialog closeOnClickOutside={false} closeOnEscape={false} withCloseButton={false} {...props} />;
}

/** The look of a button that asks before it deletes something. */
export const destructive = { variant: 'default', c: 'var(--mantine-color-error)' } as const;

type Look = Pick<
  ButtonProps,
  'size' | 'leftSection' | 'variant' | 'color' | 'c' | 'disabled' | 'ml' | 'mt'
> & {
  /** True if the button gets the focus when it appears. */
  autoFocus?: boolean;
  /** The button's name for screen readers, if several buttons have the same text. It begins with that text. */
  'aria-label'?: string;
};

/**
 * A button that opens a dialog.
 * @param props.children renders the dialog; `close` closes it
 */
export function DialogButton(props: Look & { label: string; children: (close: () => void) => ReactNode }) {
  const { label, children, ...look } = props;
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <>
      <Button {...look} onClick={dialog.open}>
        {label}
      </Button>
      {isOpen && children(dialog.close)}
    </>
  );
}

export interface QuestionText {
  title: string;
  text: string;
  /** The button's text, for example "Delete token". */
  action: string;
}

/** A confirmation dialog. Its text must name the consequences of the action. */
export function Question(
  props: QuestionText & {
    yes: () => void;
    no: () => void;
    doing?: { error: Error | null; isPending: boolean };
    children?: ReactNode;
  },
) {
  const { title, text, action, yes, no, doing, children } = props;
  return (
    <Dialog onClose={no} title={title}>
      <Stack>
        <Multiline>{text}</Multiline>
        {children}
        {doing && <Problem of={doing} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={no} data-autofocus>
            {texts.common.cancel}
          </Button>
          <Button color="red" loading={doing?.isPending === true} onClick={yes}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

export interface Confirmed {
  /** Text of the button that opens the dialog, for example "Delete token". */
  label: string;
  title: string;
  text: string;
  /** Text of the button that runs the action; by default, `label`. */
  action?: string | undefined;
  run: () => Promise<unknown>;
  /** Key of the query that is fetched again before the dialog closes. */
  query?: string | undefined;
  /** Text of the notification after success. */
  done: string;
  /** Key by which other components can see that the action runs. */
  mutationKey?: readonly unknown[] | undefined;
  /** Further content of the dialog, shown below its text. */
  children?: ReactNode;
}

/** Asks for confirmation, then runs the action. If the action fails, the dialog shows the error. */
export function ConfirmDialog(props: Confirmed & { close: () => void }) {
  const { label, title, text, action = label, run, query, done, mutationKey, children, close } = props;
  const running = useMutation({
    mutationFn: run,
    ...(mutationKey && { mutationKey }),
    meta: { done, refetches: query === undefined ? [] : [[query]] },
    onSuccess: close,
  });
  return (
    <Question {...{ title, text, action }} yes={() => running.mutate()} no={close} doing={running}>
      {children}
    </Question>
  );
}

/** A button that asks for confirmation before it runs its action. */
export function ConfirmButton(props: Confirmed & Look) {
  const { label, title, text, action, run, query, done, mutationKey, children, ...look } = props;
  const confirmed = { label, title, text, action, run, query, done, mutationKey, children };
  return (
    <DialogButton variant="light" color="red" {...look} label={label}>
      {(close) => <ConfirmDialog {...confirmed} close={close} />}
    </DialogButton>
  );
}

interface DialogFormProps {
  /** The submit button's text, for example "Create role". */
  action: string;
  of: {
    submit: (event?: SyntheticEvent<HTMLFormElement>) => void;
    trying: { error: Error | null; isPending: boolean };
    question?: (QuestionText & { yes: () => void; no: () => void }) | undefined;
  };
  close: () => void;
  children: ReactNode;
}

export function FormDialog(props: DialogFormProps & Pick<ModalProps, 'title' | 'size'>) {
  const { action, of, close, children, ...dialog } = props;
  // The confirmation replaces the form, so that only one dialog is open. The typed values stay in the form's hook.
  if (of.question) return <Question {...of.question} />;
  return (
    <Dialog onClose={close} {...dialog}>
      <DialogForm {...{ action, of, close, children }} />
    </Dialog>
  );
}

export function DialogForm({ action, of, close, children }: DialogFormProps) {
  return (
    <form noValidate onSubmit={of.submit}>
      <Stack>
        {children}
        <Stack className="dialog-foot">
          <Problem of={of.trying} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {texts.common.cancel}
            </Button>
            <Button type="submit" loading={of.trying.isPending}>
              {action}
            </Button>
          </Group>
        </Stack>
      </Stack>
    </form>
  );
}

/** The button that closes a dialog without a form. */
export function Done({ close }: { close: () => void }) {
  return (
    <Group justify="flex-end">
      <Button onClick={close} data-autofocus>
        {texts.common.done}
      </Button>
    </Group>
  );
}

/**
 * Shows a secret once. Only the Done button closes the dialog, because a click outside or Escape would lose the secret.
 */
export function SecretDialog(props: {
  title: string;
  lead: string;
  /** The secret's name for screen readers. */
  label: string;
  secret: string;
  copyLabel: string;
  close: () => void;
  children?: ReactNode;
}) {
  const { title, lead, label, secret, copyLabel, close, children } = props;
  return (
    <LockedDialog onClose={close} title={title} size="lg">
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
        <Done close={close} />
      </Stack>
    </LockedDialog>
  );
}
