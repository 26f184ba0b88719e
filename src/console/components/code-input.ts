/**
 * Attributes of a field for a second-factor code. Password managers can fill in the field, and browsers neither
 * capitalize nor spell-check its text.
 */
export const codeInput = {
  autoComplete: 'one-time-code',
  autoCapitalize: 'none',
  spellCheck: false,
} as const;
