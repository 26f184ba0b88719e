/** Rows of one conversation as a chaos run observes them, for what checks the checker. */
import type { Message } from '../../src/contract/conversations/conversations.ts';
import type { Observed } from './observed.ts';

export const second = (at: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, at));
export const conversation = '01a00000-0000-7000-8000-000000000001';
export const id = (name: string) =>
  `01a00000-0000-7000-8000-${Buffer.from(name).toString('hex').padStart(12, '0')}`;

/** An input, and the run that took it. */
export const user = (index: number, text: string, runName: string, at: number): Message => ({
  ...{ id: id(`m${index}`), conversation_id: conversation, text, attachments: [], role: 'user' },
  ...{ status: 'answered', group_id: id(runName), created_at: second(at).toISOString() },
});

/** The answer to these inputs. */
export const agent = (name: string, text: string, inputs: number[], at: number): Message => ({
  ...{ id: id(name), conversation_id: conversation, text, attachments: [], role: 'agent' },
  ...{ agent_id: id('agent'), responding_agent_name: 'A', in_reply_to: inputs.map((one) => id(`m${one}`)) },
  created_at: second(at).toISOString(),
});

export const run = (name: string, ordinal: number, from: number, to: number) => ({
  ...{ id: id(name), conversation_id: conversation, ordinal, mode: 'window', state: 'answered', error: null },
  ...{ closes_at: second(from), claimed_at: second(from), finished_at: second(to) },
});

/** A conversation of two runs, and nothing else: no fault, no traffic, no change. */
export const undisturbed = (messages: Message[]): Observed => ({
  histories: new Map([[conversation, messages]]),
  runs: [run('r1', 1, 2, 4), run('r2', 2, 7, 9)],
  ...{ sent: [], hits: [], deliveries: [], events: [], landed: [], gatewayFaults: [], replies: [] },
  ...{ changes: [], strayEntries: [], chainProblem: undefined, serverErrors: [], leaks: [], faults: [] },
  ...{ quietAt: 0, drainedMs: 0, cutConnections: 0, redirectsFollowed: 0, nonDeterminism: 0 },
  ...{
    failedWorkflows: 0,
    warmRuns: 0,
    isWarm: false,
    crashes: [],
    memoryGrowthMb: 0,
    callbackTimeoutMs: 4000,
  },
});
