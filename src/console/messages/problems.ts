/** The console's texts for the API's errors: by error code for a whole request, by rule for an invalid field. */
import { errorTable, type ErrorCode } from '../../contract/error-table.ts';
import { mapTable } from '../../contract/keys-of.ts';

/**
 * Texts by error code. The console shows them instead of the API's general message for the code. If the general
 * message suits users too, English has the same. If the API returns a more specific message, the console shows that
 * message.
 */
const general: Readonly<Record<ErrorCode, string>> = {
  ...mapTable(errorTable, ([, text]) => text),
  not_found: 'This does not exist. It may have been deleted.',
  version_conflict: 'Someone else changed this in the meantime. Compare their version with yours.',
  invalid_state:
    'This is not possible right now, because something else is in progress or has changed. Reload the page and check.',
  payload_too_large: 'This is too large. Make it smaller and try again.',
  validation_failed: 'Some values are not valid. Correct them and try again.',
  rate_limited: 'Too many requests. Wait a moment, then try again.',
  internal: 'Something went wrong on the server. Try again.',
  unavailable: 'The server is not available right now. Wait a moment, then try again.',
  sync_timeout: 'The answer takes longer than usual. It appears here when it is ready.',
};

export const problemTexts = {
  problems: {
    unreachable: 'The server cannot be reached. Check your connection.',
    unknown: (status: number) => `The server answered ${String(status)}.`,
    general,
    atLeast: (min: string) => `must be at least ${min}`,
    atMost: (max: string) => `must be at most ${max}`,
    whole: 'must be a whole number',
    empty: 'must not be empty',
    minChars: (min: string) => `must have at least ${min} characters`,
    maxChars: (max: string) => `must have at most ${max} characters`,
    maxItems: (max: string) => `may have at most ${max}`,
    number: 'must be a number',
    missing: 'is missing',
    oneOf: (options: string) => `must be one of ${options}`,
    email: 'is not an email address',
    url: 'is not a web address',
  },
} as const;
