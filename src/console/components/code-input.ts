/**
 * Attributes of a field for a second-factor code: password managers can fill it in, and browsers neither capitalize nor
 * spell-check it.
 */
export const codeInput = {
  autoComplete: 'one-time-code',
  autoCapitalize: 'none',
  spellCheck: false,
} as const;
