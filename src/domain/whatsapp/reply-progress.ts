/** Decides what follows an attempt to send a part of a reply: the next part, a retry, a query, or a failure. */

/** The outcome of sending a part, with the fields that `afterSend` reads. */
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
  /** The part was certainly not sent. Send it again after `ms` milliseconds. */
  | { readonly kind: 'wait'; readonly ms: number; readonly why: WaitReason; readonly error: string }
  /**
   * The part may have been sent. After `ms` milliseconds and before any retry, query the gateway to find out whether it
   * was sent. `gatewayFailed` is true if the gateway itself reported a failure.
   */
  | { readonly kind: 'ask'; readonly ms: number; readonly gatewayFailed: boolean; readonly error: string };

export type WaitReason = 'session_down' | 'credentials' | 'rate_limited' | 'unreachable' | 'busy';

/** Times in milliseconds. The worker passes them in, so that tests can use shorter ones. */
export type ReplyTimes = {
  /** Timeout for sending a text. */
  readonly textMs: number;
  /** Timeout for sending a file. */
  readonly mediaMs: number;
  /**
   * Wait after a send without a usable answer, before the gateway is queried to find out whether the part was sent.
   * Also the wait between two such queries.
   */
  readonly askAfterMs: number;
  /**
   * Waits after failures: entry 0 after the first failure of a part, entry 1 after the second. After the last entry,
   * `busy` waits 30 minutes each time, and `failed` and `not_reachable` fail the reply. `rate_limited` uses none of the
   * entries. It waits for the gateway's Retry-After or, without one, for a time that doubles with each failure, and at
   * most 30 minutes.
   */
  readonly ladderMs: readonly number[];
  /**
   * Interval of the channel health checks. Also the wait of a reply before the next attempt while the session is down,
   * the gateway refuses the token, or the gateway does not know the instance.
   */
  readonly sessionCheckMs: number;
};

export const defaultReplyTimes: ReplyTimes = {
  textMs: 20_000,
  mediaMs: 60_000,
  askAfterMs: 10_000,
  ladderMs: [5_000, 30_000, 120_000, 600_000, 1_800_000],
  sessionCheckMs: 60_000,
};
const maxWaitMs = 30 * 60_000;

/**
 * True for outcomes that count as failures. Each failure makes the next wait longer. `session_down`,
 * `invalid_credentials` and `no_instance` do not count. Otherwise, a reply that has waited for its session many times
 * would get a long wait after its first real failure.
 */
export const isFailure = ({ outcome }: PartOutcome): boolean =>
  outcome === 'failed' || outcome === 'not_reachable' || outcome === 'busy' || outcome === 'rate_limited';

/**
 * Decides what follows an attempt to send a part.
 * @param failures number of the part's earlier failures (see `isFailure`), without this outcome
 */
export function afterSend(outcome: PartOutcome, failures: number, times: ReplyTimes): PartStep {
  const { ladderMs, askAfterMs, sessionCheckMs } = times;
  const rung = ladderMs[failures];
  switch (outcome.outcome) {
    case 'sent':
      return { kind: 'sent' };
    case 'refused':
      return failed(`the gateway refused it (${outcome.status})${said(outcome.detail)}`);
    case 'timelocked':
      return failed(`WhatsApp forbids this number to begin new chats (463)${until(outcome.untilMs)}`);
    case 'unknown':
      return ask(askAfterMs, false, `no usable answer (${outcome.reason})`);
    case 'failed':
      return rung === undefined
        ? failed(`the gateway failed (${outcome.status})${said(outcome.detail)}`)
        : ask(rung, true, `the gateway failed (${outcome.status})`);
    case 'invalid_credentials':
      return wait(sessionCheckMs, 'credentials', 'the gateway refused the instance token');
    case 'session_down':
      return wait(sessionCheckMs, 'session_down', 'the WhatsApp session is down');
    case 'no_instance':
      return wait(sessionCheckMs, 'unreachable', 'the gateway knows no such instance');
    case 'rate_limited': {
      const ms = Math.min(maxWaitMs, Math.max(1000, outcome.retryAfterMs ?? 30_000 * 2 ** failures));
      return wait(ms, 'rate_limited', 'the gateway takes no more for now (429)');
    }
    case 'busy':
      return wait(rung ?? maxWaitMs, 'busy', 'the gateway instance is being reset');
    case 'not_reachable':
      return rung === undefined
        ? failed('the gateway could not be reached')
        : wait(rung, 'unreachable', 'the gateway could not be reached');
  }
}

const failed = (error: string): PartStep => ({ kind: 'failed', error });
const wait = (ms: number, why: WaitReason, error: string): PartStep => ({ kind: 'wait', ms, why, error });

function ask(ms: number, gatewayFailed: boolean, error: string): PartStep {
  return { kind: 'ask', ms, gatewayFailed, error };
}

/**
 * Maximum queries about one part to which the gateway gives no usable answer. After the last one, the part is recorded
 * as `unknown`. Chosen.
 */
export const maxAsks = 3;
/**
 * Maximum attempts at sending a part that end with an uncertain outcome. After the first of them, another attempt is
 * made only if the gateway reports that it has no such message. Chosen.
 */
export const maxUncertainAttempts = 2;
/** Maximum age of a reply in milliseconds. No part of an older reply is sent, because it is out of date. Chosen. */
export const maxHoldMs = 60 * 60_000;

function said(detail: string): string {
  return detail === '' ? '' : `: ${detail}`;
}

function until(ms: number | null): string {
  return ms === null ? '' : ` until ${new Date(ms).toISOString()}`;
}
