/** A button for an action that cannot be undone; it asks first. */
import { Button, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Question } from './question.tsx';

interface Confirmed {
  /** The button's text, for example "Delete token". */
  label: string;
  title: string;
  text: string;
  /** The text of the dialog's button, if it differs. */
  action?: string;
  run: () => Promise<unknown>;
  /** Key of the query that is fetched again before the action counts as done. */
  query?: string;
  /** The message shown afterwards. */
  done: string;
}

export function ConfirmButton(
  props: Confirmed & Pick<ButtonProps, 'size' | 'leftSection' | 'variant' | 'color' | 'disabled'>,
) {
  const { label, title, text, action, run, query, done, ...look } = props;
  const [asking, dialog] = useDisclosure(false);
  return (
    <>
      <Button variant="light" color="red" {...look} onClick={dialog.open}>
        {label}
      </Button>
      {asking && (
        <Confirm {...{ title, text, run, query, done }} action={action ?? label} close={dialog.close} />
      )}
    </>
  );
}

function Confirm(
  props: Omit<Confirmed, 'label' | 'query' | 'action'> & {
    action: string;
    query: string | undefined;
    close: () => void;
  },
) {
  const { title, text, action, run, query, done, close } = props;
  const queries = useQueryClient();
  const running = useMutation({
    mutationFn: run,
    onSuccess: async () => {
      if (query !== undefined) await queries.invalidateQueries({ queryKey: [query] });
      notifications.show({ message: done });
      close();
    },
  });
  const yes = () => {
    running.mutate();
  };
  return <Question {...{ title, text, action, yes }} no={close} doing={running} />;
}
