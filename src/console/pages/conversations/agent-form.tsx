/** All settings of an agent in one form. */
import {
  Alert,
  Anchor,
  Button,
  Fieldset,
  Group,
  MultiSelect,
  NumberInput,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useLocation } from 'wouter';
import type { Agent } from '../../../contract/conversations/agents.ts';
import { call } from '../../client.ts';
import { Copy } from '../../components/copy.tsx';
import { ConfirmButton } from '../../components/dialogs.tsx';
import { IconPlus } from '../../components/icons.tsx';
import { useAgents, useTools } from '../../components/queries.ts';
import { SaveBar } from '../../components/save-bar.tsx';
import { lazily } from '../../lazily.ts';
import { Hint } from '../../components/text.tsx';
import { words } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { useLeave } from '../../shell/unsaved.tsx';
import { AgentConflict } from './agent-conflict.tsx';
import { AgentFrame } from './agent-frame.tsx';
import { nextKey } from './agent-draft.ts';
import { ModelField } from './model-field.tsx';
import { isVersionConflict, useAgentForm, type AgentForm as AgentFormOf } from './use-agent-form.ts';

const w = words.agent;
const CodeEditor = lazily(() => import('../../components/code-editor.tsx'), 'CodeEditor');

type AgentFormState = AgentFormOf['form'];

export function AgentSettings() {
  return <AgentFrame>{(agent) => <AgentForm key={agent.id} agent={agent} />}</AgentFrame>;
}

function AgentForm({ agent }: { agent: Agent }) {
  const may = useCan()('agents.manage');
  const { form, trying, submit, element, hasChanges, isRestored, discard, conflict } = useAgentForm(agent);
  return (
    <form noValidate ref={element} onSubmit={submit}>
      <Stack gap="lg">
        {!may && <Alert color="gray">{w.readOnly}</Alert>}
        <Basics form={form} may={may} />
        <Grouping form={form} may={may} />
        <FollowUps form={form} may={may} />
        <Abilities form={form} may={may} agent={agent} />
        <Script form={form} may={may} />
        <Identifiers agent={agent} />
        {may && <DeleteAgent agent={agent} discard={discard} />}
        {may && (
          <SaveBar
            action={w.save}
            hasChanges={hasChanges}
            isSaving={trying.isPending}
            error={isVersionConflict(trying.error) ? null : trying.error}
            discard={discard}
            notice={
              conflict && hasChanges ? (
                <>
                  {w.conflict.notice}{' '}
                  <Anchor component="button" type="button" inherit underline="always" onClick={conflict.open}>
                    {w.conflict.look}
                  </Anchor>
                </>
              ) : isRestored && hasChanges ? (
                words.unsaved.restored
              ) : undefined
            }
          />
        )}
        {conflict?.isOpen === true && <AgentConflict conflict={conflict} />}
      </Stack>
    </form>
  );
}

interface Part {
  form: AgentFormState;
  may: boolean;
}

function Basics({ form, may }: Part) {
  return (
    <Fieldset legend={w.basics} disabled={!may}>
      <Stack>
        <TextInput label={w.name} required {...form.getInputProps('name')} />
        <TextInput
          label={w.description}
          description={w.descriptionHelp}
          {...form.getInputProps('description')}
        />
        <Textarea
          label={w.instructions}
          description={w.instructionsHelp}
          autosize
          minRows={4}
          maxRows={20}
          {...form.getInputProps('instructions')}
        />
        <ModelField
          value={form.values.model}
          onChange={(model) => form.setFieldValue('model', model)}
          error={form.errors['model']}
        />
        <Switch
          label={w.isActive}
          description={w.isActiveHelp}
          {...form.getInputProps('active', { type: 'checkbox' })}
        />
      </Stack>
    </Fieldset>
  );
}

function Grouping({ form, may }: Part) {
  return (
    <Fieldset legend={w.grouping} disabled={!may}>
      <Hint mb="sm">{w.groupingHelp}</Hint>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <NumberInput
          label={w.window}
          description={w.windowHelp}
          min={0}
          max={60}
          {...form.getInputProps('grouping_window_seconds')}
        />
        <NumberInput
          label={w.maxSeconds}
          description={w.maxSecondsHelp}
          min={0}
          {...form.getInputProps('grouping_max_seconds')}
        />
        <NumberInput
          label={w.maxMessages}
          description={w.maxMessagesHelp}
          min={1}
          {...form.getInputProps('grouping_max_messages')}
        />
      </SimpleGrid>
      <Switch
        mt="md"
        label={w.mergesInput}
        description={w.mergesInputHelp}
        checked={form.values.input_during_run === 'cancel_and_merge'}
        onChange={(event) => {
          const { checked } = event.currentTarget;
          form.setFieldValue('input_during_run', checked ? 'cancel_and_merge' : 'next_group');
        }}
      />
    </Fieldset>
  );
}

const anHour = 3600;
/** Error message style for the follow-ups and the script, whose fields cannot show an error message. */
const problemText = { size: 'sm', c: 'var(--mantine-color-error)', className: 'plain-text' } as const;

function FollowUps({ form, may }: Part) {
  const problem = form.errors['follow_ups'];
  return (
    <Fieldset legend={w.followUps} disabled={!may}>
      <Stack>
        <Hint>{w.followUpsHelp}</Hint>
        {form.values.follow_ups.map(({ key }, index) => (
          <Stack key={key} gap="xs" className="panel" p="md">
            <NumberInput
              label={w.followUpAfter(index + 1)}
              min={1}
              max={2_592_000}
              allowDecimal={false}
              maw={320}
              {...form.getInputProps(`follow_ups.${String(index)}.after_seconds`)}
            />
            <Textarea
              label={w.followUpInstructions(index + 1)}
              autosize
              minRows={2}
              {...form.getInputProps(`follow_ups.${String(index)}.instructions`)}
            />
            <Group>
              <Button variant="default" size="xs" onClick={() => form.removeListItem('follow_ups', index)}>
                {w.removeFollowUp(index + 1)}
              </Button>
            </Group>
          </Stack>
        ))}
        {problem !== undefined && (
          <Text {...problemText} tabIndex={-1} data-problem-of={w.followUps}>
            {problem}
          </Text>
        )}
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} />}
            onClick={() =>
              form.insertListItem('follow_ups', { key: nextKey(), after_seconds: anHour, instructions: '' })
            }
          >
            {w.addFollowUp}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}

function Abilities({ form, may, agent }: Part & { agent: Agent }) {
  const agents = useAgents();
  const tools = useTools();
  const others = (agents.data ?? []).filter(({ id }) => id !== agent.id);
  const toolNames = [...new Set([...(tools.data ?? []).map(({ action }) => action), ...form.values.tools])];
  return (
    <Fieldset legend={w.abilities} disabled={!may}>
      <Stack>
        <MultiSelect
          label={w.transfers}
          data={others.map(({ id, name }) => ({ value: id, label: name }))}
          searchable
          {...form.getInputProps('transfers_to')}
        />
        <MultiSelect
          label={w.tools}
          description={toolNames.length === 0 ? w.noTools : w.toolsHelp}
          data={toolNames}
          searchable
          {...form.getInputProps('tools')}
        />
      </Stack>
    </Fieldset>
  );
}

function Script({ form, may }: Part) {
  const problem = form.errors['script'];
  return (
    <Fieldset legend={w.script} disabled={!may}>
      <Stack>
        <Hint>{w.scriptHelp}</Hint>
        <Suspense fallback={null}>
          <CodeEditor
            label={w.scriptLabel}
            value={form.values.script}
            onChange={(script) => form.setFieldValue('script', script)}
            readOnly={!may}
            invalid={problem !== undefined}
          />
        </Suspense>
        {problem !== undefined && <Text {...problemText}>{problem}</Text>}
        {may && form.values.script === '' && (
          <Group>
            <Button variant="default" size="xs" onClick={() => form.setFieldValue('script', w.scriptExample)}>
              {w.exampleScript}
            </Button>
          </Group>
        )}
      </Stack>
    </Fieldset>
  );
}

function Identifiers({ agent }: { agent: Agent }) {
  const identifiers = [
    [w.agentId, agent.id],
    [w.inboxId, agent.inbox_id],
  ] as const;
  return (
    <Fieldset legend={w.identifiers}>
      <Stack gap="xs">
        {identifiers.map(([label, id]) => (
          <Group key={id} gap="sm">
            <Text size="sm" w={90}>
              {label}
            </Text>
            <span className="mono">{id}</span>
            <Copy text={id} label={w.copyId(label)} />
          </Group>
        ))}
      </Stack>
    </Fieldset>
  );
}

function DeleteAgent({ agent, discard }: { agent: Agent; discard: () => void }) {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const leave = useLeave();
  return (
    <Group>
      <ConfirmButton
        {...w.delete(agent.name)}
        run={async () => {
          await call('DELETE', `/agents/${agent.id}`);
          discard();
          leave({
            go: () => navigate('/agents'),
            keepsDraft: false,
            isDecided: true,
          });
          queries.removeQueries({ queryKey: ['agents', agent.id] });
          await queries.invalidateQueries({ queryKey: ['agents'] });
        }}
      />
    </Group>
  );
}
