import type { AgentRow } from '../../adapters/postgres/conversations/agents.ts';
import type { Agent } from '../../contract/conversations/agents.ts';

/** An agent as the API shows it. @param defaultModel the model of agents that name none */
export function agentView(row: AgentRow, defaultModel: string): Agent {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    instructions: row.instructions,
    model: row.model ?? defaultModel,
    uses_default_model: row.model === null,
    ...(row.script && { script: row.script }),
    active: row.active,
    grouping_window_seconds: row.grouping_window_seconds,
    ...(row.grouping_max_seconds !== null && { grouping_max_seconds: row.grouping_max_seconds }),
    ...(row.grouping_max_messages !== null && { grouping_max_messages: row.grouping_max_messages }),
    input_during_run: row.input_during_run,
    follow_ups: row.follow_ups,
    transfers_to: row.transfers_to,
    tools: row.tools,
    inbox_id: row.inbox_id,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
