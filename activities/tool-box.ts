/** The tools that agents can be given, whatever family they are of. */
import type { ToolDefinition } from '../src/adapters/models/model.ts';

export interface ToolResult {
  successful: boolean;
  /** Text for the model: the result's data, or what went wrong and what to do. */
  text: string;
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
  /** Definitions of those of these names that exist. */
  definitionsFor(names: readonly string[]): ToolDefinition[];
  run(name: string, input: unknown, context: ToolCallContext): Promise<ToolResult>;
}

/** Until a family of tools is connected: every call is answered in words the model can act on. */
export const emptyToolBox: ToolBox = {
  definitionsFor: () => [],
  run: (name) => Promise.resolve({ successful: false, text: `Error: there is no tool ${name}.` }),
};
