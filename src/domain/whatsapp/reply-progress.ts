/** What comes after one attempt to send a part: the next part, a wait, or the end. */

/** Outcome of a send, as far as this decision needs it. */
export type PartOutcome =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'refused' | 'failed'; readonly status: number; readonly detail: string }
  | {
      readonly outcome: 'invalid_credentials' | 'session_down' | 'busy' | 'no_instance';
      readonly detail: string;
    }
  | { readonly outcome: 'rate_limited'; readonly retryAfterMs: number | null }
  | { readonly outcome: 'timelocked'; readonly untilMs: number | null; readonly detail: string }
  | { readonly outcome: 'not_reachable' | 'unknown'; readonly reason: string };

export type PartStep =
  | { readonly kind: 'sent' }
  | { readonly kind: 'failed'; readonly error: string }
  /** It was surely not sent: try again after this time. */
  | { readonly kind: 'wait'; readonly ms: number; readonly why: WaitReason; readonly error: string }
  /** It may have been sent: ask for it before anything else. `saidNo`: the gateway itself said that it failed. */
  | { readonly kind: 'ask'; readonly ms: number; readonly saidNo: boolean; readonly error: string };

export type WaitReason = 'session_down' | 'credentials' | 'rate_limited' | 'unreachable' | 'busy';

/** In milliseconds. Given by the worker, so that a test need not wait as a person would. */
export type ReplyTimes = {
  /** How long a send may take. */
  readonly textMs: number;
  readonly mediaMs: number;
  /** From a send without an answer until the gateway is asked for it, and between two such questions. */
  readonly askAfterMs: number;
  /** Between two tries of what the gateway could not take. */
  readonly ladderMs: readonly number[];
  /** Between two looks at a session that is down. */
  readonly sessionCheckMs: number;
};

export const defaultReplyTimes: ReplyTimes = {
  textMs: 20_000,
  mediaMs: 60_000,
  askAfterMs: 10_000,
  ladderMs: [5_000, 30_000, 120_000, 600_000, 1_800_000],
  sessionCheckMs: 60_000,
};
const longestWaitMs = 30 * 60_000;

/** @param attempts how often this part has been tried, the last one included */
export function afterSend(outcome: PartOutcome, attempts: number, times: ReplyTimes): PartStep {
  const { ladderMs, askAfterMs, sessionCheckMs } = times;
  const rung = ladderMs[attempts - 1];
  switch (outcome.outcome) {
    case 'sent':
      return { kind: 'sent' };
    case 'refused':
      return { kind: 'failed', error: `the gateway refused it (${outcome.status})${said(outcome.detail)}` };
    case 'timelocked':
      return {
        kind: 'failed',
        error: `WhatsApp forbids this number to begin new chats (463)${until(outcome.untilMs)}`,
      };
    case 'unknown':
      return { kind: 'ask', ms: askAfterMs, saidNo: false, error: `no usable answer (${outcome.reason})` };
    case 'failed':
      return rung === undefined
        ? { kind: 'failed', error: `the gateway failed (${outcome.status})${said(outcome.detail)}` }
        : { kind: 'ask', ms: rung, saidNo: true, error: `the gateway failed (${outcome.status})` };
    case 'invalid_credentials':
      return {
        kind: 'wait',
        ms: sessionCheckMs,
        why: 'credentials',
        error: 'the gateway refused the instance token',
      };
    case 'session_down':
      return { kind: 'wait', ms: sessionCheckMs, why: 'session_down', error: 'the WhatsApp session is down' };
    case 'no_instance':
      return {
        kind: 'wait',
        ms: sessionCheckMs,
        why: 'unreachable',
        error: 'the gateway knows no such instance',
      };
    case 'rate_limited': {
      const ms = Math.min(
        longestWaitMs,
        Math.max(1000, outcome.retryAfterMs ?? 30_000 * 2 ** (attempts - 1)),
      );
      return { kind: 'wait', ms, why: 'rate_limited', error: 'the gateway takes no more for now (429)' };
    }
    case 'busy':
      return {
        kind: 'wait',
        ms: rung ?? longestWaitMs,
        why: 'busy',
        error: 'the gateway instance is being reset',
      };
    case 'not_reachable':
      return rung === undefined
        ? { kind: 'failed', error: 'the gateway could not be reached' }
        : { kind: 'wait', ms: rung, why: 'unreachable', error: 'the gateway could not be reached' };
  }
}

/** Asked in vain so often, a part's outcome stays unknown. */
export const mostAsks = 3;
/** A part whose sending is in doubt is sent at most once more, and only where the gateway clearly knows of nothing. */
export const mostDoubtfulAttempts = 2;
/** A reply later than this is stale. */
export const longestHoldMs = 60 * 60_000;

function said(detail: string): string {
  return detail === '' ? '' : `: ${detail}`;
}

function until(ms: number | null): string {
  return ms === null ? '' : ` until ${new Date(ms).toISOString()}`;
}
