/** The tools that agents can be given, whatever family they are of. */
import type { ToolUsage } from '../../adapters/postgres/workspace/tool-usage.ts';
import type { ToolDefinition } from '../../adapters/models/model.ts';

export interface ToolResult {
  successful: boolean;
  /** Text for the model: the result's data, or what went wrong and what to do. */
  text: string;
  /** Of the model calls that the tool made by itself. */
  usage?: ToolUsage | undefined;
}

export interface ToolCallContext {
  organizationId: string;
  conversationId: string;
  runId: string;
  /** Stable over retries: the same call has the same key. */
  idempotencyKey: string;
  signal: AbortSignal;
}

export interface ToolBox {
  /** Definitions of those of these names that exist, as they are for this organization. */
  definitionsFor(names: readonly string[], organizationId: string): Promise<ToolDefinition[]>;
  /** A tool that comes with the others, without being chosen. */
  belongsToAll(name: string): boolean;
  /** @throws ApplicationFailure, retryable, when the call must be taken up again later */
  run(name: string, input: unknown, context: ToolCallContext): Promise<ToolResult>;
  /** A call that is not taken up again, though it had begun. */
  giveUp(idempotencyKey: string, why: string): Promise<void>;
}
