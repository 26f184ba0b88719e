/**
 * The page of an agent's settings: one form with all of them, in tabs, and buttons to publish the draft or delete the
 * agent.
 */
import {
  Alert,
  Anchor,
  Button,
  Fieldset,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Tabs,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { CodeArea } from '../../components/code-area.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { AgentDraft as SavedDraft } from '../../../contract/conversations/agent-versions.ts';
import type { Agent } from '../../../contract/conversations/agents.ts';
import {
  maxModelTimeoutSeconds,
  maxOutputTokensCap,
  maxTemperature,
} from '../../../contract/conversations/limits.ts';
import { keysOf } from '../../../contract/keys-of.ts';
import { scriptedModelId } from '../../../contract/models/scripted.ts';
import { call } from '../../client.ts';
import { CapFields } from '../../components/cap-fields.tsx';
import { allCaps } from '../../components/cap-values.ts';
import { Copy } from '../../components/copy.tsx';
import { ConfirmButton } from '../../components/dialogs.tsx';
import { FieldProblem } from '../../components/field-problem.tsx';
import { useFilter } from '../../components/filters.tsx';
import { fieldsWith } from '../../components/form-values.ts';
import { IconPlus } from '../../components/icons.tsx';
import {
  useAgentChannels,
  useAgents,
  useConnections,
  useHttpTools,
  useMcpServers,
  useModels,
} from '../../components/queries.ts';
import { SaveBar } from '../../components/save-bar.tsx';
import { Loaded } from '../../components/states.tsx';
import { isWorkspaceAction } from '../../components/workspace-presets.ts';
import { lazily } from '../../lazily.tsx';
import { Fold, Hint, TextLink } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';
import { useLeave } from '../../shell/unsaved.tsx';
import { rehearsalOfDraft, useRehearsals } from '../rehearsals/rehearsal-of-content.tsx';
import { AgentConflict } from './agent-conflict.tsx';
import { AgentFrame } from './agent-frame.tsx';
import { AgentSummary } from './agent-summary.tsx';
import { nextKey } from './agent-draft.ts';
import { DelayField } from './delay-field.tsx';
import { DraftNotice } from './draft-notice.tsx';
import { ModelField } from './model-field.tsx';
import { PublishDialog, usePublishing } from './publish-dialog.tsx';
import { Approvers } from './approvers.tsx';
import { ToolPolicies } from './tool-policies.tsx';
import { isVersionConflict, useAgentForm, type AgentForm as AgentFormOf } from './use-agent-form.ts';
import { useSavedDraft } from './use-saved-draft.ts';
import { WorkspaceTools } from './workspace-tools.tsx';

const t = texts.agent;
const CodeEditor = lazily(() => import('../../components/code-editor.tsx'), 'CodeEditor');

const d = texts.versions.draft;
const conflictNotices = { agent: t.conflict.notice, draft: d.conflictNotice, draftGone: d.goneNotice };

type AgentFormState = AgentFormOf['form'];

export function AgentSettings() {
  return <AgentFrame>{(agent) => <WithDraft key={agent.id} agent={agent} />}</AgentFrame>;
}

function WithDraft({ agent }: { agent: Agent }) {
  return (
    <Loaded query={useSavedDraft(agent.id)}>{(saved) => <AgentForm agent={agent} saved={saved} />}</Loaded>
  );
}

function AgentForm({ agent, saved }: { agent: Agent; saved: SavedDraft | null }) {
  const may = useCan()('agents.manage');
  const agentForm = useAgentForm(agent, saved);
  const { form, trying, submit, element, hasChanges, hasNewContent, isRestored, discard, conflict } =
    agentForm;
  const publishing = usePublishing(agentForm);
  const rehearsals = useRehearsals(agent.id);
  return (
    <Stack gap="md">
      {!may && <Alert color="gray">{t.readOnly}</Alert>}
      {saved !== null && (
        <DraftNotice
          {...{ agent, saved, may }}
          rehearsal={rehearsalOfDraft(rehearsals, saved)}
          publish={hasChanges ? undefined : publishing.open}
          discardDraft={agentForm.discardDraft}
        />
      )}
      <div className="agent-columns">
        <form noValidate ref={element} onSubmit={submit}>
          <Stack gap="lg">
            <SettingTabs
              panels={{
                answers: (
                  <>
                    <Basics form={form} may={may} />
                    <Script form={form} may={may} agent={agent} />
                  </>
                ),
                tools: <Abilities form={form} may={may} agent={agent} />,
                timing: (
                  <>
                    <Grouping form={form} may={may} />
                    <FollowUps form={form} may={may} />
                  </>
                ),
                advanced: (
                  <>
                    <Safeguards form={form} may={may} />
                    <Caps form={form} may={may} />
                    <Identifiers agent={agent} />
                    {may && <DeleteAgent agent={agent} discard={discard} />}
                  </>
                ),
              }}
            />
            {may && (
              <SaveBar
                action={saved !== null && (hasNewContent || !hasChanges) ? d.save : t.save}
                more={
                  saved === null &&
                  hasNewContent && (
                    <>
                      <Button variant="default" loading={trying.isPending} onClick={agentForm.saveDraft}>
                        {d.save}
                      </Button>
                      <Button variant="default" onClick={publishing.open}>
                        {d.publish}
                      </Button>
                    </>
                  )
                }
                main={
                  // Without changes, the draft is published above the form.
                  saved !== null && hasChanges ? (
                    <Button onClick={publishing.open}>{d.publish}</Button>
                  ) : undefined
                }
                hasChanges={hasChanges}
                isSaving={trying.isPending}
                error={isVersionConflict(trying.error) ? null : trying.error}
                discard={discard}
                notice={
                  conflict && hasChanges ? (
                    <>
                      {conflictNotices[conflict.kind]}{' '}
                      <Anchor
                        component="button"
                        type="button"
                        inherit
                        underline="always"
                        onClick={conflict.open}
                      >
                        {t.conflict.look}
                      </Anchor>
                    </>
                  ) : isRestored && hasChanges ? (
                    texts.unsaved.restored
                  ) : undefined
                }
              />
            )}
            {conflict?.isOpen === true && <AgentConflict conflict={conflict} />}
          </Stack>
        </form>
        <AgentSummary agent={agent} />
      </div>
      {publishing.changes !== undefined && (
        <PublishDialog
          agent={agent}
          publish={agentForm.publish}
          changes={publishing.changes}
          rehearsal={rehearsalOfDraft(rehearsals, hasNewContent ? null : saved)}
          close={publishing.close}
        />
      )}
    </Stack>
  );
}

type TabName = keyof typeof t.tabs;
const tabs = keysOf(t.tabs);

/**
 * The settings in tabs. The chosen one is in the page's URL. Hidden panels are rendered too, so that an error in one of
 * them is found.
 */
function SettingTabs({ panels }: { panels: Readonly<Record<TabName, ReactNode>> }) {
  const [wanted, setTab] = useFilter('tab');
  const tab = tabs.find((one) => one === wanted) ?? 'answers';
  return (
    // In the mode `activity`, React would render an error of a hidden panel later than the rest.
    <Tabs
      value={tab}
      onChange={(next) => setTab(next === 'answers' ? undefined : (next ?? undefined))}
      keepMountedMode="display-none"
      className="agent-tabs"
    >
      <Tabs.List aria-label={t.tabsLabel}>
        {tabs.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {t.tabs[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map((name) => (
        <Tabs.Panel key={name} value={name} pt="lg">
          <Stack gap="lg">{panels[name]}</Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

interface Part {
  form: AgentFormState;
  may: boolean;
}

function Basics({ form, may }: Part) {
  const field = fieldsWith(t, form.getInputProps);
  return (
    <Fieldset className="form-card" legend={t.basics} disabled={!may}>
      <Stack>
        <TextInput required {...field('name')} />
        <Textarea minRows={1} maxRows={4} {...field('description')} />
        <Textarea minRows={12} maxRows={30} {...field('instructions')} />
        <ModelField
          label={t.model}
          help={t.modelHelp}
          value={form.values.model}
          onChange={(model) => form.setFieldValue('model', model)}
          error={form.errors['model']}
        />
        <ModelField
          label={t.fallback}
          help={t.fallbackHelp}
          none={t.noFallback}
          value={form.values.fallback_model}
          onChange={(model) => form.setFieldValue('fallback_model', model)}
          error={form.errors['fallback_model']}
        />
        <ModelSettings form={form} />
      </Stack>
    </Fieldset>
  );
}

const isEffort = (value: string): value is keyof typeof t.efforts => value in t.efforts;

/** The parameters of the model, folded. The line that opens them names those that are set. */
function ModelSettings({ form }: Pick<Part, 'form'>) {
  const field = fieldsWith(t, form.getInputProps);
  const {
    temperature,
    max_output_tokens: cap,
    reasoning_effort: effort,
    output_schema: schema,
  } = form.values;
  const set = [
    ...(temperature === '' ? [] : [t.temperatureIs(String(temperature))]),
    ...(cap === '' ? [] : [t.outputCapIs(String(cap))]),
    ...(isEffort(effort) ? [t.effortIs(t.efforts[effort])] : []),
    ...(schema.trim() === '' ? [] : [t.outputSchemaIs]),
  ];
  const hasError = ['temperature', 'max_output_tokens', 'reasoning_effort', 'output_schema'].some(
    (name) => form.errors[name] !== undefined,
  );
  return (
    <Fold
      isNeeded={hasError}
      head={
        <>
          {t.modelSettings}{' '}
          <Text span size="sm" c="dimmed" ml="xs">
            {set.length === 0 ? t.modelSettingsUnset : set.join(', ')}
          </Text>
        </>
      }
    >
      <Hint>{t.modelSettingsHelp}</Hint>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <NumberInput min={0} max={maxTemperature} step={0.1} {...field('temperature')} />
        <NumberInput
          min={1}
          max={maxOutputTokensCap}
          allowDecimal={false}
          {...field('outputCap', 'max_output_tokens')}
        />
        <Select
          data={[
            { value: '', label: t.providerDefault },
            ...keysOf(t.efforts).map((value) => ({ value, label: t.efforts[value] })),
          ]}
          allowDeselect={false}
          {...field('effort', 'reasoning_effort')}
        />
      </SimpleGrid>
      <CodeArea minRows={3} maxRows={16} {...field('outputSchema', 'output_schema')} />
    </Fold>
  );
}

function Grouping({ form, may }: Part) {
  const field = fieldsWith(t, form.getInputProps);
  return (
    <Fieldset className="form-card" legend={t.grouping} disabled={!may}>
      <Hint mb="sm">{t.groupingHelp}</Hint>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <NumberInput min={0} max={60} {...field('window', 'grouping_window_seconds')} />
        <NumberInput min={0} {...field('maxSeconds', 'grouping_max_seconds')} />
        <NumberInput min={1} {...field('maxMessages', 'grouping_max_messages')} />
      </SimpleGrid>
      <Switch
        mt="md"
        label={t.mergesInput}
        description={t.mergesInputHelp}
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

function FollowUps({ form, may }: Part) {
  return (
    <Fieldset className="form-card" legend={t.followUps} disabled={!may}>
      <Stack>
        <Hint>{t.followUpsHelp}</Hint>
        {form.values.follow_ups.map(({ key }, index) => (
          <Stack key={key} gap="xs" className="panel" p="md">
            <DelayField
              label={t.followUpAfter(index + 1)}
              unitLabel={t.followUpUnit(index + 1)}
              after={t.withoutReply}
              max={2_592_000}
              {...form.getInputProps(`follow_ups.${String(index)}.after_seconds`)}
            />
            <Textarea
              label={t.followUpInstructions(index + 1)}
              minRows={2}
              {...form.getInputProps(`follow_ups.${String(index)}.instructions`)}
            />
            <Group>
              <Button variant="default" size="xs" onClick={() => form.removeListItem('follow_ups', index)}>
                {t.removeFollowUp(index + 1)}
              </Button>
            </Group>
          </Stack>
        ))}
        <FieldProblem of={t.followUps}>{form.errors['follow_ups']}</FieldProblem>
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} />}
            onClick={() =>
              form.insertListItem('follow_ups', { key: nextKey(), after_seconds: anHour, instructions: '' })
            }
          >
            {t.addFollowUp}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}

function Abilities({ form, may, agent }: Part & { agent: Agent }) {
  const agents = useAgents();
  const httpTools = useHttpTools();
  const mcpServers = useMcpServers();
  const connections = useConnections();
  const mayReach = useCan()('tools.manage');
  const usable = (connections.data ?? []).filter(({ status }) => status !== 'pending');
  const names = new Map(usable.map(({ id, workspace_name }) => [id, workspace_name ?? texts.tools.unnamed]));
  const workspaceIds = [...new Set([...names.keys(), ...form.values.connections])];
  // An agent without `connections` uses the organization's only workspace. If all workspaces of the agent were
  // disconnected, the user must choose one.
  const isChosen =
    form.values.connections.length > 0 || (usable.length === 1 && agent.connections === undefined);
  const usesWorkspace = form.values.tools.some(isWorkspaceAction);
  const isMissing = usesWorkspace && usable.length > 0 && !isChosen;
  const others = (agents.data ?? []).filter(({ id }) => id !== agent.id);
  const ownTools = [...(httpTools.data ?? []), ...(mcpServers.data ?? []).flatMap((server) => server.tools)];
  const staleTools = (mcpServers.data ?? [])
    .flatMap((server) => server.tools)
    .filter(({ name, status }) => status !== 'ready' && form.values.tools.includes(name))
    .map(({ name }) => name);
  const toolNames = [
    ...new Set([
      ...ownTools.map(({ name }) => name),
      ...form.values.tools.filter((tool) => !isWorkspaceAction(tool)),
    ]),
  ];
  const setTools = (chosen: string[]) => {
    form.setFieldValue('tools', chosen);
    const { tool_policies } = form.values;
    form.setFieldValue(
      'tool_policies',
      tool_policies.filter(({ tool }) => chosen.includes(tool)),
    );
  };
  return (
    <Fieldset className="form-card" legend={t.abilities} disabled={!may}>
      <Stack>
        <MultiSelect
          label={t.transfers}
          data={others.map(({ id, name }) => ({ value: id, label: name }))}
          searchable
          {...form.getInputProps('transfers_to')}
        />
        <Switch
          label={t.handsOver}
          description={t.handsOverHelp}
          {...form.getInputProps('may_hand_over', { type: 'checkbox' })}
        />
        <MultiSelect
          label={t.tools}
          description={
            may && !mayReach ? t.needsToolsManage : toolNames.length === 0 ? t.noTools : t.toolsHelp
          }
          data={toolNames}
          searchable
          disabled={!mayReach}
          {...form.getInputProps('tools')}
          value={form.values.tools.filter((tool) => !isWorkspaceAction(tool))}
          onChange={(chosen) => setTools([...chosen, ...form.values.tools.filter(isWorkspaceAction)])}
        />
        <WorkspaceTools
          tools={form.values.tools}
          setTools={setTools}
          connections={connections}
          chosen={form.values.connections}
          disabled={!mayReach}
        />
        {staleTools.length > 0 && (
          <Alert color="yellow" className="plain-text">
            {t.staleTools(staleTools)} <TextLink to="/admin/tools?tab=mcp">{t.staleToolsLink}</TextLink>
          </Alert>
        )}
        <ToolPolicies form={form} disabled={!mayReach} tools={ownTools} />
        <Approvers form={form} disabled={!mayReach} />
        {workspaceIds.length > 0 && (
          <MultiSelect
            label={t.connections}
            description={may && !mayReach ? t.needsToolsManage : t.connectionsHelp}
            placeholder={isChosen && form.values.connections.length === 0 ? t.onlyWorkspace : undefined}
            data={workspaceIds.map((id) => ({ value: id, label: names.get(id) ?? id }))}
            searchable
            disabled={!mayReach}
            {...form.getInputProps('connections')}
            error={form.errors['connections'] ?? (isMissing ? t.noWorkspace : undefined)}
          />
        )}
      </Stack>
    </Fieldset>
  );
}

function Safeguards({ form, may }: Part) {
  const field = fieldsWith(t, form.getInputProps);
  const box = fieldsWith(t, (path) => form.getInputProps(path, { type: 'checkbox' }));
  return (
    <Fieldset className="form-card" legend={t.safeguards} disabled={!may}>
      <Stack>
        <NumberInput
          description={t.modelTimeoutHelp(maxModelTimeoutSeconds)}
          min={1}
          max={maxModelTimeoutSeconds}
          allowDecimal={false}
          maw={320}
          {...field('modelTimeout', 'model_timeout_seconds')}
        />
        <Switch {...box('requiresRehearsal', 'requires_rehearsal')} />
      </Stack>
    </Fieldset>
  );
}

function Caps({ form, may }: Part) {
  return (
    <Fieldset className="form-card" legend={t.caps} disabled={!may}>
      <Stack>
        <Hint>{t.capsHelp}</Hint>
        <CapFields names={allCaps} inputProps={(path) => form.getInputProps(path)} />
        <Textarea minRows={2} {...fieldsWith(t, form.getInputProps)('capMessage', 'cap_message')} />
      </Stack>
    </Fieldset>
  );
}

/** The rules of the scripted model. Hidden if the agent uses other models, unless the script had an error. */
function Script({ form, may, agent }: Part & { agent: Agent }) {
  const defaultModel =
    useModels().data?.default_model ?? (agent.uses_default_model ? agent.model : undefined);
  const problem = form.errors['script'];
  const model = form.values.model.trim();
  const used = [model === '' ? defaultModel : model, form.values.fallback_model.trim()];
  const isScripted = used.includes(scriptedModelId);
  // Typing removes the error, and must not hide the editor.
  const [hadProblem, setHadProblem] = useState(false);
  if (problem !== undefined && !hadProblem) setHadProblem(true);
  if (!isScripted && !hadProblem) return null;
  return (
    <Fieldset className="form-card" legend={t.script} disabled={!may}>
      <Stack>
        <Hint>{t.scriptHelp}</Hint>
        <CodeEditor
          label={t.scriptLabel}
          value={form.values.script}
          onChange={(script) => form.setFieldValue('script', script)}
          readOnly={!may}
          invalid={problem !== undefined}
        />
        <FieldProblem of={t.scriptLabel}>{problem}</FieldProblem>
        {may && form.values.script === '' && (
          <Group>
            <Button variant="default" size="xs" onClick={() => form.setFieldValue('script', t.scriptExample)}>
              {t.exampleScript}
            </Button>
          </Group>
        )}
      </Stack>
    </Fieldset>
  );
}

function Identifiers({ agent }: { agent: Agent }) {
  const identifiers = [
    [t.agentId, agent.id],
    [t.inboxId, agent.inbox_id],
  ] as const;
  return (
    <Fieldset className="form-card" legend={t.identifiers}>
      <Stack gap="xs">
        {identifiers.map(([label, id]) => (
          <Group key={id} gap="sm">
            <Text size="sm" w={90}>
              {label}
            </Text>
            <span className="mono">{id}</span>
            <Copy text={id} label={t.copyId(label)} />
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
  const channel = useAgentChannels().data?.find(({ agent_id }) => agent_id === agent.id);
  const numbers = channel?.state === 'connected' ? channel.connected_number : null;
  return (
    <Group>
      <ConfirmButton
        {...t.delete(agent.name, numbers)}
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
