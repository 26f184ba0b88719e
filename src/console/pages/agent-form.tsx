/** Everything about an agent, in one form. */
import {
  Alert,
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
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useLocation } from 'wouter';
import type { Agent } from '../../contract/agents.ts';
import { call } from '../client.ts';
import { ConfirmButton } from '../pieces/confirm-button.tsx';
import { Copy } from '../pieces/copy.tsx';
import { Problem } from '../pieces/problem.tsx';
import { useAgents } from '../pieces/use-agents.ts';
import { useServerForm } from '../pieces/use-server-form.ts';
import { useTools } from '../pieces/use-tools.ts';
import { useCan } from '../shell/session.ts';
import { words } from '../words.ts';
import { changeOf, draftOf, type AgentDraft } from './agent-draft.ts';
import { FollowUps } from './follow-ups.tsx';

const w = words.agent;
const CodeEditor = lazy(async () => ({ default: (await import('../pieces/code-editor.tsx')).CodeEditor }));

function useAgentForm(agent: Agent) {
  const queries = useQueryClient();
  return useServerForm({
    values: draftOf(agent),
    send: async (draft: AgentDraft) =>
      await call<Agent>('PATCH', `/agents/${agent.id}`, { body: changeOf(draft) }),
    sent: async (saved) => {
      queries.setQueryData(['agents', agent.id], saved);
      await queries.invalidateQueries({ queryKey: ['agents'], exact: true });
      notifications.show({ message: words.common.saved });
    },
  });
}
export type AgentFormState = ReturnType<typeof useAgentForm>['form'];

export function AgentForm({ agent }: { agent: Agent }) {
  const may = useCan()('agents.manage');
  const { form, trying, submit } = useAgentForm(agent);
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="lg">
        {!may && <Alert color="gray">{w.readOnly}</Alert>}
        <Basics form={form} may={may} />
        <Grouping form={form} may={may} />
        <FollowUps form={form} may={may} />
        <Abilities form={form} may={may} agent={agent} />
        <Script form={form} may={may} />
        <Identifiers agent={agent} />
        <Problem of={trying} />
        {may && (
          <Group justify="space-between">
            <DeleteAgent agent={agent} />
            <Button type="submit" loading={trying.isPending}>
              {w.save}
            </Button>
          </Group>
        )}
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
        <TextInput label={w.model} description={w.modelHelp} {...form.getInputProps('model')} />
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
          hideControls
          {...form.getInputProps('grouping_window_seconds')}
        />
        <NumberInput
          label={w.maxSeconds}
          description={w.maxSecondsHelp}
          min={0}
          hideControls
          {...form.getInputProps('grouping_max_seconds')}
        />
        <NumberInput
          label={w.maxMessages}
          description={w.maxMessagesHelp}
          min={1}
          hideControls
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

function DeleteAgent({ agent }: { agent: Agent }) {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  return (
    <ConfirmButton
      label={w.delete}
      title={w.deleteTitle(agent.name)}
      text={w.deleteText}
      run={async () => {
        await call('DELETE', `/agents/${agent.id}`);
        navigate('/agents');
        queries.removeQueries({ queryKey: ['agents', agent.id] });
        await queries.invalidateQueries({ queryKey: ['agents'] });
      }}
      done={w.deleted}
    />
  );
}
