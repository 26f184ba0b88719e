/** Narrows a list down, or leaves it whole. What is chosen stands in the address, so that it is still there on the way back. */
import { Select } from '@mantine/core';
import { useFilter } from './use-filter.ts';

export function FilterSelect(props: {
  /** In the address, and for the server. */
  name: string;
  label: string;
  /** What it says while nothing is chosen, and what its button to choose nothing is called. */
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
      onChange={(chosen) => {
        choose(chosen ?? undefined);
      }}
      clearable
      clearButtonProps={{ 'aria-label': all }}
      searchable
      w={{ base: '100%', xs: width }}
    />
  );
}

/** @param labels by value, as they stand in the words */
export function choicesOf(labels: Readonly<Record<string, string>>): { value: string; label: string }[] {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}
