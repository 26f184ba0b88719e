import { Button, Fieldset, Group, NumberInput, Stack, Text, Textarea } from '@mantine/core';
import { IconPlus } from '../../components/icons.tsx';
import { Hint } from '../../components/text.tsx';
import { words } from '../../messages.ts';
import { nextKey } from './agent-draft.ts';
import type { AgentForm } from './use-agent-form.ts';

const w = words.agent;
const anHour = 3600;

export function FollowUps({ form, may }: { form: AgentForm['form']; may: boolean }) {
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
          <Text
            size="sm"
            c="var(--mantine-color-error)"
            className="plain-text"
            tabIndex={-1}
            data-problem-of={w.followUps}
          >
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
