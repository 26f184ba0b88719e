import { TextInput } from '@mantine/core';
import { IconSearch } from './icons.tsx';

/** A field for a text by which a list on the page is filtered. */
export function SearchField(props: {
  label: string;
  /** By default, the label. */
  placeholder?: string | undefined;
  text: string;
  setText: (text: string) => void;
}) {
  const { label, placeholder = label, text, setText } = props;
  return (
    <TextInput
      aria-label={label}
      placeholder={placeholder}
      type="search"
      leftSection={<IconSearch />}
      maw={360}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        // Without this, Enter would submit the form around the field.
        if (event.key === 'Enter') event.preventDefault();
      }}
    />
  );
}
