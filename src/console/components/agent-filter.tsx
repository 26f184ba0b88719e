import { useAgents } from './use-agents.ts';
import { words } from '../messages.ts';
import { FilterSelect } from './filter-select.tsx';

export function AgentFilter({ label }: { label: string }) {
  const agents = useAgents();
  const choices = (agents.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <FilterSelect
      name="agent_id"
      label={label}
      all={words.conversations.allAgents}
      choices={choices}
      width={220}
    />
  );
}
