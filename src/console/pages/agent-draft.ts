/** The fields of an agent as they are typed, and back. */
import { parse, stringify } from 'yaml';
import type { Agent, UpdateAgent } from '../../contract/agents.ts';
import { words } from '../words.ts';

export interface AgentDraft {
  name: string;
  description: string;
  instructions: string;
  model: string;
  active: boolean;
  window: number | string;
  maxSeconds: number | string;
  maxMessages: number | string;
  mergesInput: boolean;
  followUps: { key: number; after: number | string; instructions: string }[];
  transfers: string[];
  tools: string[];
  script: string;
}

export function draftOf(agent: Agent): AgentDraft {
  return {
    name: agent.name,
    description: agent.description,
    instructions: agent.instructions,
    model: agent.model,
    active: agent.active,
    window: agent.grouping_window_seconds,
    maxSeconds: agent.grouping_max_seconds ?? '',
    maxMessages: agent.grouping_max_messages ?? '',
    mergesInput: agent.input_during_run === 'cancel_and_merge',
    followUps: agent.follow_ups.map(({ after_seconds, instructions }, key) => ({
      key,
      after: after_seconds,
      instructions,
    })),
    transfers: agent.transfers_to,
    tools: agent.tools,
    script: agent.script === undefined ? '' : stringify(agent.script),
  };
}

/** @throws Error when the script cannot be read */
export function changeOf(draft: AgentDraft): Omit<UpdateAgent, 'script'> & { script: unknown } {
  return {
    name: draft.name.trim(),
    description: draft.description,
    instructions: draft.instructions,
    model: draft.model.trim() === '' ? null : draft.model.trim(),
    active: draft.active,
    grouping_window_seconds: Number(draft.window),
    grouping_max_seconds: draft.maxSeconds === '' ? null : Number(draft.maxSeconds),
    grouping_max_messages: draft.maxMessages === '' ? null : Number(draft.maxMessages),
    input_during_run: draft.mergesInput ? 'cancel_and_merge' : 'next_group',
    follow_ups: draft.followUps.map(({ after, instructions }) => ({
      after_seconds: Number(after),
      instructions,
    })),
    transfers_to: draft.transfers,
    tools: draft.tools,
    script: scriptOf(draft.script),
  };
}

/** The server reads it by the contract's schema, and names what does not fit. */
function scriptOf(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return parse(text);
  } catch (cause) {
    throw new Error(words.agent.scriptProblem + (cause instanceof Error ? cause.message : ''), { cause });
  }
}

/** Which field of the form a path of the API belongs to. */
export function fieldOf(path: string): string {
  return path.split('.')[0] ?? path;
}

export const exampleScript = `- when: (?i)invoice (\\d+)
  reply: Invoice $1 is paid.
- when: (?i)human
  reply: I will ask a colleague.
- reply: You wrote to a scripted agent. Ask for “invoice 7”.
`;
