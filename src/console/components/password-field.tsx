import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { words } from '../messages.ts';

/** A password whose button to show it is not named like the field itself. */
export function PasswordField(props: PasswordInputProps) {
  return (
    <PasswordInput
      required
      withAsterisk={false}
      visibilityToggleButtonProps={{ 'aria-label': words.common.showTyped }}
      {...props}
    />
  );
}
