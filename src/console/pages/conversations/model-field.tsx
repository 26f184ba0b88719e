/**
 * Selects an agent's model: the default, the scripted model, a model of a provider, a model of another agent, or any
 * other name.
 */
import { Select, Stack, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { scriptedModelId } from '../../../contract/models/scripted.ts';
import { useAgents, useModels } from '../../components/queries.ts';
import { texts } from '../../messages.ts';
import { modelIds } from '../models/model-ids.ts';

const t = texts.agent;

/** Values of the options that are not models. No model has one of these ids, because an id contains a slash. */
const byDefault = 'default';
const other = 'other';

interface Props {
  /** Empty means the default model. */
  value: string;
  onChange: (value: string) => void;
  error: ReactNode;
}

export function ModelField({ value, onChange, error }: Props) {
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
        label={t.model}
        description={t.modelHelp}
        data={[
          { value: byDefault, label: t.modelDefault(defaultModel) },
          ...known.map((id) => ({ value: id, label: id })),
          { value: other, label: t.modelOther },
        ]}
        value={isTyped ? other : value === '' ? byDefault : value}
        onChange={(picked) => {
          setTyping(picked === other);
          if (picked !== other) onChange(picked === null || picked === byDefault ? '' : picked);
        }}
        {...(!isTyped && { error })}
      />
      {isTyped && (
        <TextInput
          label={t.modelName}
          description={t.modelNameHelp}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          error={error}
        />
      )}
    </Stack>
  );
}
