/** Compares a rehearsed turn with the recorded one, and finds the recorded results of its tool calls. */
import { canonicalJson } from '../canonical-json.ts';
import type { ToolPolicy } from '../../contract/conversations/agents.ts';
import { decideCall } from '../conversations/tool-policy.ts';

export interface Call {
  name: string;
  input: unknown;
}

/** An agent's actions in a turn: its tool calls, and then its answer or its transfer. */
export interface Deeds {
  calls: readonly Call[];
  text: string;
  transferTo: string | null;
}

export type Difference = 'same' | 'other_text' | 'other_tool' | 'other_arguments' | 'other_transfer';

/**
 * Compares two turns. Ignores the order of tool calls.
 * @returns the first difference, in this order: transfer, tools, arguments, text; `same` if there is none
 */
export function compareTurns(recorded: Deeds, rehearsed: Deeds): Difference {
  if (recorded.transferTo !== rehearsed.transferTo) return 'other_transfer';
  const calls = compareCalls(recorded.calls, rehearsed.calls);
  if (calls !== 'same') return calls;
  return recorded.text === rehearsed.text ? 'same' : 'other_text';
}

function compareCalls(
  recorded: readonly Call[],
  rehearsed: readonly Call[],
): 'same' | 'other_tool' | 'other_arguments' {
  const names = (calls: readonly Call[]) =>
    calls
      .map(({ name }) => name)
      .toSorted()
      .join('\n');
  if (names(recorded) !== names(rehearsed)) return 'other_tool';
  const keys = (calls: readonly Call[]) => calls.map(callKey).toSorted().join('\n');
  return keys(recorded) === keys(rehearsed) ? 'same' : 'other_arguments';
}

/**
 * Classifies a turn that stopped at a tool call without a recorded result.
 * @returns `other_arguments` if the recorded turn called the same tool, otherwise `other_tool`
 */
export function differenceOfUnrecorded(
  recorded: readonly Call[],
  { name }: Call,
): 'other_tool' | 'other_arguments' {
  return recorded.some((call) => call.name === name) ? 'other_arguments' : 'other_tool';
}

/**
 * @returns a text that is equal for two calls of the same tool with equal arguments. The order of keys in objects does
 * not matter.
 */
export function callKey({ name, input }: Call): string {
  return `${name} ${canonicalJson(input)}`;
}

export interface RecordedCall extends Call {
  result: string | null;
  failed: boolean;
}

/**
 * The recorded results of a turn's tool calls. If a call was recorded several times, its results are returned in the
 * recorded order. After the last one, further equal calls get the last result again.
 */
export class RecordedResults {
  readonly #results: ReadonlyMap<string, RecordedCall[]>;

  constructor(calls: readonly RecordedCall[]) {
    this.#results = Map.groupBy(calls, callKey);
  }

  /** @returns the recorded call with its next result; undefined if the recorded turn has no such call */
  take(call: Call): RecordedCall | undefined {
    const same = this.#results.get(callKey(call));
    return same !== undefined && same.length > 1 ? same.shift() : same?.[0];
  }
}

/** The settings of an agent that decide whether it may call a tool. */
export interface Allowed {
  tools: readonly string[];
  toolPolicies: readonly ToolPolicy[];
}

const strictness = { run: 0, ask: 1, refuse: 2 } as const;

/**
 * Compares the recorded settings of an agent with its new ones.
 * @returns why the new settings refuse the call or require a person's approval; undefined if they are not stricter for
 * this call than the recorded settings
 */
export function refusalOfCall(then: Allowed, now: Allowed, call: Call): string | undefined {
  const [before, after] = [decisionOn(then, call), decisionOn(now, call)];
  if (strictness[after] <= strictness[before]) return undefined;
  if (after === 'ask') return `A person would have to approve ${call.name} with these arguments.`;
  return now.tools.includes(call.name)
    ? `The agent may not call ${call.name} with these arguments.`
    : `The tool ${call.name} is not among the agent's tools.`;
}

function decisionOn({ tools, toolPolicies }: Allowed, { name, input }: Call): keyof typeof strictness {
  if (!tools.includes(name)) return 'refuse';
  return decideCall(
    toolPolicies.find(({ tool }) => tool === name),
    input,
  );
}
