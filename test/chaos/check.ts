/** The checker: judges what was observed by the figures of a release. Pure, and itself checked by planted faults. */
import { checkAudit, type AuditFigures } from './check-audit.ts';
import { checkCallbacks, type CallbackFigures } from './check-callbacks.ts';
import { checkEvents, type EventFigures } from './check-events.ts';
import { checkKills } from './check-kills.ts';
import { checkMessages, type MessageFigures } from './check-messages.ts';
import { checkReplies, type ReplyFigures } from './check-replies.ts';
import type { Observed } from './observed.ts';
import { recoveryFigures, type RecoveryFigures } from './recovery.ts';

export type Verdict = {
  breaches: string[];
  messages: MessageFigures;
  callbacks: CallbackFigures;
  events: EventFigures;
  replies: ReplyFigures;
  audit: AuditFigures;
  recovery: RecoveryFigures;
};

export type Limits = { drainMs: number; recoveryMs: number; memoryMb: number };
/** A machine that does other work as well gets more time, never more duplicates. */
export const limitsAt = (scale: number): Limits => ({
  drainMs: releaseLimits.drainMs * scale,
  recoveryMs: releaseLimits.recoveryMs * scale,
  memoryMb: releaseLimits.memoryMb,
});
const releaseLimits: Limits = { drainMs: 60_000, recoveryMs: 30_000, memoryMb: 150 };

export function check(observed: Observed, limits: Limits): Verdict {
  const breaches: string[] = [];
  const breach = (what: string) => breaches.push(what);
  const messages = checkMessages(observed, breach);
  const callbacks = checkCallbacks(observed, breach);
  const events = checkEvents(observed, breach);
  const replies = checkReplies(observed, breach);
  const audit = checkAudit(observed, breach);
  checkKills(observed.faults, breach);
  if (observed.isWarm && observed.warmRuns === 0) breach('I9 no conversation was warm');
  const recovery = recoveryFigures(observed);
  if (observed.drainedMs === undefined || observed.drainedMs > limits.drainMs)
    breach(`I3 work was open ${limits.drainMs} ms after the last fault`);
  if (recovery.p99Ms > limits.recoveryMs) breach(`I5 99 % of recoveries took up to ${recovery.p99Ms} ms`);
  if (observed.nonDeterminism > 0) breach(`I5 ${observed.nonDeterminism} non-determinism errors in the logs`);
  if (observed.failedWorkflows > 0) breach(`I5 ${observed.failedWorkflows} workflows failed`);
  for (const crash of observed.crashes) breach(`I5 an API or a worker crashed: ${crash}`);
  for (const status of observed.serverErrors) breach(`I5 a call was answered with ${status}`);
  if (observed.memoryGrowthMb > limits.memoryMb)
    breach(`I6 a process grew by ${Math.round(observed.memoryGrowthMb)} MB`);
  for (const leak of observed.leaks) breach(`I7 a secret stands in ${leak}`);
  return { breaches, messages, callbacks, events, replies, audit, recovery };
}
