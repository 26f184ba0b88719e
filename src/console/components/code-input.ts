/** Attributes of a field for a second-factor code. Password managers fill it in; nothing capitalizes or checks it. */
export const codeInput = {
  autoComplete: 'one-time-code',
  autoCapitalize: 'none',
  spellCheck: false,
} as const;
