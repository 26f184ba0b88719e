/** The request to an agent's model and its reply, the same for every provider. */
import type { ScriptRule } from '../../contract/conversations/agents.ts';

export interface ModelRequest {
  agent: { id: string; name: string; instructions: string; script: ScriptRule[] | null };
  organizationId: string;
  conversationId: string;
  kind: 'message' | 'follow_up';
  /** The run's input text, or a follow-up's instructions. */
  input: string;
  /** Earlier messages, oldest first, without this run's inputs. */
  history: () => Promise<HistoryTurn[]>;
  attachments: () => Promise<ModelAttachment[]>;
  /** This agent's own tool steps in this run, oldest first. */
  steps: ToolStep[];
  tools: ToolDefinition[];
  /** Names and descriptions of the agents to which it may transfer. */
  transfers: { name: string; description: string }[];
  /** True if no more tool calls are accepted: the model must answer. */
  lastStep: boolean;
  signal: AbortSignal;
  /** Called with each piece of the reply's text as it arrives. */
  onText?: ((piece: string) => void) | undefined;
}

export interface HistoryTurn {
  role: 'user' | 'agent';
  text: string;
  agentName: string | null;
}

export interface ModelAttachment {
  filename: string | null;
  contentType: string | null;
  content: Buffer | null;
  /** Size in bytes of a file that is available but left out, because the files of the run are too large together. */
  leftOutBytes?: number;
  /** Why the file is not available, if the user can do something about it. */
  notFetched?: string;
}

export interface ToolStep {
  text: string;
  calls: { callId: string; name: string; input: unknown; result: string; failed: boolean }[];
}

export interface ToolDefinition {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
}

export interface ModelReply {
  text: string;
  calls: { callId: string; name: string; input: unknown }[];
  /** The provider's name for it. */
  model: string;
  inputTokens: number;
  outputTokens: number;
  /** The answer was cut off by a token limit or a filter. */
  truncated: boolean;
}

export interface Model {
  /** `provider/name`, the key of the price table. */
  readonly id: string;
  /** @throws ModelFault */
  ask(request: ModelRequest): Promise<ModelReply>;
}

export const transferTool = 'transfer_to_agent';

/** The model gave no answer. The message may be shown to the caller, because it holds no text of the conversation. */
export class ModelFault extends Error {
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  /** The provider's own text, shortened and without keys: for the operator and the organization, not for callers. */
  readonly providerWords: string | undefined;
  constructor(
    sentence: string,
    fault: {
      retryable: boolean;
      retryAfterMs?: number | undefined;
      providerWords?: string | undefined;
      cause?: unknown;
    },
  ) {
    super(sentence, { cause: fault.cause });
    this.name = 'ModelFault';
    this.retryable = fault.retryable;
    this.retryAfterMs = fault.retryAfterMs;
    this.providerWords = fault.providerWords;
  }
}
