import { Select } from '@mantine/core';
import { useAgents } from './use-agents.ts';
import { words } from '../words.ts';

/** @param value an agent's identifier, or nothing for all of them */
export function AgentFilter(props: {
  label: string;
  value: string | undefined;
  choose: (id: string | undefined) => void;
}) {
  const { label, value, choose } = props;
  const agents = useAgents();
  return (
    <Select
      label={label}
      placeholder={words.conversations.allAgents}
      data={(agents.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={value ?? null}
      onChange={(id) => {
        choose(id ?? undefined);
      }}
      clearable
      clearButtonProps={{ 'aria-label': words.conversations.allAgents }}
      searchable
      w={{ base: '100%', xs: 220 }}
    />
  );
}
