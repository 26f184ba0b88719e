/**
 * All error codes, with their HTTP status and public message. Imports no zod, so that the console can use this file
 * without loading zod.
 */
export const errorTable = {
  invalid_json: [400, 'The body is not valid JSON.'],
  unauthorized: [401, 'A valid API token is required: Authorization: Bearer pk_…'],
  credit_limit_reached: [402, 'The monthly credit limit is reached.'],
  credit_cap_reached: [402, 'A cap on credits leaves no room for the call, which was not made.'],
  message_limit_reached: [402, 'The monthly message limit is reached.'],
  storage_limit_reached: [
    402,
    "The organization's file storage is full, so nothing was accepted. Erase conversations or raise the limit.",
  ],
  forbidden: [403, 'Your role or your token does not allow this.'],
  not_found: [404, 'There is no such resource.'],
  method_not_allowed: [
    405,
    'This path does not support this method. The Allow header lists those that it does.',
  ],
  idempotency_conflict: [409, 'This Idempotency-Key was used with another body.'],
  agent_inactive: [409, 'The agent is inactive.'],
  conflict: [409, 'The name is taken.'],
  version_conflict: [409, 'The resource has changed since the version in If-Match. Read it again.'],
  cancelled: [409, 'The run was cancelled, so there is no answer.'],
  number_in_use: [
    409,
    'Another agent is connected with this number. To move the number to this agent, repeat the call with take_over.',
  ],
  already_decided: [409, 'The approval was decided already, or has ended.'],
  invalid_state: [409, 'This is not possible in the current state.'],
  payload_too_large: [413, 'The body is larger than the limit.'],
  unsupported_media_type: [415, 'Send the body as application/json.'],
  validation_failed: [422, 'The request does not match the schema.'],
  invalid_credentials: [422, 'The credentials were rejected. Check them.'],
  rate_limited: [429, 'Too many requests. Wait for the time in Retry-After.'],
  internal: [500, 'Something went wrong on our side.'],
  agent_failed: [502, "The agent's run failed."],
  output_invalid: [502, "The agent's answer does not fit its output schema."],
  gateway_unreachable: [502, 'The gateway did not return a usable response.'],
  unavailable: [
    503,
    'The service is temporarily unavailable. Try again, with the same Idempotency-Key if the call had one.',
  ],
  sync_timeout: [504, 'The answer takes longer than a call can wait. It will be added to the history.'],
} as const satisfies Record<string, readonly [number, string]>;

export type ErrorCode = keyof typeof errorTable;
