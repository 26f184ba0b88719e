/** Declares the requests, replies and faults of models, which are the same for every provider. */
import type { AgentContent } from '../../contract/conversations/agent-versions.ts';
import type { RunErrorCode } from '../../contract/conversations/callback.ts';
import type { ScriptRule } from '../../contract/conversations/agents.ts';

/** Parameters of a model call, as an agent's version sets them. Null or absent: the provider's default. */
export type ModelParameters = Pick<
  AgentContent,
  'temperature' | 'max_output_tokens' | 'reasoning_effort' | 'output_schema'
>;

export interface ModelRequest {
  agent: { id: string; name: string; instructions: string; script: ScriptRule[] | null };
  /** The scripted model and external agents ignore them. Absent: the provider's defaults. */
  parameters?: ModelParameters;
  /** An answer of the model that does not fit the output schema: the model is asked to write it again. */
  repair?: Repair;
  organizationId: string;
  conversationId: string;
  kind: 'message' | 'follow_up';
  /** The run's input text, or a follow-up's instructions. */
  input: string;
  /** Earlier messages, oldest first, without this run's inputs. */
  history: () => Promise<HistoryTurn[]>;
  attachments: () => Promise<ModelAttachment[]>;
  /** The agent's tool steps in this run since the last transfer, oldest first. */
  steps: ToolStep[];
  tools: ToolDefinition[];
  /** Agents to which this agent may transfer the conversation. */
  transfers: { name: string; description: string }[];
  /** True if the agent may hand the conversation over to a person. */
  mayHandOver: boolean;
  /** True if the model must answer now and cannot call another tool. */
  lastStep: boolean;
  signal: AbortSignal;
  /**
   * The run and step that make the call; absent if the call belongs to no run. `inputs` is the number of the run's
   * inputs.
   */
  call?: { runId: string; step: number; inputs: number };
  /** Called with each piece of the reply's text as it arrives. */
  onText?: ((piece: string) => void) | undefined;
  /** Counts the call against caps on credits; absent if no cap can apply. */
  budget?: CallBudget | undefined;
}

export interface Repair {
  text: string;
  /** Why the text does not fit. */
  problem: string;
  /** Duration of the earlier call in milliseconds. The time limit applies to both calls together. */
  spentMs: number;
}

/**
 * Limits the cost of one model call. Before the call, its maximum cost is reserved. Afterwards, its real cost replaces
 * the reservation.
 */
export interface CallBudget {
  /**
   * Reserves the maximum cost of a call before it is sent.
   * @param inputTokens maximum input tokens that the provider can count
   * @param outputTokens maximum output tokens that the request allows; null or absent: the installation's maximum
   * @returns the maximum output tokens that the call may request, and `settle`, which must be called once after the
   * call
   * @throws ModelFault `credit_cap_reached` if the call does not fit; CreditsBusy if it may fit later
   */
  reserve(inputTokens: number, outputTokens?: number | null): Promise<ReservedCall>;
}

export interface ReservedCall {
  maxOutputTokens: number;
  /**
   * Replaces the reserved cost with the real cost. Never rejects. If settling fails, the reserved cost counts.
   * @param billed null if it is unknown how many tokens the provider billed; the reserved cost then counts
   */
  settle(billed: { inputTokens: number; outputTokens: number } | null): Promise<void>;
}

/**
 * Thrown if a call was not sent, because calls in progress have reserved the remaining credits of a cap. A retry may
 * succeed, because most calls cost less than they reserve.
 */
export class CreditsBusy extends Error {
  override readonly name = 'CreditsBusy';
}

/** Returns a request with the question `input`, and without instructions, history, files or tools. */
export function plainRequest(
  asker: Pick<ModelRequest, 'organizationId' | 'conversationId' | 'signal'>,
  input: string,
): ModelRequest {
  return {
    ...asker,
    agent: { id: asker.conversationId, name: '', instructions: '', script: null },
    kind: 'message',
    input,
    history: () => Promise.resolve([]),
    attachments: () => Promise.resolve([]),
    steps: [],
    tools: [],
    transfers: [],
    mayHandOver: false,
    lastStep: true,
  };
}

export interface HistoryTurn {
  role: 'user' | 'agent';
  text: string;
  agentName: string | null;
  /**
   * True for instructions that the calling program gave with this run's input. They may be shortened, but are never
   * omitted.
   */
  isContext?: boolean;
}

export interface ModelAttachment {
  filename: string | null;
  contentType: string | null;
  content: Buffer | null;
  /** Size in bytes of a file that is available but omitted, because the run's files together are too large. */
  leftOutBytes?: number;
  /**
   * Why the file was not fetched, as the end of "The attachment … was". Set only if the file is too large or the
   * storage is full, because only then may the user be able to correct the cause.
   */
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
  /** The model's name as the provider reports it; the model's id if the provider reports none. */
  model: string;
  inputTokens: number;
  outputTokens: number;
  /** Number of the input tokens that the provider read from its cache; absent if it reports none. */
  cachedInputTokens?: number;
  /** True if a token limit or a filter cut the answer off. */
  truncated: boolean;
  /** True if the text is the answer, as JSON that fits the agent's output schema. */
  structured?: boolean;
  /** Number of earlier messages that the model received. If they do not all fit, the oldest are omitted. */
  historyTurns: number;
  /** True if a text was cut to fit the model's context window. */
  wasCut: boolean;
}

export interface Model {
  /** `provider/name`, the key of the price table. */
  readonly id: string;
  /** True if the model gets the output schema of the agent, and can correct an answer that does not fit. */
  readonly canRepair?: boolean;
  /**
   * @throws ModelFault if the call failed or does not fit in a cap on credits; CreditsBusy if it may fit later; the
   * signal's reason if the request was aborted; the errors of the request's `history` and `attachments`
   */
  ask(request: ModelRequest): Promise<ModelReply>;
}

export const transferTool = 'transfer_to_agent';
export const handOverTool = 'hand_over_to_person';

export type FaultyPart = 'key' | 'model' | 'address';

/** The error code of a run that fails because of the fault. Without one, the run's error code is `agent_failed`. */
export type FaultCode = RunErrorCode;

/**
 * Thrown if a model call fails. Its message may be shown to callers, because it contains no text of the conversation.
 */
export class ModelFault extends Error {
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  /** The provider's error text, shortened and without keys; for the operator and the organization, not for callers. */
  readonly providerMessage: string | undefined;
  /** The provider setting that caused the fault, if one did. The console marks the setting's field in the form. */
  readonly about: FaultyPart | undefined;
  readonly code: FaultCode | undefined;
  /**
   * True if the fault is the provider's or its setup's, so that another model may answer the same request. False if
   * another model would not or must not: for example, if the input is too large, or its content was refused.
   */
  readonly othersMayAnswer: boolean;
  constructor(
    sentence: string,
    fault: Pick<ModelFault, 'retryable'> &
      Partial<
        Pick<ModelFault, 'retryAfterMs' | 'providerMessage' | 'about' | 'code' | 'cause' | 'othersMayAnswer'>
      >,
  ) {
    super(sentence, { cause: fault.cause });
    this.name = 'ModelFault';
    this.retryable = fault.retryable;
    this.retryAfterMs = fault.retryAfterMs;
    this.providerMessage = fault.providerMessage;
    this.about = fault.about;
    this.code = fault.code;
    this.othersMayAnswer = fault.othersMayAnswer ?? false;
  }
}
