/** A question before something that cannot be undone. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Problem } from './problem.tsx';
import { words } from '../words.ts';

export function Confirm(props: {
  title: string;
  text: string;
  /** What the button says, for instance Delete token. */
  action: string;
  run: () => Promise<unknown>;
  close: () => void;
}) {
  const { title, text, action, run, close } = props;
  const running = useMutation({ mutationFn: run, onSuccess: close });
  return (
    <Modal opened onClose={close} title={title}>
      <Stack>
        <Text size="sm">{text}</Text>
        <Problem of={running} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            {words.common.cancel}
          </Button>
          <Button
            color="red"
            loading={running.isPending}
            onClick={() => {
              running.mutate();
            }}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
