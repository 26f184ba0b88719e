/** The outcome of reading one value: `problem` refuses it, `note` says what was changed. */
export type Converted = { value?: unknown; note?: string; problem?: string };
