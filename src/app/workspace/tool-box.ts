/** Defines the interface through which agents use tools, and joins the built-in tools with an organization's own. */
import type { ToolUsage } from '../../adapters/postgres/workspace/tool-usage.ts';
import type { ToolDefinition } from '../../adapters/models/model.ts';

export interface ToolResult {
  successful: boolean;
  /** Text for the model: the result's data, or what failed and what to do. */
  text: string;
  /** True if a request was sent and its outcome was lost; absent or false otherwise. */
  isUnknown?: boolean;
  usage?: ToolUsage | undefined;
}

export interface ToolCallContext {
  organizationId: string;
  conversationId: string;
  runId: string;
  agentId: string;
  /** The same in every attempt at a call. */
  idempotencyKey: string;
  signal: AbortSignal;
  /** The connections that the agent names; null if the agent uses the organization's only one. */
  connections: readonly string[] | null;
}

export interface ToolBox {
  /**
   * @returns the definitions of the agent's tools, adapted to the workspaces that the agent may use; unknown names are
   * left out
   */
  definitionsFor(
    agent: { tools: readonly string[]; connections: readonly string[] | null },
    organizationId: string,
  ): Promise<ToolDefinition[]>;
  /** True for a tool that only reads; false for one that changes something, or does not exist. */
  reads(name: string, organizationId: string): Promise<boolean>;
  /** True for a tool that every agent with tools gets, whether or not the agent names it. */
  belongsToAll(name: string): boolean;
  /** Runs one call. @throws ApplicationFailure, retryable, if the call must be tried again later */
  run(name: string, input: unknown, context: ToolCallContext): Promise<ToolResult>;
  /** Records the failed result of a call that was started and will not be retried. */
  giveUp(idempotencyKey: string, why: string): Promise<void>;
}

export type OwnToolBox = Pick<ToolBox, 'definitionsFor' | 'reads' | 'run'>;

/**
 * Adds the organization's own tools to the built-in ones. A built-in tool's name belongs to no other tool.
 * @param own runs every tool that `builtIn` does not have
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
    giveUp: async (idempotencyKey, why) => {
      await builtIn.giveUp(idempotencyKey, why);
    },
  };
}
