import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { words } from '../messages.ts';

/**
 * A password field. Its button to show the password has a name of its own, so that screen readers can distinguish
 * them.
 */
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
