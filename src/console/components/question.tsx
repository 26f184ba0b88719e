/** A confirmation dialog for an action that cannot be undone; it says what is affected. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { words } from '../messages.ts';
import { Dialog } from './dialog.tsx';
import { Problem } from './problem.tsx';

export interface QuestionText {
  title: string;
  text: string;
  /** The button's text, for example "Delete token". */
  action: string;
}

export function Question(
  props: QuestionText & {
    yes: () => void;
    no: () => void;
    doing?: { error: Error | null; isPending: boolean };
  },
) {
  const { title, text, action, yes, no, doing } = props;
  return (
    <Dialog onClose={no} title={title}>
      <Stack>
        <Text size="sm" className="plain-text">
          {text}
        </Text>
        {doing && <Problem of={doing} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={no} data-autofocus>
            {words.common.cancel}
          </Button>
          <Button color="red" loading={doing?.isPending === true} onClick={yes}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
