/** Form fields for the policies of an agent's tools: always run a tool, ask a person first, or never run it. */
import { Button, Group, Input, NumberInput, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { CodeArea } from '../../components/code-area.tsx';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { PolicyTestResult } from '../../../contract/conversations/policy-tests.ts';
import type { HttpTool } from '../../../contract/http-tools/http-tools.ts';
import { call } from '../../client.ts';
import { choicesOf, useFilter } from '../../components/filters.tsx';
import { objectIn } from '../../components/json.ts';
import { Problem } from '../../components/states.tsx';
import { Fold, Hint } from '../../components/text.tsx';
import { isWorkspaceAction, toolLabel } from '../../components/workspace-presets.ts';
import { texts } from '../../messages.ts';
import type { PolicyDraft } from './agent-draft.ts';
import type { AgentForm } from './use-agent-form.ts';

const t = texts.agent;

interface PoliciesProps {
  form: AgentForm['form'];
  disabled: boolean;
  /** The HTTP tools and the tools of MCP servers. Their schemas provide the sample arguments of a test. */
  tools: readonly Pick<HttpTool, 'name' | 'parameters'>[];
}

export function ToolPolicies({ form, disabled, tools }: PoliciesProps) {
  const { tools: chosen, tool_policies } = form.values;
  if (chosen.length === 0) return null;
  const isFolded = (tool: string) =>
    isWorkspaceAction(tool) && !tool_policies.some((policy) => policy.tool === tool);
  const folded = chosen.filter(isFolded);
  const render = (tool: string) => (
    <ToolPolicy
      key={tool}
      {...{ form, disabled, tool }}
      sample={sampleOf(tools.find(({ name }) => name === tool))}
    />
  );
  return (
    <Stack gap="xs" role="group" aria-label={t.policies}>
      <div>
        <Input.Label component="div">{t.policies}</Input.Label>
        <Hint>{t.policiesHelp}</Hint>
      </div>
      {chosen.filter((tool) => !isFolded(tool)).map(render)}
      {folded.length > 0 && (
        <Fold head={<Text size="sm">{texts.workspaceActions.morePolicies(folded.length)}</Text>}>
          {folded.map(render)}
        </Fold>
      )}
    </Stack>
  );
}

/** If the URL's parameter `tool` is the tool, as in a link from the page Tools, the field of its policy gets the focus. */
function ToolPolicy({
  form,
  disabled,
  tool,
  sample,
}: Omit<PoliciesProps, 'tools'> & { tool: string; sample: string }) {
  const index = form.values.tool_policies.findIndex((one) => one.tool === tool);
  const given = form.values.tool_policies[index];
  const choose = (policy: string | null) => {
    if (policy === 'ask' || policy === 'never') {
      if (given === undefined) form.insertListItem('tool_policies', { ...newPolicy, tool, policy });
      else form.setFieldValue(`tool_policies.${String(index)}.policy`, policy);
    } else if (given !== undefined) form.removeListItem('tool_policies', index);
  };
  const [wanted] = useFilter('tool');
  const choice = useRef<HTMLInputElement>(null);
  const isWanted = wanted === tool;
  useEffect(() => {
    if (isWanted) choice.current?.focus();
  }, [isWanted]);
  const label = toolLabel(tool);
  const field = (name: keyof PolicyDraft) => form.getInputProps(`tool_policies.${String(index)}.${name}`);
  return (
    <Stack gap="sm" className="panel" p="md">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Text
          className={label === tool ? 'mono' : ''}
          size="sm"
          style={{ alignSelf: 'center', overflowWrap: 'anywhere' }}
        >
          {label}
        </Text>
        <Select
          ref={choice}
          aria-label={t.policy(label)}
          data={choicesOf(t.policyChoices)}
          value={given?.policy ?? 'always'}
          onChange={choose}
          disabled={disabled}
        />
      </SimpleGrid>
      {given !== undefined && (
        <>
          <TextInput
            label={t.unless(label)}
            description={t.unlessHelp}
            maxLength={500}
            disabled={disabled}
            {...field('unless')}
          />
          {given.policy === 'ask' && (
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <NumberInput
                label={t.expiresAfter(label)}
                description={t.expiresAfterHelp}
                min={1}
                max={2_592_000}
                allowDecimal={false}
                disabled={disabled}
                {...field('expires_after_seconds')}
              />
              <Select
                label={t.onExpiry(label)}
                description={'\u00a0'}
                data={choicesOf(t.onExpiryChoices)}
                disabled={disabled}
                {...field('on_expiry')}
              />
            </SimpleGrid>
          )}
          {!disabled && (
            <Fold head={<Text size="sm">{t.tryPolicy(label)}</Text>}>
              <Trial policy={given} sample={sample} />
            </Fold>
          )}
        </>
      )}
    </Stack>
  );
}

const newPolicy = { unless: '', expires_after_seconds: '', on_expiry: 'refuse' } as const;

/** Tests the form's current policy on sample arguments: whether a call runs, waits for approval, or is refused. */
function Trial({ policy: { tool, policy, unless }, sample }: { policy: PolicyDraft; sample: string }) {
  const [typed, setTyped] = useState(sample);
  const trying = useMutation({
    mutationFn: async () => {
      const given = objectIn(typed);
      if (given === undefined) throw new Error(t.noArguments);
      const body = { policy, arguments: given, ...(unless.trim() !== '' && { unless: unless.trim() }) };
      return await call<PolicyTestResult>('POST', '/policy-tests', { body });
    },
  });
  return (
    <Stack gap="xs">
      <CodeArea
        label={t.sample(toolLabel(tool))}
        minRows={3}
        maxRows={12}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Group gap="sm">
        <Button size="xs" variant="default" loading={trying.isPending} onClick={() => trying.mutate()}>
          {t.try}
        </Button>
        <Text size="sm" role="status">
          {trying.data && t.decisions[trying.data.decision]}
        </Text>
      </Group>
      <Problem of={trying} />
    </Stack>
  );
}

/** @returns a JSON object with an example value for each argument of the tool; `{}` if its schema is not known */
function sampleOf(tool: Pick<HttpTool, 'parameters'> | undefined): string {
  const properties: unknown = tool?.parameters['properties'];
  const schemas = typeof properties === 'object' && properties !== null ? Object.entries(properties) : [];
  const values = schemas.map(([name, schema]) => [name, exampleOf(schema)]);
  return JSON.stringify(Object.fromEntries(values), null, 2);
}

function exampleOf(schema: unknown): unknown {
  const type = typeof schema === 'object' && schema !== null && 'type' in schema ? schema.type : undefined;
  if (type === 'number' || type === 'integer') return 20;
  return type === 'boolean' ? true : 'text';
}
