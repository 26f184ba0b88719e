/** Describes the changed settings of an agent for the audit log. */
import type { UpdateAgent } from '../../contract/conversations/agents.ts';
import { fieldChanges, plainField } from '../accounts/change-text.ts';
import { capsText } from '../data/settings-text.ts';

type Setting = keyof UpdateAgent;
type Settings = Readonly<Partial<Record<Setting, unknown>>> & Pick<UpdateAgent, 'credit_caps'>;

/** Settings whose values the audit log names. They are short, and no text for the model or for contacts. */
const named = [
  'name',
  'model',
  'fallback_model',
  'active',
  'temperature',
  'max_output_tokens',
  'reasoning_effort',
  'may_hand_over',
  'model_timeout_seconds',
  'input_during_run',
  'grouping_window_seconds',
  'grouping_max_seconds',
  'grouping_max_messages',
] as const satisfies readonly Setting[];

/** Settings of which the audit log only says that they changed. */
const unnamed = [
  'description',
  'instructions',
  'script',
  'output_schema',
  'follow_ups',
  'transfers_to',
  'tools',
  'tool_policies',
  'approvers',
  'connections',
  'cap_message',
] as const satisfies readonly Setting[];

/**
 * @param after settings that it does not contain did not change
 * @returns a text for each changed setting, for example "model: openai/gpt-5 → openai/gpt-5-mini" or "instructions
 * changed"
 */
export function agentChanges(before: Settings, after: Settings): string[] {
  const isChanged = (name: Setting) =>
    after[name] !== undefined && JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name]);
  const caps = [before.credit_caps, after.credit_caps].map((one) => capsText(one ?? {}) ?? 'none');
  return [
    ...fieldChanges(before, after, named),
    ...(isChanged('credit_caps') ? [`credit caps: ${caps.join(' → ')}`] : []),
    ...unnamed.filter(isChanged).map((name) => `${plainField(name)} changed`),
  ];
}

/**
 * Returns the target of an audit event about an agent. The id comes before the notes, which may be cut off, because the
 * console links to the agent by it.
 */
export const agentTarget = (
  { id, name }: { readonly id: string; readonly name: string },
  notes: readonly string[] = [],
): string => `${name} (${[id, ...notes].join(', ')})`;
