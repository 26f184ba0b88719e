/** The rows of one conversation, as TransactionRules keeps them, and what is read of them. */
import type { DeliveryView } from '../../../src/adapters/postgres/conversations/deliveries.ts';
import type { RunView } from '../../../src/adapters/postgres/conversations/runs.ts';
import type { Destination } from '../../../src/adapters/postgres/conversations/transcript.ts';
import type { AgentRules } from './observation.ts';
import type { NewStep } from './statement-values.ts';

export interface Company {
  organizationId: string;
  agents: readonly [AgentRules, AgentRules];
  agentIds: readonly [string, string];
}

export interface RunRow {
  id: string;
  ordinal: number;
  mode: RunView['mode'];
  state: 'collecting' | 'ready' | 'running' | 'answered' | 'failed' | 'cancelled';
  closes: number;
  cap: number;
  most: number;
  inputs: { text: string; url: string | undefined; metadata: string | null }[];
  agent: number;
  transfers: number;
  steps: StepRow[];
  failures: number[];
  lastError: string | null;
  finished: number;
  claimedBy?: string;
  of?: string;
  attempt?: number;
}

export interface StepRow {
  kind: NewStep['kind'];
  text: string;
  agent: number;
  message?: string;
  delivery?: string;
  calls: { name: string; callId: string; input: unknown; status: string; result: string | null }[];
}

export interface DeliveryRow {
  id: string;
  run: RunRow;
  /** Absent where it says that the run has failed. */
  step?: StepRow;
  url: string;
  status: DeliveryView['status'];
}

export function hasEnded({ state }: RunRow): boolean {
  return state === 'answered' || state === 'failed' || state === 'cancelled';
}

/** @returns what stands for the inputs that are not answered */
export function cancelAll(runs: readonly RunRow[], now: number): string[] {
  const open = runs.filter((run) => !hasEnded(run));
  for (const run of open) Object.assign(run, { state: 'cancelled', finished: now });
  return open.flatMap(({ inputs }) => inputs.map(({ text }) => text));
}

/** The run under way, where an input may still join it. */
export function takesMore(run: RunRow | undefined): RunRow | undefined {
  const mayTake = run?.state === 'running' && (run.mode === 'single' || run.mode === 'window');
  const hasSaid = run?.steps.some(({ message }) => message !== undefined);
  return mayTake && !hasSaid && run.inputs.length < run.most ? run : undefined;
}

export function callRows(step: NewStep): StepRow['calls'] {
  return (step.calls ?? []).map(({ call_id, name, input, result }) => ({
    callId: call_id,
    name,
    input,
    status: result === undefined ? 'pending' : 'failed',
    result: result ?? null,
  }));
}

/** What the agent that has the run now has done with tools. */
export function toolStepRows({ steps }: RunRow): Record<string, unknown>[] {
  const since = steps.findLastIndex(({ kind }) => kind === 'transfer');
  return steps.flatMap(({ text, calls }, step) =>
    step <= since ? [] : calls.map((call) => ({ ...call, step, text })),
  );
}

/** As a function of ours answers. */
export function result(answer: unknown): Record<string, unknown>[] {
  return [{ result: answer }];
}

export function agentName(side: number): string {
  return `agent ${side}`;
}

export function destinationRow(id: string, side: number): Destination {
  return { id, name: agentName(side), description: '', active: true, deleted: false };
}

export function runView(run: RunRow, conversationId: string, company: Company): RunView {
  const { id, ordinal, mode, state, transfers } = run;
  const side = run.agent === 0 ? 0 : 1;
  return {
    ...{ id, ordinal, mode, state, transfers },
    conversation_id: conversationId,
    organization_id: company.organizationId,
    prices: {},
    follow_up_attempt: run.attempt ?? null,
    channel: 'api',
    streamed: false,
    ...{ age_ms: 0, lag_ms: 0 },
    steps: run.steps.length,
    agent: {
      id: company.agentIds[side],
      name: agentName(side),
      instructions: '',
      model: null,
      script: null,
      transfers_to: [company.agentIds[side === 0 ? 1 : 0]],
      tools: [],
      follow_ups: company.agents[side].followUps.map((ms) => ({
        after_seconds: ms / 1000,
        instructions: 'ask',
      })),
    },
    inputs: run.inputs.map(({ text }) => text),
    unfetched: [],
  };
}

/** @param root the run whose metadata it carries */
export function deliveryView(
  { run, step, url, status }: DeliveryRow,
  root: RunRow,
  conversationId: string,
  company: Company,
): DeliveryView {
  const side = (step ?? run).agent === 0 ? 0 : 1;
  return {
    status,
    url,
    alert: null,
    event: step ? 'message.completed' : 'message.error',
    conversation_id: conversationId,
    organization_id: company.organizationId,
    agent_id: company.agentIds[side],
    message_id: step?.message ?? null,
    response: step?.text ?? null,
    model: step ? 'scripted/default' : null,
    credits_used: step ? 0 : null,
    responding_agent_name: step ? agentName(side) : null,
    pre_transfer: step ? step.kind === 'transfer' : null,
    error: run.lastError,
    followup_attempt: run.attempt ?? null,
    attachments_processed: 0,
    metadata: root.inputs.find(({ metadata }) => metadata !== null)?.metadata ?? null,
    attempted_ms_ago: 0,
  };
}
