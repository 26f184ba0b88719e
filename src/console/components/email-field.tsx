import { TextInput, type TextInputProps } from '@mantine/core';

export function EmailField(props: TextInputProps) {
  return <TextInput type="email" autoComplete="off" required withAsterisk={false} {...props} />;
}
