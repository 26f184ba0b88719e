/** Attributes of a field for a code of the second factor, for password managers and keyboards. */
export const codeInput = {
  autoComplete: 'one-time-code',
  autoCapitalize: 'none',
  spellCheck: false,
} as const;
