/** The dialog that starts a rehearsal: asks for the version, model, turns, accepted outcomes, rules and judge. */
import {
  Alert,
  Autocomplete,
  Button,
  Checkbox,
  Fieldset,
  Group,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useLocation } from 'wouter';
import { scriptedModelId } from '../../../contract/models/scripted.ts';
import type { AgentVersion } from '../../../contract/conversations/agent-versions.ts';
import type { Agent } from '../../../contract/conversations/agents.ts';
import type { Rehearsal } from '../../../contract/rehearsals/rehearsals.ts';
import { call } from '../../client.ts';
import { FormDialog } from '../../components/dialogs.tsx';
import { choicesOf } from '../../components/filters.tsx';
import { fieldsWith } from '../../components/form-values.ts';
import { IconPlus } from '../../components/icons.tsx';
import { useModels, useRead } from '../../components/queries.ts';
import { Hint } from '../../components/text.tsx';
import { useServerForm } from '../../components/use-server-form.ts';
import { texts } from '../../messages.ts';
import { modelIds } from '../models/model-ids.ts';
import { newRule, problemsOf, rehearsalBody, rehearsalValues } from './rehearsal-values.ts';

const all = texts.rehearsals;
const t = all.start;

export function StartRehearsal(props: { agent: Agent; hasDraft: boolean; close: () => void }) {
  const { agent, hasDraft, close } = props;
  const [, navigate] = useLocation();
  const versions = useRead<{ data: AgentVersion[] }>(
    ['agents', agent.id, 'newest-versions'],
    `/agents/${agent.id}/versions`,
    { query: { limit: 50 } },
  );
  const models = useModels().data;
  const known = [...new Set([scriptedModelId, ...modelIds(models?.providers ?? [])])].sort();
  const path = `/agents/${agent.id}/rehearsals`;
  const starting = useServerForm({
    values: rehearsalValues(hasDraft ? 'draft' : 'published'),
    checkAll: problemsOf,
    send: (values) => call<Rehearsal>('POST', path, { body: rehearsalBody(values) }),
    meta: { refetches: [[path]] },
    sent: ({ id }) => navigate(`${path}/${id}`),
  });
  const { form } = starting;
  const field = fieldsWith(t, form.getInputProps);
  const box = fieldsWith(t, (path) => form.getInputProps(path, { type: 'checkbox' }));
  const others = (versions.data?.data ?? []).filter(({ version }) => version !== agent.version);
  return (
    <FormDialog title={t.label} action={t.submit} of={starting} close={close}>
      <Hint>{t.cost}</Hint>
      <Select
        data={[
          { value: 'published', label: t.published(agent.version) },
          ...(hasDraft ? [{ value: 'draft', label: t.draft }] : []),
          ...others.map(({ version }) => ({ value: String(version), label: all.version(version) })),
        ]}
        {...field('version')}
      />
      <Autocomplete data={known} {...field('model')} />
      {form.values.version === 'published' && form.values.model.trim() === '' && (
        <Alert color="yellow" p="xs" role="status">
          {t.sameVersion}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select data={choicesOf(t.sources)} {...field('source')} />
        <NumberInput label={t.maxTurns} min={1} max={1000} {...form.getInputProps('max_turns')} />
      </SimpleGrid>
      <Hint size="xs">{t.maxTurnsHelp}</Hint>
      <Switch {...box('readOnly', 'run_read_only_tools')} />
      <Checkbox.Group {...field('accepts')}>
        <SimpleGrid cols={{ base: 1, xs: 2 }} mt={6} spacing={8} verticalSpacing={8}>
          {choicesOf(all.outcomes).map(({ value, label }) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
      <Rules form={form} />
      <Fieldset legend={t.judge}>
        <Stack>
          <Hint>{t.judgeHelp}</Hint>
          <Autocomplete data={known} {...field('judgeModel', 'judge.model')} />
          <Textarea maxLength={2000} {...field('criterion', 'judge.criterion')} />
        </Stack>
      </Fieldset>
    </FormDialog>
  );
}

type Form = ReturnType<typeof useServerForm<ReturnType<typeof rehearsalValues>, Rehearsal>>['form'];

function Rules({ form }: { form: Form }) {
  return (
    <Fieldset legend={t.rules}>
      <Stack>
        {form.values.rules.map(({ kind }, index) => {
          const path = `rules.${String(index)}`;
          return (
            <Stack key={index} gap="xs">
              <Select
                label={t.rule(index + 1)}
                data={choicesOf(t.kinds)}
                {...form.getInputProps(`${path}.kind`)}
              />
              {(kind === 'contains' || kind === 'does_not_contain') && (
                <TextInput
                  label={t.text(index + 1)}
                  maxLength={2000}
                  {...form.getInputProps(`${path}.text`)}
                />
              )}
              {kind === 'max_chars' && (
                <NumberInput
                  label={t.max(index + 1)}
                  min={1}
                  allowDecimal={false}
                  {...form.getInputProps(`${path}.max`)}
                />
              )}
              {kind === 'json_schema' && (
                <Textarea
                  label={t.schema(index + 1)}
                  minRows={3}
                  maxRows={12}
                  {...form.getInputProps(`${path}.schema`)}
                />
              )}
              <Group>
                <Button variant="default" size="xs" onClick={() => form.removeListItem('rules', index)}>
                  {t.removeRule(index + 1)}
                </Button>
              </Group>
            </Stack>
          );
        })}
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} />}
            onClick={() => form.insertListItem('rules', newRule())}
          >
            {t.addRule}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}
