import { Button, Fieldset, Group, NumberInput, Stack, Text, Textarea } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { words } from '../words.ts';
import type { AgentDraft } from './agent-draft.ts';

const w = words.agent;
type Value = AgentDraft['followUps'];

export function FollowUps(props: {
  value: Value;
  onChange: (value: Value) => void;
  problem: string | undefined;
  disabled: boolean;
}) {
  const { value, onChange, problem, disabled } = props;
  const change = (key: number, fields: Partial<Value[number]>) => {
    onChange(value.map((one) => (one.key === key ? { ...one, ...fields } : one)));
  };
  return (
    <Fieldset legend={w.followUps} disabled={disabled}>
      <Stack>
        <Text size="sm" c="dimmed">
          {w.followUpsHelp}
        </Text>
        {value.map(({ key, after, instructions }, index) => (
          <Stack key={key} gap="xs" className="panel" p="md">
            <NumberInput
              label={w.followUpAfter(index + 1)}
              min={1}
              max={2_592_000}
              allowDecimal={false}
              hideControls
              maw={320}
              value={after}
              onChange={(next) => {
                change(key, { after: next });
              }}
            />
            <Textarea
              label={w.followUpInstructions(index + 1)}
              autosize
              minRows={2}
              value={instructions}
              onChange={(event) => {
                change(key, { instructions: event.currentTarget.value });
              }}
            />
            <Group>
              <Button
                variant="default"
                size="xs"
                onClick={() => {
                  onChange(value.filter((one) => one.key !== key));
                }}
              >
                {w.removeFollowUp(index + 1)}
              </Button>
            </Group>
          </Stack>
        ))}
        {problem !== undefined && (
          <Text size="sm" c="red" className="plain-text">
            {problem}
          </Text>
        )}
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => {
              const key = Math.max(-1, ...value.map((one) => one.key)) + 1;
              onChange([...value, { key, after: 3600, instructions: '' }]);
            }}
          >
            {w.addFollowUp}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}
