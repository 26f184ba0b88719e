/**
 * Runs one action, HTTP tool or tool of an MCP server for a caller: records it, waits for a worker to run it, and reads
 * the result.
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

export interface ToolCall {
  organizationId: string;
  action: string;
  input: unknown;
  connectionId: string | undefined;
  /** The HTTP tool and its effect; absent, like `mcpTool`, for an action of a document workspace. */
  httpTool?: { id: string; effect: string };
  mcpTool?: { id: string; effect: string };
  actor: Actor;
  /** The caller's key: a repeat with the same key returns the same execution. */
  idempotency?: { tokenId: string; key: string; requestHash: string };
}

export class ToolRunner {
  readonly #db: Database;
  readonly #workflows: ToolWorkflows;
  readonly #timeoutMs: number;

  constructor(db: Database, workflows: ToolWorkflows, timeoutMs: number) {
    this.#db = db;
    this.#workflows = workflows;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Runs the action and waits for its result.
   * @throws PublicError invalid_state if there is no usable connection; validation_failed if connection_id is unknown,
   * or missing although several workspaces are connected; the errors of `execute`
   */
  async run(call: ToolCall): Promise<DocsResult> {
    const connectionId = await this.#connection(call.organizationId, call.connectionId);
    return resultOf(await this.execute({ ...call, connectionId }));
  }

  /**
   * Records a call, has a worker run it and waits for its end. A repeat with the same idempotency key waits for the
   * same execution.
   * @returns the ended execution; it may have failed
   * @throws PublicError idempotency_conflict if the key was used for another request; unavailable if Temporal could not
   * be reached; sync_timeout if the call is still running after timeoutMs
   */
  async execute(call: ToolCall): Promise<ToolExecution> {
    const { organizationId, action, input, idempotency, connectionId, httpTool, mcpTool } = call;
    const execution = await openToolExecution(this.#db, {
      ...{ organizationId, action, input, connectionId, httpTool, mcpTool },
      requestedBy: call.actor,
      requestHash: idempotency?.requestHash,
      origin: (id) =>
        idempotency === undefined
          ? `direct/${id}`
          : `key/${idempotency.tokenId}/${(httpTool ?? mcpTool)?.id ?? action}/${idempotency.key}`,
    });
    if (idempotency !== undefined && execution.request_hash !== idempotency.requestHash) {
      throw new PublicError('idempotency_conflict');
    }
    if (execution.status === 'pending') await this.#finish(execution.id, call);
    const ended = await findToolExecution(this.#db, execution.id);
    if (ended === undefined || ended.status === 'pending')
      throw new PublicError('sync_timeout', { sentence: idempotency === undefined ? late : lateWithKey });
    return ended;
  }

  async #finish(id: string, { organizationId, action, idempotency }: ToolCall): Promise<void> {
    try {
      await this.#workflows.start(id, organizationId, action);
    } catch (cause) {
      // An execution with a key is kept, because an earlier call may have started it.
      if (idempotency === undefined) await withdrawToolExecution(this.#db, id);
      throw new PublicError('unavailable', { retryAfterSeconds, cause });
    }
    await this.#workflows.ended(id, this.#timeoutMs);
  }

  async #connection(organizationId: string, wanted: string | undefined): Promise<string> {
    const connections = await listToolConnections(this.#db, organizationId);
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

/** @returns the recorded result of an action; `successful` is true only if the action has succeeded */
export function resultOf({ status, data, error }: ToolExecution): DocsResult {
  return {
    data: data ?? '{}',
    ...(error !== null && { error }),
    successful: status === 'succeeded',
  };
}

const stillRunning = 'The action takes longer than a call can wait and is still running.';
const lateWithKey = `${stillRunning} Repeat the call with the same Idempotency-Key to get its result.`;
/** Sentence for a call without an idempotency key, such as a call of an MCP client. */
const late = `${stillRunning} Do not repeat the call, because the action could run twice. Check its effect first.`;
