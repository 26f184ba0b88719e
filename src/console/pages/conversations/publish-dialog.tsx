/**
 * The dialog that publishes the agent's form. Shows the differences from the published version, and asks for a note and
 * for the share of new conversations that get the version.
 */
import { Alert, NumberInput, Stack, Text, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { AgentChange, AgentVersionDetail } from '../../../contract/conversations/agent-versions.ts';
import type { Agent } from '../../../contract/conversations/agents.ts';
import { ApiProblem } from '../../client.ts';
import { FormDialog } from '../../components/dialogs.tsx';
import { fieldsWith } from '../../components/form-values.ts';
import { Hint, Label, TextLink } from '../../components/text.tsx';
import { required, useServerForm, within } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';
import { RehearsalNote, type RehearsalOfContent } from '../rehearsals/rehearsal-of-content.tsx';
import { UnreadableField } from './agent-draft.ts';
import { isVersionConflict, type AgentForm } from './use-agent-form.ts';
import { Changes } from './version-changes.tsx';

const t = texts.versions.draft;

/**
 * Returns the state of the dialog. `changes` are the changes that it publishes, or undefined while the dialog is
 * closed. If the script or the output schema cannot be parsed, `open` shows the error and does not open the dialog.
 */
export function usePublishing(of: AgentForm) {
  const [changes, setChanges] = useState<AgentChange[]>();
  const open = () => {
    try {
      setChanges(of.changes());
    } catch (problem) {
      if (!(problem instanceof UnreadableField)) throw problem;
      const { field, message } = problem;
      of.form.setFieldError(field, message);
      const label = field === 'script' ? texts.agent.script : texts.agent.outputSchema;
      notifications.show({ color: 'red', message: texts.common.checkFields([label]) });
    }
  };
  return { changes, open, close: () => setChanges(undefined) };
}

/**
 * Must be rendered outside the agent's form: React would also pass the dialog's submit event to the form around it.
 * @param props.publish publishes the draft; if another user has changed it, shows that and throws `version_conflict`
 */
export function PublishDialog(props: {
  agent: Agent;
  publish: (note: string, percent: number) => Promise<AgentVersionDetail>;
  changes: AgentChange[];
  /** The newest rehearsal of exactly what is published. */
  rehearsal: RehearsalOfContent;
  close: () => void;
}) {
  const { agent, publish, changes, rehearsal, close } = props;
  const values: { note: string; percent: number | string } = { note: '', percent: 100 };
  const inBounds = within({ min: 1, max: 100, whole: true });
  const publishing = useServerForm({
    values,
    check: { percent: (value) => (value === '' ? required('') : inBounds(value)) },
    send: async ({ note, percent }) => {
      try {
        return await publish(note.trim(), Number(percent));
      } catch (refused) {
        if (isVersionConflict(refused)) close();
        throw refused;
      }
    },
    sent: ({ version, candidate_percent }) => {
      notifications.show({ message: t.published(version, candidate_percent) });
      close();
    },
  });
  const { error } = publishing.trying;
  const isNotRehearsed =
    agent.requires_rehearsal && error instanceof ApiProblem && error.code === 'invalid_state';
  const shown = isNotRehearsed
    ? { ...publishing, trying: { ...publishing.trying, error: null } }
    : publishing;
  return (
    <FormDialog title={t.publishTitle} size="lg" action={t.publish} of={shown} close={close}>
      {agent.requires_rehearsal && !isNotRehearsed && <Hint>{t.needsRehearsal}</Hint>}
      {!isNotRehearsed && <RehearsalNote agentId={agent.id} of={rehearsal} />}
      <Stack gap="xs">
        <Label>{t.changesFrom(agent.version)}</Label>
        <Changes changes={changes} />
      </Stack>
      <Textarea
        maxLength={1000}
        minRows={2}
        data-autofocus
        {...fieldsWith(t, publishing.form.getInputProps)('note')}
      />
      <NumberInput
        label={texts.versions.share.label}
        description={t.shareHelp}
        min={1}
        max={100}
        allowDecimal={false}
        {...publishing.form.getInputProps('percent')}
      />
      {agent.candidate && (
        <Text size="sm">
          {publishing.form.getValues().percent === 100
            ? t.keepsShare(agent.candidate.version, agent.candidate.percent)
            : texts.versions.share.replaces(agent.candidate.version)}
        </Text>
      )}
      {isNotRehearsed && (
        <Alert color="red" role="alert" title={t.notRehearsedTitle}>
          <Text size="sm" mb="xs">
            {t.notRehearsed}
          </Text>
          <TextLink to={`/agents/${agent.id}/rehearsals`}>{t.rehearse}</TextLink>
        </Alert>
      )}
    </FormDialog>
  );
}
