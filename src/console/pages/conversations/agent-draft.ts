/** Converts an agent to the values of the agent form, and back. The values have the API's field names. */
import { parse, stringify } from 'yaml';
import type { Agent, UpdateAgent } from '../../../contract/conversations/agents.ts';
import { allCaps, capsIn, capValues, type CapValues } from '../../components/cap-values.ts';
import { numberOrNull } from '../../components/form-values.ts';
import { texts } from '../../messages.ts';

export interface PolicyDraft {
  tool: string;
  policy: 'ask' | 'never';
  /**
   * Condition on the arguments. Calls that meet it run, although the policy is `ask` or `never`. Empty means that the
   * policy applies to every call.
   */
  unless: string;
  /** Empty means the default of one day. */
  expires_after_seconds: number | string;
  on_expiry: 'refuse' | 'approve';
}

export interface AgentDraft extends Record<string, unknown> {
  name: string;
  description: string;
  instructions: string;
  /** Empty means the default model. */
  model: string;
  /** Empty means no fallback. */
  fallback_model: string;
  grouping_window_seconds: number | string;
  grouping_max_seconds: number | string;
  grouping_max_messages: number | string;
  input_during_run: Agent['input_during_run'];
  follow_ups: { key: string; after_seconds: number | string; instructions: string }[];
  transfers_to: string[];
  may_hand_over: boolean;
  tools: string[];
  /** The policies `ask` and `never`. A tool without a policy always runs. */
  tool_policies: PolicyDraft[];
  approvers: { key: string; name: string; phone: string }[];
  /** Ids of workspace connections. Empty means the organization's only workspace, or none if it has several. */
  connections: string[];
  /** Empty means the installation's limit. */
  model_timeout_seconds: number | string;
  /** This and the two fields below: empty means the provider's default. */
  temperature: number | string;
  max_output_tokens: number | string;
  reasoning_effort: string;
  /** JSON Schema of the answers, as JSON. Empty means that answers are text. */
  output_schema: string;
  credit_caps: CapValues;
  /** The agent's answer if a credit cap leaves no room for a model call. Empty means that the run fails. */
  cap_message: string;
  requires_rehearsal: boolean;
  /** The rules of the scripted model, as YAML. */
  script: string;
}

let keys = 0;
/**
 * Makes a React key for a row without an id. The key contains the time of the page load, so that it differs from the
 * keys in a restored draft, which were made during an earlier load.
 */
export const nextKey = (): string => `${String(performance.timeOrigin)} ${String((keys += 1))}`;

export function draftOf(agent: Agent): AgentDraft {
  return {
    name: agent.name,
    description: agent.description,
    instructions: agent.instructions,
    model: agent.uses_default_model ? '' : agent.model,
    fallback_model: agent.fallback_model ?? '',
    grouping_window_seconds: agent.grouping_window_seconds,
    grouping_max_seconds: agent.grouping_max_seconds ?? '',
    grouping_max_messages: agent.grouping_max_messages ?? '',
    input_during_run: agent.input_during_run,
    follow_ups: agent.follow_ups.map((one) => ({ key: nextKey(), ...one })),
    transfers_to: agent.transfers_to,
    may_hand_over: agent.may_hand_over,
    tools: agent.tools,
    tool_policies: agent.tool_policies.flatMap(policyDrafts),
    approvers: agent.approvers.map((one) => ({ key: nextKey(), ...one })),
    connections: agent.connections ?? [],
    model_timeout_seconds: agent.model_timeout_seconds ?? '',
    temperature: agent.temperature ?? '',
    max_output_tokens: agent.max_output_tokens ?? '',
    reasoning_effort: agent.reasoning_effort ?? '',
    output_schema: agent.output_schema === undefined ? '' : JSON.stringify(agent.output_schema, null, 2),
    credit_caps: capValues(agent.credit_caps, allCaps),
    cap_message: agent.cap_message ?? '',
    requires_rehearsal: agent.requires_rehearsal,
    script: agent.script === undefined ? '' : stringify(agent.script),
  };
}

/** @returns no row for the policy `always`, because a tool without a policy always runs */
function policyDrafts({ policy, ...one }: Agent['tool_policies'][number]): PolicyDraft[] {
  if (policy === 'always') return [];
  const { tool, unless = '', expires_after_seconds = '', on_expiry = 'refuse' } = one;
  return [{ tool, policy, unless, expires_after_seconds, on_expiry }];
}

/** @returns the policy as the API expects it, without an expiry unless the policy is `ask` */
function policyOf({ tool, policy, unless, expires_after_seconds, on_expiry }: PolicyDraft) {
  const seconds = numberOrNull(expires_after_seconds);
  return {
    tool,
    policy,
    ...(unless.trim() !== '' && { unless: unless.trim() }),
    ...(policy === 'ask' && seconds !== null && { expires_after_seconds: seconds }),
    ...(policy === 'ask' && on_expiry === 'approve' && { on_expiry }),
  };
}

/** The fields that the form compares and saves. */
export const agentFields = [
  'name',
  'description',
  'instructions',
  'model',
  'fallback_model',
  'model_timeout_seconds',
  'temperature',
  'max_output_tokens',
  'reasoning_effort',
  'output_schema',
  'grouping_window_seconds',
  'grouping_max_seconds',
  'grouping_max_messages',
  'input_during_run',
  'follow_ups',
  'transfers_to',
  'may_hand_over',
  'tools',
  'tool_policies',
  'approvers',
  'connections',
  'credit_caps',
  'cap_message',
  'requires_rehearsal',
  'script',
] as const satisfies readonly (keyof UpdateAgent)[];
export type AgentField = (typeof agentFields)[number];

/**
 * Converts the form's values to the API's types, except for the script, which stays YAML, and the output schema, which
 * stays JSON. `changeOf` parses them.
 */
function fieldsOf(draft: AgentDraft): Record<AgentField, unknown> {
  return {
    ...draft,
    name: draft.name.trim(),
    tool_policies: draft.tool_policies.map(policyOf),
    approvers: draft.approvers.map(({ name, phone }) => ({
      name: name.trim(),
      // The API accepts no spaces, hyphens or parentheses in a phone number, but users type them.
      phone: phone.replace(/[\s()-]/g, ''),
    })),
    connections: draft.connections.length === 0 ? null : draft.connections,
    credit_caps: capsIn(draft.credit_caps),
    cap_message: draft.cap_message.trim() === '' ? null : draft.cap_message.trim(),
    model: draft.model.trim() === '' ? null : draft.model.trim(),
    fallback_model: draft.fallback_model.trim() === '' ? null : draft.fallback_model.trim(),
    model_timeout_seconds: numberOrNull(draft.model_timeout_seconds),
    temperature: numberOrNull(draft.temperature),
    max_output_tokens: numberOrNull(draft.max_output_tokens),
    reasoning_effort: draft.reasoning_effort === '' ? null : draft.reasoning_effort,
    output_schema: draft.output_schema.trim(),
    grouping_window_seconds: Number(draft.grouping_window_seconds),
    grouping_max_seconds: numberOrNull(draft.grouping_max_seconds),
    grouping_max_messages: numberOrNull(draft.grouping_max_messages),
    follow_ups: draft.follow_ups.map(({ after_seconds, instructions }) => ({
      after_seconds: Number(after_seconds),
      instructions,
    })),
  };
}

/** @returns the names of the fields that differ between two drafts once they are converted to the API's types */
export function differences(one: AgentDraft, other: AgentDraft): AgentField[] {
  const [left, right] = [fieldsOf(one), fieldsOf(other)];
  return agentFields.filter((field) => JSON.stringify(left[field]) !== JSON.stringify(right[field]));
}

/** A field whose text cannot be parsed, with a message for the user. */
export class UnreadableField extends Error {
  readonly field: 'script' | 'output_schema';
  constructor(field: UnreadableField['field'], message: string, cause: unknown) {
    super(message + (cause instanceof Error ? cause.message : ''), { cause });
    this.field = field;
  }
}

/**
 * @returns the body of a PATCH with the changed fields only
 * @throws UnreadableField if a changed script is not valid YAML, or a changed output schema is not valid JSON
 */
export function changeOf(from: AgentDraft, to: AgentDraft): Record<string, unknown> {
  const fields = fieldsOf(to);
  const valueOf = (field: AgentField): unknown => {
    if (field === 'script') return scriptOf(to.script);
    return field === 'output_schema' ? schemaOf(to.output_schema) : fields[field];
  };
  return Object.fromEntries(differences(from, to).map((field) => [field, valueOf(field)]));
}

/**
 * Returns a copy of `onto` with the changes between two other drafts. `onto` is, for example, a version that another
 * user has saved.
 */
export function moved(changes: { from: AgentDraft; to: AgentDraft }, onto: AgentDraft): AgentDraft {
  const { from, to } = changes;
  return { ...onto, ...Object.fromEntries(differences(from, to).map((field) => [field, to[field]])) };
}

/**
 * True if the stored value has the fields and types of the draft `like`. A value that an earlier version of the console
 * stored may have others.
 */
export function isDraft(kept: unknown, like: AgentDraft): kept is AgentDraft {
  return (
    typeof kept === 'object' &&
    kept !== null &&
    Object.entries(like).every(([field, value]) => kindOf(Reflect.get(kept, field)) === kindOf(value))
  );
}

/**
 * Parses the script as YAML. Does not validate the rules in it; the server does.
 * @returns null if the script is empty
 * @throws UnreadableField if the script is not valid YAML
 */
function scriptOf(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return parse(text);
  } catch (cause) {
    throw new UnreadableField('script', texts.agent.scriptProblem, cause);
  }
}

/**
 * Parses the output schema as JSON. Does not validate the schema; the server does.
 * @returns null if the schema is empty
 * @throws UnreadableField if it is not valid JSON
 */
function schemaOf(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UnreadableField('output_schema', texts.agent.outputSchemaProblem, cause);
  }
}

/** Returns a value's type; for an array, `list`. For a number, `string`, because a number field can contain either. */
function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'list';
  return typeof value === 'number' ? 'string' : typeof value;
}
