/** The refusals of the API: one class, and the wordings that agents and our hints depend on. */
import { shown, type Json, type JsonObject } from './json.ts';

/** A refusal: thrown by routes, answered as `{object:"error", status, code, message, request_id}`. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly extra: JsonObject;
  constructor(status: number, code: string, message: string, extra: JsonObject = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.extra = extra;
  }
}

export function invalid(message: string, extra: JsonObject = {}): ApiError {
  return new ApiError(400, 'validation_error', message, extra);
}

/** `body failed validation: body.children.length should be ≤ `100`, instead was `101`.` */
export function shouldBe(path: string, expected: string, got: Json | undefined): ApiError {
  const root = path.split(/[.[]/, 1)[0] ?? 'body';
  return invalid(`${root} failed validation: ${path} should be ${expected}, instead was \`${shown(got)}\`.`);
}

const shareHint = 'Make sure the relevant pages and databases are shared with your integration';

export function notFound(kind: string, id: string, bot: { id: string; name: string }): ApiError {
  return new ApiError(
    404,
    'object_not_found',
    `Could not find ${kind} with ID: ${id}. ${shareHint} "${bot.name}".`,
    { additional_data: { integration_id: bot.id } },
  );
}

export function userNotFound(id: string, bot: { id: string }): ApiError {
  return new ApiError(
    404,
    'object_not_found',
    `Could not find user with ID: ${id}. Make sure your integration has capabilities to read user information. With those capabilities, only members and guests in the integration's workspace are visible.`,
    { additional_data: { integration_id: bot.id } },
  );
}

export function unauthorized(message: string): ApiError {
  return new ApiError(401, 'unauthorized', message);
}

export function restricted(): ApiError {
  return new ApiError(403, 'restricted_resource', 'Insufficient permissions for this endpoint.');
}

export const invalidUrl = (): ApiError => new ApiError(400, 'invalid_request_url', 'Invalid request URL.');

export const archivedBlock = (): ApiError =>
  invalid("Can't edit block that is archived. You must unarchive the block before editing.");

export const archivedAncestor = (): ApiError =>
  invalid(
    "Can't edit page on block with an archived ancestor. You must unarchive the ancestor before editing page.",
  );
