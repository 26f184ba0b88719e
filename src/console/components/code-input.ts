/** Attributes of the field for a code of the second factor, which password managers and on-screen keyboards read. */
export const codeInput = {
  autoComplete: 'one-time-code',
  autoCapitalize: 'none',
  spellCheck: false,
} as const;
