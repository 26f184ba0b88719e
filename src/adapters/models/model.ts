/** What an agent's model is asked and answers, whichever provider it is. */
import type { ScriptRule } from '../../contract/conversations/agents.ts';

export interface ModelRequest {
  agent: { id: string; name: string; instructions: string; script: ScriptRule[] | null };
  organizationId: string;
  conversationId: string;
  kind: 'message' | 'follow_up';
  /** The run's input text; a follow-up's instructions. */
  input: string;
  /** Earlier messages, oldest first, without this run's inputs. */
  history: () => Promise<HistoryTurn[]>;
  attachments: () => Promise<ModelAttachment[]>;
  /** This agent's own tool steps in this run, oldest first. */
  steps: ToolStep[];
  tools: ToolDefinition[];
  /** Names of the agents that it may transfer to, with what they are for. */
  transfers: { name: string; description: string }[];
  /** True where no more tool calls are taken: the model must conclude. */
  lastStep: boolean;
  signal: AbortSignal;
  /** Hears the reply's text as it comes, piece by piece. */
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
  /** Its size, if it is there and the files of the run are too large together. */
  leftOutBytes?: number;
  /** Why it is not there, if the user can do something about it. */
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
  /** As the provider names it. */
  model: string;
  inputTokens: number;
  outputTokens: number;
  /** The answer ends where a limit of tokens, or a filter, cut it off. */
  truncated: boolean;
}

export interface Model {
  /** `provider/name`, the key of the price table. */
  readonly id: string;
  /** @throws ModelFault */
  ask(request: ModelRequest): Promise<ModelReply>;
}

export const transferTool = 'transfer_to_agent';

/** The model gave no answer. The sentence may be shown to the caller: it holds no text of the conversation. */
export class ModelFault extends Error {
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  /** What the provider said itself, cut and without keys: for the operator and the organization, not for callers. */
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
