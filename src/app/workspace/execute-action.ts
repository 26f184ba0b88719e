/**
 * Makes one attempt at a recorded execution of an action, and stores its result before returning it. If a retry may
 * succeed, throws a retryable failure instead, and Temporal retries. Postgres counts the failed attempts and the total
 * wait. If the retry policy allows no further attempt, or if the total wait exceeds `patienceMs`, the failure becomes
 * the result.
 */
import { isDatabaseUnavailable, type Database } from '../../adapters/postgres/database.ts';
import { listStoredFiles, readStoredFile } from '../../adapters/postgres/conversations/stored-files.ts';
import {
  listToolConnections,
  type ToolConnectionRow,
} from '../../adapters/postgres/workspace/tool-connections.ts';
import {
  addToolWait,
  countToolFailure,
  findToolExecution,
  toolStepLog,
  type ToolExecution,
} from '../../adapters/postgres/workspace/tool-executions.ts';
import { addToolUsage } from '../../adapters/postgres/workspace/tool-usage.ts';
import { Pace, type PaceRule } from '../../adapters/postgres/pace.ts';
import { maxDelayMs, type WorkspaceLimiter } from '../../workspace/client/call.ts';
import { WorkspaceHeldBack } from '../../workspace/client/failures.ts';
import { createWorkspace } from '../../workspace/client/workspace.ts';
import type { DocsResult } from '../../contract/workspace/actions.ts';
import { chooseConnection, type Choice } from '../../domain/workspace/choose-connection.ts';
import { creditsOf } from '../../domain/conversations/model-call.ts';
import { maxActionBytes, type DocsDeps } from './deps.ts';
import type { Action } from '../../workspace/define-action.ts';
import { maxAttempts } from '../../workspace/effects.ts';
import { findAction } from '../../workspace/registry.ts';
import { runAction } from '../../workspace/run-action.ts';
import { isPause, transientOf } from '../../workspace/failures.ts';
import { transient } from '../../worker/failures.ts';
import { endAction } from './end-action.ts';
import { plainModel } from './plain-model.ts';
import { resultOf } from './run-tool.ts';

/** Milliseconds after the timeout of a request during which the request may still arrive at the workspace. Chosen. */
const arrivalMs = 5000;
const jitterMs = 250;

type Choose = (
  connections: readonly ToolConnectionRow[],
  wantedId: string | null,
) => Choice<ToolConnectionRow>;

/**
 * Returns the result of an execution that is given up: a failure that states that its changes may remain.
 * @param why the cause, as a sentence
 */
export const givenUp = (why: string): DocsResult => failed(`INTERNAL: ${why} Its changes may remain.`);

const failed = (error: string): DocsResult => ({ data: '{}', error, successful: false });

/**
 * Makes one attempt at the execution and stores its result. Idempotent: if the execution already has a result, returns
 * this result.
 * @param executionId id of a row in tool_executions
 * @param choose chooses the workspace among all connections of the organization
 * @returns the result; a failed one, which is not stored, if the execution was erased
 * @throws ApplicationFailure, retryable, if the attempt must be repeated; its message contains no text of the caller
 * or the workspace. A database error if Postgres is unavailable. The signal's reason if the signal is aborted.
 */
export async function executeAction(
  deps: DocsDeps,
  executionId: string,
  signal: AbortSignal,
  choose: Choose = chooseConnection,
): Promise<DocsResult> {
  const execution = await findToolExecution(deps.db, executionId);
  if (execution === undefined) return failed('The execution is gone.');
  if (execution.status !== 'pending') return resultOf(execution);
  const { organization_id: organizationId, input } = execution;
  const units = Math.min(input.length * heldPerCharacter, maxActionBytes / 2);
  const result = await deps.shares.use(organizationId, () =>
    deps.memory.use(organizationId, () => attempt(deps, execution, signal, choose), {
      units,
      busy: () => later('Busy', busyMs),
    }),
  );
  await endAction(deps.db, { id: executionId }, result);
  return result;
}

/**
 * Bytes of memory that an action reserves per character of its input, at most the organization's whole share. A text of
 * short lines needs the most: each line becomes a block, and the requests and responses for blocks are several times as
 * long. Measured: a worker that runs actions of 200,000 characters one after the other grows by 41 MiB (`npm run
 * test:neighbours -- --attack documents-text`).
 */
const heldPerCharacter = 80;
const busyMs = 1000;

/**
 * Runs the action once, with the chosen connection. If the total wait is used up, runs it one last time.
 * @returns the result, which is a failed one if the failure allows no further attempt
 * @throws a retryable failure if another attempt follows; a database error if Postgres is unavailable; the signal's
 * reason if the signal is aborted
 */
async function attempt(
  deps: DocsDeps,
  execution: ToolExecution,
  signal: AbortSignal,
  choose: Choose,
): Promise<DocsResult> {
  const action = findAction(execution.action);
  if (action === undefined) return failed(`INVALID_INPUT: there is no action ${execution.action}.`);
  const connections = await listToolConnections(deps.db, execution.organization_id);
  const choice = choose(connections, execution.connection_id);
  if (choice.kind !== 'chosen') return failed(`NOT_AUTHORIZED: ${choice.message}`);
  const lastAttempt = execution.failures + 1 >= maxAttempts[action.effect];
  const attempted = { execution, action, connection: choice.connection, lastAttempt, signal };
  try {
    return await run(deps, attempted);
  } catch (error) {
    signal.throwIfAborted();
    if (isDatabaseUnavailable(error)) throw error;
    const again = transientOf(error);
    const asked = again?.retryAfterMs;
    // If the action has waited for too long in total, it runs one last time, and the result contains what it completed.
    if (asked !== undefined && (await addToolWait(deps.db, execution.id, asked)) > deps.patienceMs)
      return await run(deps, { ...attempted, lastAttempt: true, isOutOfPatience: true });
    if (isPause(error)) throw later('Pause', error.retryAfterMs);
    await countToolFailure(deps.db, execution.id);
    if (again !== undefined) throw later('WorkspaceFault', asked ?? delayOf(execution));
    deps.warn({ execution_id: execution.id, err: error }, 'a tool action failed unexpectedly');
    if (lastAttempt) return failed('INTERNAL: the action failed on our side. Its changes may remain.');
    throw later('ActionFault', delayOf(execution));
  }
}

interface Attempt {
  execution: ToolExecution;
  action: Action;
  connection: ToolConnectionRow;
  lastAttempt: boolean;
  isOutOfPatience?: boolean;
  signal: AbortSignal;
}

/** @param workspace identifies the workspace; all organizations that are connected to it share its slots */
function workspaceLimiter(db: Database, workspace: string, rule: PaceRule): WorkspaceLimiter {
  const pace = new Pace(db, `workspace:${workspace}`, rule);
  return {
    async acquire(signal) {
      const slot = await pace.take(signal);
      if ('retryMs' in slot) throw new WorkspaceHeldBack(slot.retryMs);
    },
    blocked: (retryAfterMs) => pace.block(retryAfterMs),
  };
}

async function run(
  deps: DocsDeps,
  { execution, action, connection, lastAttempt, isOutOfPatience = false, signal }: Attempt,
): Promise<DocsResult> {
  const { db, credentials, apiUrl, timeoutMs, pace, prices } = deps;
  const workspace = connection.workspace_id ?? connection.bot_id ?? connection.id;
  const docs = createWorkspace({
    token: credentials.open(connection),
    renewToken: (refused) => credentials.renew(connection, refused),
    apiUrl,
    limiter: workspaceLimiter(db, workspace, pace),
    signal,
    timeoutMs,
  });
  const model = await plainModel(
    deps,
    {
      organizationId: execution.organization_id,
      conversationId: execution.conversation_id ?? execution.id,
      runId: /^call\/([^/]+)\//.exec(execution.origin)?.[1] ?? null,
    },
    signal,
    async (priced, { model: name, inputTokens: input, outputTokens: output }) => {
      const credits = creditsOf(prices, priced, { input, output });
      const usage = { model: name, input_tokens: input, output_tokens: output, credits };
      await addToolUsage(db, execution.id, usage);
    },
  );
  const scope = { organizationId: execution.organization_id, conversationId: execution.conversation_id };
  return await runAction(action, JSON.parse(execution.input), {
    docs,
    files: {
      read: async (key, maxBytes) => {
        const file = await readStoredFile(db, scope, key, maxBytes);
        return file && { ...file, content: file.content && Uint8Array.from(file.content) };
      },
      list: () => listStoredFiles(db, scope),
    },
    signal,
    steps: toolStepLog(db, execution.id),
    lastAttempt,
    isOutOfPatience,
    settleMs: maxDelayMs + timeoutMs + arrivalMs,
    now: () => new Date(),
    ...(model === undefined ? {} : { model }),
  });
}

function later(type: string, afterMs: number): Error {
  const jittered = Math.ceil(afterMs + Math.random() * jitterMs);
  return transient(
    type,
    'The action will be retried. Its row in tool_executions shows its progress.',
    jittered,
  );
}

/**
 * Minimum and maximum milliseconds before the next attempt. Doubled after each failure. Chosen. A Retry-After of the
 * workspace replaces the delay.
 */
const retryMs = { min: 1000, max: 60_000 };

function delayOf({ failures }: ToolExecution): number {
  return Math.min(retryMs.min * 2 ** failures, retryMs.max);
}
