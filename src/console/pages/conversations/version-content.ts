/** The content of an agent's versions: what its form, its draft and its published version have of it. */
import type { AgentChange, AgentContent } from '../../../contract/conversations/agent-versions.ts';
import type { Agent } from '../../../contract/conversations/agents.ts';
import { texts } from '../../messages.ts';

export type VersionedField = AgentChange['field'];

/** True for the name of a field that versions contain. */
export function isVersioned(field: string): field is VersionedField {
  return field in texts.versions.fields;
}
/** In the order in which they are shown. */
export const versionedFields = Object.keys(texts.versions.fields).filter(isVersioned);

/** @returns the fields that differ; fields that one of the two did not record are left out */
export function changesBetween(before: AgentContent, after: AgentContent): AgentChange[] {
  return versionedFields.flatMap((field) => {
    const [was, is] = [before[field], after[field]];
    if (was === undefined || is === undefined || JSON.stringify(was) === JSON.stringify(is)) return [];
    return [{ field, before: was, after: is }];
  });
}

/** @returns what the published version has */
export function contentOf(agent: Agent): AgentContent {
  const { instructions, follow_ups, transfers_to, tools, tool_policies } = agent;
  return {
    ...{ instructions, follow_ups, transfers_to, tools, tool_policies },
    model: agent.uses_default_model ? null : agent.model,
    script: agent.script ?? null,
    connections: agent.connections ?? null,
  };
}

/** @returns the body of a request that saves this content as the draft: what differs from the published version */
export function changesAsBody(agent: Agent, content: AgentContent): Record<string, unknown> {
  return Object.fromEntries(
    changesBetween(contentOf(agent), content).map(({ field, after }) => [field, after]),
  );
}

/** @returns the agent as it would be with this content; what the content does not record stays */
export function withContent(agent: Agent, content: AgentContent): Agent {
  const { script, connections, ...rest } = agent;
  const { model, instructions, follow_ups, transfers_to, tools, tool_policies } = content;
  const rules = content.script === undefined ? script : content.script;
  const workspaces = content.connections === undefined ? connections : content.connections;
  return {
    ...rest,
    ...{ instructions, follow_ups, transfers_to, tools, tool_policies },
    ...(model !== undefined && { model: model ?? agent.model, uses_default_model: model === null }),
    ...(rules != null && { script: rules }),
    ...(workspaces != null && { connections: workspaces }),
  };
}
