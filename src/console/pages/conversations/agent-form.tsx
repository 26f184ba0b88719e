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
import { lazy, Suspense } from 'react';
import { useLocation } from 'wouter';
import type { Agent } from '../../../contract/conversations/agents.ts';
import { call } from '../../client.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Copy } from '../../components/copy.tsx';
import { useAgents } from '../../components/use-agents.ts';
import { SaveBar } from '../../components/save-bar.tsx';
import { useTools } from '../../components/use-tools.ts';
import { useCan } from '../../shell/session.ts';
import { useLeave } from '../../shell/unsaved.tsx';
import { words } from '../../messages.ts';
import { AgentConflict } from './agent-conflict.tsx';
import { FollowUps } from './follow-ups.tsx';
import { ModelField } from './model-field.tsx';
import { isVersionConflict, useAgentForm, type AgentForm as AgentFormOf } from './use-agent-form.ts';

const w = words.agent;
const CodeEditor = lazy(async () => ({
  default: (await import('../../components/code-editor.tsx')).CodeEditor,
}));

type AgentFormState = AgentFormOf['form'];

export function AgentForm({ agent }: { agent: Agent }) {
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
        <TextInput label={w.name} required withAsterisk={false} {...form.getInputProps('name')} />
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
          onChange={(model) => {
            form.setFieldValue('model', model);
          }}
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
      <Text size="sm" c="dimmed" mb="sm">
        {w.groupingHelp}
      </Text>
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
        <Text size="sm" c="dimmed">
          {w.scriptHelp}
        </Text>
        <Suspense fallback={null}>
          <CodeEditor
            label={w.scriptLabel}
            value={form.values.script}
            onChange={(script) => {
              form.setFieldValue('script', script);
            }}
            readOnly={!may}
            invalid={problem !== undefined}
          />
        </Suspense>
        {problem !== undefined && (
          <Text size="sm" c="var(--mantine-color-error)" className="plain-text">
            {problem}
          </Text>
        )}
        {may && form.values.script === '' && (
          <Group>
            <Button
              variant="default"
              size="xs"
              onClick={() => {
                form.setFieldValue('script', w.scriptExample);
              }}
            >
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
        label={w.delete}
        title={w.deleteTitle(agent.name)}
        text={w.deleteText}
        run={async () => {
          await call('DELETE', `/agents/${agent.id}`);
          discard();
          leave({
            go: () => {
              navigate('/agents');
            },
            keepsDraft: false,
            isDecided: true,
          });
          queries.removeQueries({ queryKey: ['agents', agent.id] });
          await queries.invalidateQueries({ queryKey: ['agents'] });
        }}
        done={w.deleted}
      />
    </Group>
  );
}
