/** Asks how to continue after another user saved the agent during this edit: shows their changes and two choices. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { Dialog } from '../../components/dialogs.tsx';
import { Label, PlainText, When } from '../../components/text.tsx';
import { words } from '../../messages.ts';
import type { AgentDraft, AgentField } from './agent-draft.ts';
import type { AgentForm } from './use-agent-form.ts';

const w = words.agent.conflict;

export function AgentConflict({ conflict }: { conflict: NonNullable<AgentForm['conflict']> }) {
  const { at, theirs, changed, both, close, keepMine, useTheirs } = conflict;
  return (
    <Dialog onClose={close} title={w.title} size="lg">
      <Stack>
        <Text size="sm">
          {w.savedAt} <When at={at} />
          {w.theyChanged(changed.map((field) => w.fields[field]))}
        </Text>
        {both.map((field) => (
          <div key={field}>
            <Label size="sm" mb={4}>
              {w.both(w.fields[field])}
            </Label>
            <PlainText text={textOf(theirs, field)} label={w.theirs(w.fields[field])} mah={160} />
          </div>
        ))}
        <Text size="sm">{both.length === 0 ? w.noneInCommon : w.yoursWin}</Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={useTheirs}>
            {w.useTheirs}
          </Button>
          <Button onClick={() => void keepMine()} data-autofocus>
            {both.length === 0 ? w.keepBoth : w.keepMine}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function textOf(draft: AgentDraft, field: AgentField): string {
  const value = draft[field];
  if (typeof value === 'string') return value === '' ? words.common.none : value;
  if (field === 'follow_ups') {
    const list = draft.follow_ups.map(({ after_seconds, instructions }) => ({ after_seconds, instructions }));
    return JSON.stringify(list, null, 2);
  }
  return JSON.stringify(value, null, 2);
}
