import assert from 'node:assert/strict';
import { openAiError } from '../../src/contract/conversations/openai-error.ts';
import type { ApiAnswer } from './api-client.ts';

const unfit = 'The request does not match the schema.';

/**
 * Converts an error of an operation below /openai to the form of the other operations; returns other answers unchanged.
 */
export function plainError(answer: ApiAnswer): ApiAnswer {
  const { body } = answer;
  if (typeof body !== 'object' || body === null || !('error' in body) || typeof body.error !== 'object')
    return answer;
  const { message, code, details, conversation_id } = openAiError.strict().parse(body).error;
  const shared = { code, ...(conversation_id !== undefined && { conversation_id }) };
  if (code !== 'validation_failed') return { ...answer, body: { error: message, ...shared } };
  assert.equal(answer.status, 400);
  assert.ok(message.startsWith(unfit), message);
  return { ...answer, status: 422, body: { error: unfit, ...shared, details } };
}
