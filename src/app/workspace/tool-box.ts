/** Declares the interface through which agents use tools, and joins the built-in tools with an organization's own. */
import type { ToolUsage } from '../../adapters/postgres/workspace/tool-usage.ts';
import type { ToolDefinition } from '../../adapters/models/model.ts';

export interface ToolResult {
  successful: boolean;
  /** Text for the model: the data of the result, or an error message. */
  text: string;
  /** True if a request was sent and its outcome was lost; otherwise absent or false. */
  isUnknown?: boolean;
  usage?: ToolUsage | undefined;
}

export interface ToolCallContext {
  organizationId: string;
  conversationId: string;
  runId: string;
  agentId: string;
  /** Identifies the call; the same in each of its attempts. */
  idempotencyKey: string;
  signal: AbortSignal;
  /** Ids of the connections that the agent may use. Null: the organization's connection, if it has only one. */
  connections: readonly string[] | null;
}

export interface ToolBox {
  /**
   * @returns the definitions of the agent's tools, adapted to the workspaces that the agent may use. Unknown names are
   * ignored.
   */
  definitionsFor(
    agent: { tools: readonly string[]; connections: readonly string[] | null },
    organizationId: string,
  ): Promise<ToolDefinition[]>;
  /** True if the tool only reads; false if it may change something, or does not exist. */
  reads(name: string, organizationId: string): Promise<boolean>;
  /** True if an agent may call the tool even if its settings do not name it. */
  belongsToAll(name: string): boolean;
  /** Executes one call. @throws ApplicationFailure, retryable, if the call must be tried again later */
  run(name: string, input: unknown, context: ToolCallContext): Promise<ToolResult>;
  /**
   * Records the failed result of a call that was started and will not be retried. Does nothing if the call has a
   * result.
   * @param why the cause, as a sentence
   */
  giveUp(idempotencyKey: string, why: string): Promise<void>;
}

export type OwnToolBox = Pick<ToolBox, 'definitionsFor' | 'reads' | 'run'>;

/**
 * Adds the organization's own tools to the built-in ones. No own tool has the name of a built-in tool.
 * @param own called for every tool that `builtIn` does not have
 */
export function joinedToolBox(
  builtIn: ToolBox & { has: (name: string) => boolean },
  own: OwnToolBox,
): ToolBox {
  return {
    definitionsFor: async (agent, organizationId) => [
      ...(await builtIn.definitionsFor(agent, organizationId)),
      ...(await own.definitionsFor(agent, organizationId)),
    ],
    reads: async (name, organizationId) =>
      await (builtIn.has(name) ? builtIn : own).reads(name, organizationId),
    belongsToAll: (name) => builtIn.belongsToAll(name),
    run: async (name, input, context) => await (builtIn.has(name) ? builtIn : own).run(name, input, context),
    giveUp: (idempotencyKey, why) => builtIn.giveUp(idempotencyKey, why),
  };
}
