/** Describes a failure of an action for a model: a code, a message, and advice. */
import {
  WorkspaceAnswerUnreadable,
  WorkspaceBlocked,
  WorkspaceHeldBack,
  WorkspaceNotReached,
  WorkspaceOutcomeUnknown,
  WorkspaceRateLimited,
  WorkspaceRefused,
  WorkspaceRefusedHere,
} from './client/failures.ts';
import type { Effect } from './effects.ts';
import { ActionError, type ActionErrorCode, ModelUnavailable, StillInProgress } from './failures.ts';

const validationHints: readonly [RegExp, string][] = [
  [
    /archived ancestor|block that is archived/i,
    'Restore the archived parent first: DOCS_ARCHIVE_DOCS_PAGE with archive false',
  ],
  [
    /workspace level pages/i,
    'A workspace-level page can only be moved to the trash by hand, in the workspace itself',
  ],
  [
    /is not a property that exists|property with name or id/i,
    'Property names are case-sensitive and differ from database to database: read them with DOCS_FETCH_DATABASE',
  ],
  [
    /is expected to be/i,
    "Give the value as the property's own type: read the types with DOCS_FETCH_DATABASE",
  ],
  [
    /does not support children/i,
    'To put content below a heading, give the page id as the parent and the heading id as after',
  ],
  [
    /expected block type/i,
    'A block keeps its type: leave block_type out, or give the type that the block has',
  ],
  [/start_cursor/i, 'Give the next_cursor of the previous answer unchanged, or leave it out to start again'],
  [/is a page, not a database/i, 'Give the id of the database itself'],
  [
    /is a database, not a page/i,
    'Give the id of a page; rows of the database are found with DOCS_QUERY_DATABASE',
  ],
];

const share = 'Check the id, and share the page or database with the connection';
const notFoundHints: readonly [RegExp, string][] = [
  [/find user/i, 'Check the id: DOCS_LIST_USERS lists the users'],
  [
    /find file_?\s?upload/i,
    'Check the id: DOCS_LIST_FILE_UPLOADS lists the uploads; one that is not attached within an hour is gone',
  ],
  [/find comment/i, `${share}; DOCS_FETCH_COMMENTS lists the comments of a page`],
];

/** Names the capability that the action needs. The workspace's response does not name it. */
function capability(actionId: string): string {
  if (actionId.includes('COMMENT')) return 'read comments or insert comments';
  if (/USER|ABOUT/.test(actionId)) return 'read user information';
  return 'read, insert or update content';
}

function describeRefusal(error: WorkspaceRefused, actionId: string): { code: ActionErrorCode; hint: string } {
  if (/limit/i.test(error.code) && error.code !== 'rate_limited')
    return { code: 'PLAN_LIMIT', hint: "The workspace's plan does not allow more of these" };
  switch (error.status) {
    case 401:
      if (error instanceof WorkspaceRefusedHere)
        return {
          code: 'NOT_AUTHORIZED',
          hint: 'The connection itself works; the workspace refuses this one page or request. Check the id, and share the page or database with the connection',
        };
      return { code: 'NOT_AUTHORIZED', hint: 'The connection to the workspace must be made again, in Tools' };
    case 403:
      return {
        code: 'MISSING_CAPABILITY',
        hint: `The integration lacks a capability (${capability(actionId)}); it is granted in the integration's settings`,
      };
    case 404:
      return {
        code: 'NOT_FOUND_OR_NOT_SHARED',
        hint: notFoundHints.find(([pattern]) => pattern.test(error.message))?.[1] ?? share,
      };
    case 409:
      return { code: 'CONFLICT', hint: 'Nothing was written; try again' };
    default: {
      const hint = validationHints.find(([pattern]) => pattern.test(error.message))?.[1];
      return {
        code: error.code === 'validation_error' ? 'VALIDATION_ERROR' : 'BAD_REQUEST',
        hint: hint ?? 'Correct the input and try again',
      };
    }
  }
}

const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

type Described = { code: ActionErrorCode; status?: number | undefined; message?: string; hint?: string };

const tryAgainIn = (ms: number): string =>
  `Nothing more was written; try again in ${Math.ceil(ms / 1000)} seconds`;
const unknownOutcome = 'The change may or may not have been made: read it back before you repeat the action';

function describe(error: unknown, id: string, effect: Effect): Described | undefined {
  if (error instanceof ActionError) {
    const refusal = error.cause instanceof WorkspaceRefused ? error.cause : undefined;
    return { code: error.code, status: error.status ?? refusal?.status };
  }
  if (error instanceof WorkspaceRefused) return { ...describeRefusal(error, id), status: error.status };
  if (error instanceof WorkspaceBlocked)
    return {
      code: 'UPSTREAM',
      status: error.status,
      hint: 'Nothing was written. Try again later; if it stays, an administrator must let the requests through',
    };
  if (error instanceof WorkspaceRateLimited) {
    const reason = error.reason === undefined ? '' : ` (${error.reason})`;
    return {
      code: 'RATE_LIMITED',
      status: error.status,
      message: `${sentence(error.message).slice(0, -1)}${reason}`,
      hint: tryAgainIn(error.retryAfterMs),
    };
  }
  if (error instanceof WorkspaceHeldBack)
    return { code: 'RATE_LIMITED', hint: tryAgainIn(error.retryAfterMs) };
  if (error instanceof StillInProgress) return { code: 'UNKNOWN_OUTCOME', hint: unknownOutcome };
  if (error instanceof ModelUnavailable)
    return { code: 'UPSTREAM', hint: 'Nothing was written; try again later' };
  if (error instanceof WorkspaceNotReached)
    return { code: 'UPSTREAM', hint: 'The request was not sent; try again later' };
  if (error instanceof WorkspaceOutcomeUnknown || error instanceof WorkspaceAnswerUnreadable) {
    const status = error instanceof WorkspaceOutcomeUnknown ? error.status : undefined;
    return effect === 'read'
      ? { code: 'UPSTREAM', status, hint: 'Try again later' }
      : { code: 'UNKNOWN_OUTCOME', status, hint: unknownOutcome };
  }
  return undefined;
}

/**
 * Describes a failure of an action in one line.
 * @returns the message; undefined for an unexpected error, which is a bug. The caller must then rethrow the error
 * instead of returning a result.
 */
export function describeFailure(
  error: unknown,
  { id, effect }: { id: string; effect: Effect },
): string | undefined {
  const described = describe(error, id, effect);
  if (described === undefined || !(error instanceof Error)) return undefined;
  const { code, status, message = error.message, hint } = described;
  const where = status === undefined ? code : `${code} (HTTP ${status})`;
  const advice = hint === undefined ? '' : ` ${sentence(hint)}`;
  const requestId = error instanceof WorkspaceRefused ? error.requestId : undefined;
  return `${where}: ${sentence(message)}${advice}${requestId === undefined ? '' : ` (workspace request ${requestId})`}`;
}
