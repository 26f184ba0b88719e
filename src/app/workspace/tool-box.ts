/** The tools that agents can use, of every kind. */
import type { ToolUsage } from '../../adapters/postgres/workspace/tool-usage.ts';
import type { ToolDefinition } from '../../adapters/models/model.ts';

export interface ToolResult {
  successful: boolean;
  /** Text for the model: the result's data, or what failed and what to do. */
  text: string;
  /** True if a request was sent and its outcome was lost. */
  isUnknown?: boolean;
  /** Usage of the model calls that the tool made. */
  usage?: ToolUsage | undefined;
}

export interface ToolCallContext {
  organizationId: string;
  conversationId: string;
  runId: string;
  /** The run's agent. */
  agentId: string;
  /** Stable over retries: a repeated call has the same key. */
  idempotencyKey: string;
  signal: AbortSignal;
  /** The connections that the agent names; null: the organization's only one. */
  connections: readonly string[] | null;
}

export interface ToolBox {
  /** @returns definitions of those of the agent's tools that exist, adapted to the workspaces that the agent may use */
  definitionsFor(
    agent: { tools: readonly string[]; connections: readonly string[] | null },
    organizationId: string,
  ): Promise<ToolDefinition[]>;
  /** True for a tool that only reads; false for one that changes something, or does not exist. */
  reads(name: string, organizationId: string): Promise<boolean>;
  /** True for a tool that every agent with tools gets, whether or not it was selected. */
  belongsToAll(name: string): boolean;
  /** @throws ApplicationFailure, retryable, if the call must be tried again later */
  run(name: string, input: unknown, context: ToolCallContext): Promise<ToolResult>;
  /** Ends a call that was started and will not be retried. */
  giveUp(idempotencyKey: string, why: string): Promise<void>;
}

/** One kind of an organization's own tools. */
export type OwnToolBox = Pick<ToolBox, 'definitionsFor' | 'reads' | 'run'>;

/** Joins two kinds of an organization's own tools. @param other runs every tool that `first` does not have */
export function ownToolBox(
  first: OwnToolBox & { has: (name: string) => boolean },
  other: OwnToolBox,
): OwnToolBox {
  return {
    definitionsFor: async (agent, organizationId) => [
      ...(await first.definitionsFor(agent, organizationId)),
      ...(await other.definitionsFor(agent, organizationId)),
    ],
    reads: async (name, organizationId) =>
      await (first.has(name) ? first : other).reads(name, organizationId),
    run: async (name, input, context) => await (first.has(name) ? first : other).run(name, input, context),
  };
}

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
