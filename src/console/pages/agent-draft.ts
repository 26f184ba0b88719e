/** The fields of an agent as they are typed, named as the API names them, and back. */
import { parse, stringify } from 'yaml';
import type { Agent, UpdateAgent } from '../../contract/agents.ts';
import { numberOrNull } from '../pieces/number-or-null.ts';
import { words } from '../words.ts';

export interface AgentDraft extends Record<string, unknown> {
  name: string;
  description: string;
  instructions: string;
  model: string;
  active: boolean;
  grouping_window_seconds: number | string;
  grouping_max_seconds: number | string;
  grouping_max_messages: number | string;
  input_during_run: Agent['input_during_run'];
  follow_ups: { key: number; after_seconds: number | string; instructions: string }[];
  transfers_to: string[];
  tools: string[];
  /** YAML. */
  script: string;
}

let keys = 0;
/** For rows of a list that has no other names. */
export const nextKey = (): number => (keys += 1);

export function draftOf(agent: Agent): AgentDraft {
  const { name, description, instructions, model, active, input_during_run } = agent;
  const { transfers_to, tools, script } = agent;
  return {
    ...{ name, description, instructions, model, active, input_during_run, transfers_to, tools },
    grouping_window_seconds: agent.grouping_window_seconds,
    grouping_max_seconds: agent.grouping_max_seconds ?? '',
    grouping_max_messages: agent.grouping_max_messages ?? '',
    follow_ups: agent.follow_ups.map((one) => ({ key: nextKey(), ...one })),
    script: script === undefined ? '' : stringify(script),
  };
}

/** @throws Error when the script cannot be read */
export function changeOf(draft: AgentDraft): Omit<UpdateAgent, 'script'> & { script: unknown } {
  const { description, instructions, active, input_during_run, transfers_to, tools } = draft;
  return {
    ...{ description, instructions, active, input_during_run, transfers_to, tools },
    name: draft.name.trim(),
    model: draft.model.trim() === '' ? null : draft.model.trim(),
    grouping_window_seconds: Number(draft.grouping_window_seconds),
    grouping_max_seconds: numberOrNull(draft.grouping_max_seconds),
    grouping_max_messages: numberOrNull(draft.grouping_max_messages),
    follow_ups: draft.follow_ups.map((one) => ({
      after_seconds: Number(one.after_seconds),
      instructions: one.instructions,
    })),
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
