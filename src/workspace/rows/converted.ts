/** The result of converting one value: `problem` rejects it, `note` says what was changed. */
export type Converted = { value?: unknown; note?: string; problem?: string };
