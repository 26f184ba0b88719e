/** Filters a list. The selection is in the URL, so that it is still there after going back. */
import { Select } from '@mantine/core';
import { useFilter } from './use-filter.ts';

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

/** @param labels by value, from the messages */
export function choicesOf(labels: Readonly<Record<string, string>>): { value: string; label: string }[] {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}
