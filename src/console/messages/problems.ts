/** The console's texts for the API's errors: by error code for a whole request, by message for an invalid field. */
import { errorTable, type ErrorCode } from '../../contract/error-table.ts';

/**
 * Texts by error code. Each replaces the API's general message for the code, because the general messages address
 * programmers. If the API returns a more specific message, the console shows that message unchanged.
 */
const general: Partial<Record<ErrorCode, string>> = {
  not_found: 'This does not exist. It may have been deleted.',
  invalid_state:
    'This is not possible right now, because something else is in progress or has changed. Reload the page and check.',
  version_conflict: 'Someone else changed this in the meantime. Compare their version with yours.',
  validation_failed: 'Some values are not valid. Correct them and try again.',
  payload_too_large: 'This is too large. Make it smaller and try again.',
  rate_limited: 'Too many requests. Wait a moment, then try again.',
  internal: 'Something went wrong on the server. Try again.',
  unavailable: 'The server is not available right now. Wait a moment, then try again.',
  sync_timeout: 'The answer takes longer than usual. It appears here when it is ready.',
};

const atLeast = (min: string) => `must be at least ${min}`;
const atMost = (max: string) => `must be at most ${max}`;
const whole = 'must be a whole number';

type Rule = readonly [said: RegExp, sentence: (bound: string) => string];
const fields: readonly Rule[] = [
  [/^Too small: expected string to have >=1 characters$/, () => 'must not be empty'],
  [
    /^Too small: expected string to have >=(\d+) characters$/,
    (min) => `must have at least ${min} characters`,
  ],
  [/^Too big: expected string to have <=(\d+) characters$/, (max) => `must have at most ${max} characters`],
  [/^Too small: expected number to be >=(\S+)$/, atLeast],
  [/^Too big: expected number to be <=(\S+)$/, atMost],
  [/^Too big: expected array to have <=(\d+) items$/, (max) => `may have at most ${max}`],
  [/^Invalid input: expected int, /, () => whole],
  [/^Invalid input: expected number, /, () => 'must be a number'],
  [/^Invalid input: expected \w+, received undefined$/, () => 'is missing'],
  [/^Invalid option: expected one of (.+)$/, (options) => `must be one of ${options.replaceAll('|', ', ')}`],
  [/^Invalid email address$/, () => 'is not an email address'],
  [/^Invalid URL$/, () => 'is not a web address'],
];

export const problemTexts = {
  problems: {
    unreachable: 'The server cannot be reached. Check your connection.',
    unknown: (status: number) => `The server answered ${String(status)}.`,
    atLeast,
    atMost,
    whole,
  },
} as const;

const sentences: Readonly<Record<string, readonly [status: number, sentence: string]>> = errorTable;
const generalByCode: Readonly<Record<string, string | undefined>> = general;

/**
 * @returns the console's text if `sentence` is the API's general message for the code and the console has a text for
 * the code; otherwise `sentence` unchanged
 */
export function textForProblem(code: string, sentence: string): string {
  return sentences[code]?.[1] === sentence ? (generalByCode[code] ?? sentence) : sentence;
}

/** @returns the console's text for the API's message about an invalid field; an unknown message unchanged */
export function textForField(message: string): string {
  for (const [said, sentence] of fields) {
    const found = said.exec(message);
    if (found !== null) return sentence(found[1] ?? '');
  }
  return message;
}
