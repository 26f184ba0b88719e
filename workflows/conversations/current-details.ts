/**
 * The details that an operator reads in Temporal's UI: what the conversation does or waits for, since when, and what
 * happened last.
 */
import type { RecentRun } from '../../src/contract/workflows.ts';
import type { ConversationState } from './conversation-state.ts';

/** A signal with invalid data. The data may contain anyone's text, so it is not shown. */
export interface RefusedSignal {
  signal: string;
  /** Epoch ms. */
  at: number;
}

/**
 * @param doing what the conversation does or waits for
 * @param since when it began to do so (epoch ms)
 * @returns Markdown
 */
export function currentDetails(
  doing: string,
  since: number,
  state: ConversationState,
  refused?: RefusedSignal,
): string {
  const { followUp, recent = [], turns = 0 } = state;
  const lines = [`**${doing}**, since ${iso(since)}`];
  if (followUp) lines.push(`Follow-up ${followUp.attempt} is due ${iso(followUp.dueAt)}.`);
  if (state.followUpsStopped) lines.push('An operator stopped the follow-ups, until the user writes again.');
  if (state.closing) lines.push('An operator closes this conversation.');
  if (refused) lines.push(refusal(refused));
  const last = recent.at(-1);
  if (last) lines.push(`Runs ended: ${turns}. The last: ${lastRun(last)}`);
  return lines.join('\n\n');
}

function refusal({ signal, at }: RefusedSignal): string {
  return `A \`${signal}\` signal changed nothing ${iso(at)}: its data are none that it takes. What a signal takes stands beside its name.`;
}

function lastRun({ runId, outcome, at, followUpAttempt, callback }: RecentRun): string {
  const kind = followUpAttempt === undefined ? 'run' : `follow-up ${followUpAttempt}, run`;
  const end = outcome === 'answer' ? 'answered' : notAnswered[outcome];
  return `${kind} \`${runId}\` ${end} ${iso(at)}, callback: ${callback ?? 'none'}.`;
}

const notAnswered = { failed: 'FAILED; the reason stands in its row', cancelled: 'was cancelled' } as const;

/** @returns '' for an invalid time, which histories from before signals were validated may contain */
export function iso(at: number): string {
  return Number.isNaN(at) ? '' : new Date(at).toISOString();
}
