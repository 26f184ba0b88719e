/** Compares and converts the content of an agent's versions: the settings that change the agent's answers. */
import type { AgentChange, AgentContent } from '../../../contract/conversations/agent-versions.ts';
import type { Agent } from '../../../contract/conversations/agents.ts';
import { diffLines } from '../../components/line-diff.ts';
import { texts } from '../../messages.ts';

export type VersionedField = AgentChange['field'];

/** True if versions contain a field with this name. */
export function isVersioned(field: string): field is VersionedField {
  return field in texts.versions.fields;
}
/** The fields that versions contain, in the order in which the console shows them. */
export const versionedFields = Object.keys(texts.versions.fields).filter(isVersioned);

/** @returns the fields that differ, without those that one of the two does not contain */
export function changesBetween(before: AgentContent, after: AgentContent): AgentChange[] {
  return versionedFields.flatMap((field) => {
    const [was, is] = [before[field], after[field]];
    if (was === undefined || is === undefined || JSON.stringify(was) === JSON.stringify(is)) return [];
    return [{ field, before: was, after: is }];
  });
}

/** @returns the number of lines that are added and removed */
export function changedLines(before: string, after: string): { added: number; removed: number } {
  const kinds = diffLines(before, after).map(({ kind }) => kind);
  const count = (kind: (typeof kinds)[number]) => kinds.filter((one) => one === kind).length;
  return { added: count('added'), removed: count('removed') };
}

/** @returns the content of the agent's published version */
export function contentOf(agent: Agent): AgentContent {
  const { instructions, follow_ups, transfers_to, may_hand_over, tools, tool_policies, approvers } = agent;
  return {
    instructions,
    follow_ups,
    transfers_to,
    may_hand_over,
    tools,
    tool_policies,
    approvers,
    model: agent.uses_default_model ? null : agent.model,
    fallback_model: agent.fallback_model ?? null,
    script: agent.script ?? null,
    connections: agent.connections ?? null,
    temperature: agent.temperature ?? null,
    max_output_tokens: agent.max_output_tokens ?? null,
    reasoning_effort: agent.reasoning_effort ?? null,
    output_schema: agent.output_schema ?? null,
  };
}

/** @returns the fields of the content that differ from the published version, as the body that saves the draft */
export function changesAsBody(agent: Agent, content: AgentContent): Record<string, unknown> {
  return Object.fromEntries(
    changesBetween(contentOf(agent), content).map(({ field, after }) => [field, after]),
  );
}

/** @returns a copy of the agent with this content; fields that the content does not contain stay unchanged */
export function withContent(agent: Agent, content: AgentContent): Agent {
  const {
    fallback_model,
    script,
    connections,
    temperature,
    max_output_tokens,
    reasoning_effort,
    output_schema,
    ...rest
  } = agent;
  const {
    model,
    fallback_model: fallback = fallback_model,
    script: rules = script,
    connections: workspaces = connections,
    temperature: heat = temperature,
    max_output_tokens: cap = max_output_tokens,
    reasoning_effort: effort = reasoning_effort,
    output_schema: schema = output_schema,
    ...others
  } = content;
  return {
    ...rest,
    ...others,
    ...(model !== undefined && { model: model ?? agent.model, uses_default_model: model === null }),
    ...(fallback != null && { fallback_model: fallback }),
    ...(rules != null && { script: rules }),
    ...(workspaces != null && { connections: workspaces }),
    ...(heat != null && { temperature: heat }),
    ...(cap != null && { max_output_tokens: cap }),
    ...(effort != null && { reasoning_effort: effort }),
    ...(schema != null && { output_schema: schema }),
  };
}
