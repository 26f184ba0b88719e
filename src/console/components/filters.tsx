/** Filters of a list. The selection is in the URL, so that going back to the page restores it. */
import { Select } from '@mantine/core';
import { useSearchParams } from 'wouter';
import { texts } from '../messages.ts';
import { useAgents } from './queries.ts';

/** Reads and sets a filter's value in the page's URL. Setting undefined or an empty text removes the filter. */
export function useFilter(name: string): [string | undefined, (value: string | undefined) => void] {
  const [given, change] = useSearchParams();
  const choose = (value: string | undefined) =>
    change(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === undefined || value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return [given.get(name) ?? undefined, choose];
}

export function FilterSelect(props: {
  /** Name of the parameter in the URL and in the API call. */
  name: string;
  label: string;
  /** Text while nothing is selected, and the name of the button that clears the selection. */
  all: string;
  choices: readonly { value: string; label: string }[];
  width?: number;
}) {
  const { name, label, all, choices, width = 200 } = props;
  const [value, choose] = useFilter(name);
  return (
    <Select
      label={label}
      placeholder={all}
      data={[...choices]}
      value={value ?? null}
      onChange={(chosen) => choose(chosen ?? undefined)}
      clearable
      clearButtonProps={{ 'aria-label': all }}
      searchable
      w={{ base: '100%', xs: width }}
    />
  );
}

export function AgentFilter() {
  const { columns, allAgents } = texts.conversations;
  const choices = (useAgents().data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return <FilterSelect name="agent_id" label={columns.agent} all={allAgents} choices={choices} width={220} />;
}

/** Converts the labels of values to the options of a select, in the same order. */
export function choicesOf(labels: Readonly<Record<string, string>>): { value: string; label: string }[] {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}
