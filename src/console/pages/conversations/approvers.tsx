/** Form fields for the people whom Parley asks on WhatsApp to approve an agent's tool calls. */
import { Button, Group, Input, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { maxApprovers } from '../../../contract/conversations/limits.ts';
import { FieldProblem } from '../../components/field-problem.tsx';
import { IconPlus } from '../../components/icons.tsx';
import { Hint } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { nextKey } from './agent-draft.ts';
import type { AgentForm } from './use-agent-form.ts';

const t = texts.agent;

/** Renders nothing if the agent has neither tools nor approvers. */
export function Approvers({ form, disabled }: { form: AgentForm['form']; disabled: boolean }) {
  const { approvers, tools } = form.values;
  if (tools.length === 0 && approvers.length === 0) return null;
  return (
    <Stack gap="xs" role="group" aria-label={t.approvers}>
      <div>
        <Input.Label component="div">{t.approvers}</Input.Label>
        <Hint>{t.approversHelp}</Hint>
      </div>
      {approvers.map(({ key }, index) => (
        <Stack key={key} gap="xs" className="panel" p="md">
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              label={t.approverName(index + 1)}
              description={'\u00a0'}
              maxLength={100}
              disabled={disabled}
              {...form.getInputProps(`approvers.${String(index)}.name`)}
            />
            <TextInput
              label={t.approverPhone(index + 1)}
              description={t.approverPhoneHelp}
              type="tel"
              disabled={disabled}
              {...form.getInputProps(`approvers.${String(index)}.phone`)}
            />
          </SimpleGrid>
          {!disabled && (
            <Group>
              <Button variant="default" size="xs" onClick={() => form.removeListItem('approvers', index)}>
                {t.removeApprover(index + 1)}
              </Button>
            </Group>
          )}
        </Stack>
      ))}
      <FieldProblem of={t.approvers}>{form.errors['approvers']}</FieldProblem>
      {!disabled && approvers.length < maxApprovers && (
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} />}
            onClick={() => form.insertListItem('approvers', { key: nextKey(), name: '', phone: '' })}
          >
            {t.addApprover}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
