/**
 * Asks how to continue if another user has changed the agent or its draft during this edit. Shows that user's changes,
 * and offers to use them instead of this edit, or to save this edit on top of them.
 */
import { Button, Group, Stack, Text } from '@mantine/core';
import { Dialog } from '../../components/dialogs.tsx';
import { Label, PlainText, When } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import type { AgentDraft, AgentField } from './agent-draft.ts';
import type { AgentForm } from './use-agent-form.ts';

const t = texts.agent.conflict;
const titles = {
  agent: t.title,
  draft: texts.versions.draft.conflictTitle,
  draftGone: texts.versions.draft.goneTitle,
};

export function AgentConflict({ conflict }: { conflict: NonNullable<AgentForm['conflict']> }) {
  const { kind, at, author, theirs, changed, both, close, keepMine, useTheirs } = conflict;
  return (
    <Dialog onClose={close} title={titles[kind]} size="lg">
      <Stack>
        <Text size="sm">
          {kind === 'draft' ? texts.versions.draft.savedBy(author) : t.savedAt} <When at={at} />
          {t.theyChanged(changed.map((field) => t.fields[field]))}
        </Text>
        {both.map((field) => (
          <div key={field}>
            <Label size="sm" mb={4}>
              {t.both(t.fields[field])}
            </Label>
            <PlainText text={textOf(theirs, field)} label={t.theirs(t.fields[field])} mah={160} />
          </div>
        ))}
        <Text size="sm">{both.length === 0 ? t.noneInCommon : t.yoursWin}</Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={useTheirs}>
            {t.useTheirs}
          </Button>
          <Button onClick={() => void keepMine()} data-autofocus>
            {both.length === 0 ? t.keepBoth : t.keepMine}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function textOf(draft: AgentDraft, field: AgentField): string {
  const value = draft[field];
  if (typeof value === 'string') return value === '' ? texts.common.none : value;
  if (field === 'follow_ups') {
    const list = draft.follow_ups.map(({ after_seconds, instructions }) => ({ after_seconds, instructions }));
    return JSON.stringify(list, null, 2);
  }
  return JSON.stringify(value, null, 2);
}
