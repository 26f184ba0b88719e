/**
 * Selects an agent's model, or the model that answers if that one fails: the default or none, the scripted model, a
 * model of a provider, a model of another agent, or any other name.
 */
import { Select, Stack, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { scriptedModelId } from '../../../contract/models/scripted.ts';
import { useAgents, useModels } from '../../components/queries.ts';
import { texts } from '../../messages.ts';
import { modelIds } from '../models/model-ids.ts';

const t = texts.agent;

/** Values of the options that are not models. No model has one of these ids, because an id contains a slash. */
const unset = 'default';
const other = 'other';

interface Props {
  label: string;
  help: string;
  /** Describes the option of the empty value: by default, the default model. */
  none?: string;
  /** Empty means the default model or none. */
  value: string;
  onChange: (value: string) => void;
  error: ReactNode;
}

export function ModelField({ label, help, none, value, onChange, error }: Props) {
  const models = useModels().data;
  const defaultModel = models?.default_model ?? scriptedModelId;
  const agents = useAgents();
  const [typing, setTyping] = useState(false);
  const chosen = (agents.data ?? []).filter((agent) => !agent.uses_default_model).map(({ model }) => model);
  const known = [
    ...new Set([defaultModel, scriptedModelId, ...modelIds(models?.providers ?? []), ...chosen]),
  ].sort();
  const isTyped = typing || (value !== '' && !known.includes(value));
  return (
    <Stack gap="xs">
      <Select
        label={label}
        description={help}
        data={[
          { value: unset, label: none ?? t.modelDefault(defaultModel) },
          ...known.map((id) => ({ value: id, label: id })),
          { value: other, label: t.modelOther },
        ]}
        value={isTyped ? other : value === '' ? unset : value}
        onChange={(picked) => {
          setTyping(picked === other);
          if (picked !== other) onChange(picked === null || picked === unset ? '' : picked);
        }}
        {...(!isTyped && { error })}
      />
      {isTyped && (
        <TextInput
          label={none === undefined ? t.modelName : t.fallbackName}
          description={none === undefined ? t.modelNameHelp : t.fallbackNameHelp}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          error={error}
        />
      )}
    </Stack>
  );
}
