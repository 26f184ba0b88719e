/** The console's texts for the API's errors: by error code for a whole request, by rule for an invalid field. */
import { errorTable, type ErrorCode } from '../../contract/error-table.ts';

/**
 * Texts by error code. The console shows them instead of the API's general message for the code. If the general
 * message suits users too, English repeats it. If the API returns a more specific message, the console shows that
 * message.
 */
const general: Readonly<Record<ErrorCode, string>> = {
  invalid_json: errorTable.invalid_json[1],
  unauthorized: errorTable.unauthorized[1],
  credit_limit_reached: errorTable.credit_limit_reached[1],
  credit_cap_reached: errorTable.credit_cap_reached[1],
  message_limit_reached: errorTable.message_limit_reached[1],
  storage_limit_reached: errorTable.storage_limit_reached[1],
  forbidden: errorTable.forbidden[1],
  not_found: 'This does not exist. It may have been deleted.',
  method_not_allowed: errorTable.method_not_allowed[1],
  idempotency_conflict: errorTable.idempotency_conflict[1],
  agent_inactive: errorTable.agent_inactive[1],
  conflict: errorTable.conflict[1],
  version_conflict: 'Someone else changed this in the meantime. Compare their version with yours.',
  cancelled: errorTable.cancelled[1],
  number_in_use: errorTable.number_in_use[1],
  already_decided: errorTable.already_decided[1],
  invalid_state:
    'This is not possible right now, because something else is in progress or has changed. Reload the page and check.',
  payload_too_large: 'This is too large. Make it smaller and try again.',
  unsupported_media_type: errorTable.unsupported_media_type[1],
  validation_failed: 'Some values are not valid. Correct them and try again.',
  invalid_credentials: errorTable.invalid_credentials[1],
  rate_limited: 'Too many requests. Wait a moment, then try again.',
  internal: 'Something went wrong on the server. Try again.',
  agent_failed: errorTable.agent_failed[1],
  gateway_unreachable: errorTable.gateway_unreachable[1],
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
