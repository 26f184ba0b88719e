/**
 * Runs one action, HTTP tool or tool of an MCP server for a caller: records the call, waits until a worker has executed
 * it, and reads the result.
 */
import type { Actor } from '../../adapters/postgres/accounts/audit-log.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import { listToolConnections } from '../../adapters/postgres/workspace/tool-connections.ts';
import {
  findToolExecution,
  openToolExecution,
  withdrawToolExecution,
  type ToolExecution,
} from '../../adapters/postgres/workspace/tool-executions.ts';
import type { ToolWorkflows } from '../../adapters/temporal/tool-workflows.ts';
import type { DocsResult } from '../../contract/workspace/actions.ts';
import { invalidField, PublicError } from '../../contract/errors.ts';
import { chooseConnection } from '../../domain/workspace/choose-connection.ts';

const retryAfterSeconds = 2;

/** A request for a tool of any kind, without the tool. */
export interface ToolRequest {
  organizationId: string;
  input: unknown;
  actor: Actor;
  /** The caller's idempotency key: a repeated call with the same key gets the same execution. */
  idempotency?: { tokenId: string; key: string; requestHash: string };
}

export interface ToolCall extends ToolRequest {
  action: string;
  connectionId?: string | undefined;
  /** The HTTP tool, with its effect at the time of the call; absent for a document action or an MCP tool. */
  httpTool?: { id: string; effect: string };
  mcpTool?: { id: string; effect: string };
}

export type ToolRunner = ReturnType<typeof createToolRunner>;

/**
 * Returns the functions that call a tool in a workflow of its own and wait for its result.
 * @param timeoutMs milliseconds after which a call that has not ended is no longer waited for
 */
export function createToolRunner(db: Database, workflows: ToolWorkflows, timeoutMs: number) {
  return { run, execute };

  /**
   * Runs a document action and waits for its result.
   * @returns the result; the failure of the action is returned, not thrown
   * @throws PublicError invalid_state if there is no usable connection; validation_failed if connection_id is unknown,
   * or is missing although several workspaces are connected; the errors of `execute`
   */
  async function run(call: ToolCall): Promise<DocsResult> {
    const connectionId = await connection(call.organizationId, call.connectionId);
    return resultOf(await execute({ ...call, connectionId }));
  }

  /**
   * Records a call, starts the workflow that executes it, and waits for its end. A repeated call with the same
   * idempotency key waits for the same execution.
   * @returns the execution, which has ended and may have failed
   * @throws PublicError idempotency_conflict if the key was used for another request; unavailable if the workflow could
   * not be started; sync_timeout if the execution has no result after `timeoutMs`, or if the wait for it fails
   */
  async function execute(call: ToolCall): Promise<ToolExecution> {
    const { actor: requestedBy, idempotency, ...asked } = call;
    const called = (asked.httpTool ?? asked.mcpTool)?.id ?? asked.action;
    const execution = await openToolExecution(db, {
      ...asked,
      requestedBy,
      requestHash: idempotency?.requestHash,
      origin: (id) =>
        idempotency === undefined
          ? `direct/${id}`
          : `key/${idempotency.tokenId}/${called}/${idempotency.key}`,
    });
    if (idempotency !== undefined && execution.request_hash !== idempotency.requestHash) {
      throw new PublicError('idempotency_conflict');
    }
    if (execution.status === 'pending') await finish(execution.id, call);
    const ended = await findToolExecution(db, execution.id);
    if (ended === undefined || ended.status === 'pending')
      throw new PublicError('sync_timeout', { sentence: idempotency === undefined ? late : lateWithKey });
    return ended;
  }

  /**
   * Starts the workflow of an execution, and waits at most `timeoutMs` for its end.
   * @throws PublicError unavailable if the workflow cannot be started
   */
  async function finish(id: string, { organizationId, action, idempotency }: ToolCall): Promise<void> {
    try {
      await workflows.start(id, organizationId, action);
    } catch (cause) {
      // An execution with an idempotency key is not deleted, because an earlier call may have started it.
      if (idempotency === undefined) await withdrawToolExecution(db, id);
      throw new PublicError('unavailable', { retryAfterSeconds, cause });
    }
    await workflows.ended(id, timeoutMs);
  }

  /**
   * Returns the id of the connection to use.
   * @throws PublicError validation_failed if there is no connection `wanted`, or if none is wanted and several are
   * connected; invalid_state if no connection can be used
   */
  async function connection(organizationId: string, wanted: string | undefined): Promise<string> {
    const connections = await listToolConnections(db, organizationId);
    const choice = chooseConnection(connections, wanted);
    switch (choice.kind) {
      case 'chosen':
        return choice.connection.id;
      case 'unknown':
        throw invalidField('connection_id', 'is not a connection of this organization');
      case 'several':
        throw invalidField('connection_id', choice.message);
      case 'not_connected':
      case 'needs_reconnect':
        throw new PublicError('invalid_state', { sentence: choice.message });
    }
  }
}

/** @returns the stored result of an execution; `successful` is true only if its status is `succeeded` */
export function resultOf({ status, data, error }: ToolExecution): DocsResult {
  return {
    data: data ?? '{}',
    ...(error !== null && { error }),
    successful: status === 'succeeded',
  };
}

const stillRunning = 'The action takes longer than a call can wait and is still running.';
const lateWithKey = `${stillRunning} Repeat the call with the same Idempotency-Key to get its result.`;
/** The sentence for a call without an idempotency key, which would start a second execution if it were repeated. */
const late = `${stillRunning} Do not repeat the call, because the action could run twice. Check its effect first.`;
