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
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useLocation } from 'wouter';
import type { Agent } from '../../contract/agents.ts';
import { ApiProblem, call } from '../client.ts';
import { Confirm } from '../pieces/confirm.tsx';
import { Copy } from '../pieces/copy.tsx';
import { useAgents } from '../pieces/use-agents.ts';
import { useTools } from '../pieces/use-tools.ts';
import { useCan } from '../shell/session.ts';
import { Problem } from '../pieces/problem.tsx';
import { words } from '../words.ts';
import { changeOf, draftOf, exampleScript, fieldOf, type AgentDraft } from './agent-draft.ts';
import { FollowUps } from './follow-ups.tsx';

const w = words.agent;
const CodeEditor = lazy(async () => ({ default: (await import('../pieces/code-editor.tsx')).CodeEditor }));

export function AgentForm({ agent }: { agent: Agent }) {
  const may = useCan()('agents.manage');
  const queries = useQueryClient();
  const agents = useAgents();
  const tools = useTools();
  const [draft, setDraft] = useState(() => draftOf(agent));
  const set =
    <K extends keyof AgentDraft>(field: K) =>
    (value: AgentDraft[K]) => {
      setDraft((before) => ({ ...before, [field]: value }));
    };
  const save = useMutation({
    mutationFn: async () => await call<Agent>('PATCH', `/agents/${agent.id}`, { body: changeOf(draft) }),
    onSuccess: async (saved) => {
      queries.setQueryData(['agents', agent.id], saved);
      await queries.invalidateQueries({ queryKey: ['agents'], exact: true });
      notifications.show({ message: words.common.saved });
    },
  });
  const details = save.error instanceof ApiProblem ? save.error.details : [];
  const problem = (field: string) =>
    details
      .filter(({ path }) => fieldOf(path) === field)
      .map(({ path, message }) => (path === field ? message : `${path}: ${message}`))
      .join('\n') || undefined;
  const toolNames = [...new Set([...(tools.data ?? []).map(({ action }) => action), ...draft.tools])];
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Stack gap="lg">
        {!may && <Alert color="gray">{w.readOnly}</Alert>}
        <Fieldset legend={w.basics} disabled={!may}>
          <Stack>
            <TextInput
              label={w.name}
              required
              withAsterisk={false}
              value={draft.name}
              error={problem('name')}
              onChange={(event) => {
                set('name')(event.currentTarget.value);
              }}
            />
            <TextInput
              label={w.description}
              description={w.descriptionHelp}
              value={draft.description}
              error={problem('description')}
              onChange={(event) => {
                set('description')(event.currentTarget.value);
              }}
            />
            <Textarea
              label={w.instructions}
              description={w.instructionsHelp}
              autosize
              minRows={4}
              maxRows={20}
              value={draft.instructions}
              error={problem('instructions')}
              onChange={(event) => {
                set('instructions')(event.currentTarget.value);
              }}
            />
            <TextInput
              label={w.model}
              description={w.modelHelp}
              value={draft.model}
              error={problem('model')}
              onChange={(event) => {
                set('model')(event.currentTarget.value);
              }}
            />
            <Switch
              label={w.isActive}
              description={w.isActiveHelp}
              checked={draft.active}
              onChange={(event) => {
                set('active')(event.currentTarget.checked);
              }}
            />
          </Stack>
        </Fieldset>
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
              value={draft.window}
              error={problem('grouping_window_seconds')}
              onChange={set('window')}
              hideControls
            />
            <NumberInput
              label={w.maxSeconds}
              description={w.maxSecondsHelp}
              min={0}
              value={draft.maxSeconds}
              error={problem('grouping_max_seconds')}
              onChange={set('maxSeconds')}
              hideControls
            />
            <NumberInput
              label={w.maxMessages}
              description={w.maxMessagesHelp}
              min={1}
              value={draft.maxMessages}
              error={problem('grouping_max_messages')}
              onChange={set('maxMessages')}
              hideControls
            />
          </SimpleGrid>
          <Switch
            mt="md"
            label={w.mergesInput}
            description={w.mergesInputHelp}
            checked={draft.mergesInput}
            onChange={(event) => {
              set('mergesInput')(event.currentTarget.checked);
            }}
          />
        </Fieldset>
        <FollowUps
          value={draft.followUps}
          onChange={set('followUps')}
          problem={problem('follow_ups')}
          disabled={!may}
        />
        <Fieldset legend={w.abilities} disabled={!may}>
          <Stack>
            <MultiSelect
              label={w.transfers}
              data={(agents.data ?? [])
                .filter(({ id }) => id !== agent.id)
                .map(({ id, name }) => ({ value: id, label: name }))}
              value={draft.transfers}
              error={problem('transfers_to')}
              onChange={set('transfers')}
              searchable
            />
            <MultiSelect
              label={w.tools}
              description={toolNames.length === 0 ? w.noTools : w.toolsHelp}
              data={toolNames}
              value={draft.tools}
              error={problem('tools')}
              onChange={set('tools')}
              searchable
            />
          </Stack>
        </Fieldset>
        <Fieldset legend={w.script} disabled={!may}>
          <Stack>
            <Text size="sm" c="dimmed">
              {w.scriptHelp}
            </Text>
            <Suspense fallback={null}>
              <CodeEditor
                label={w.scriptLabel}
                value={draft.script}
                onChange={set('script')}
                readOnly={!may}
              />
            </Suspense>
            {problem('script') !== undefined && (
              <Text size="sm" c="red" className="plain-text">
                {problem('script')}
              </Text>
            )}
            {may && draft.script === '' && (
              <Group>
                <Button
                  variant="default"
                  size="xs"
                  onClick={() => {
                    set('script')(exampleScript);
                  }}
                >
                  {w.exampleScript}
                </Button>
              </Group>
            )}
          </Stack>
        </Fieldset>
        <Fieldset legend={w.identifiers}>
          <Stack gap="xs">
            {(
              [
                [w.agentId, agent.id],
                [w.inboxId, agent.inbox_id],
              ] as const
            ).map(([label, id]) => (
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
        <Problem of={save} />
        {may && (
          <Group justify="space-between">
            <DeleteAgent agent={agent} />
            <Button type="submit" loading={save.isPending}>
              {w.save}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

function DeleteAgent({ agent }: { agent: Agent }) {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [asking, dialog] = useDisclosure(false);
  return (
    <>
      <Button variant="light" color="red" onClick={dialog.open}>
        {w.delete}
      </Button>
      {asking && (
        <Confirm
          title={w.deleteTitle(agent.name)}
          text={w.deleteText}
          action={w.delete}
          run={async () => {
            await call('DELETE', `/agents/${agent.id}`);
            navigate('/agents');
            queries.removeQueries({ queryKey: ['agents', agent.id] });
            await queries.invalidateQueries({ queryKey: ['agents'] });
            notifications.show({ message: w.deleted });
          }}
          close={dialog.close}
        />
      )}
    </>
  );
}
