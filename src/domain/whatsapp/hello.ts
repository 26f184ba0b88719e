/** Writes a channel's test message ("hello"), and determines from the stored facts whether it has arrived. */
import type { ChannelHello, HelloProblem } from '../../contract/whatsapp/channel-hello.ts';
import type { ChannelError } from '../../contract/whatsapp/channel.ts';
import { plainLine } from '../conversations/approval-request.ts';
import { guardPlaceholders } from './plan-reply.ts';
import type { PartOutcome } from './reply-progress.ts';

/** Maximum test messages that a channel sends within an hour. Limited because they may go to any number. Chosen. */
export const maxHellosPerHour = 10;
/**
 * Milliseconds after which a hello without an outcome is no longer in progress: the wait for a slot (10 s), the timeout
 * of a send (20 s), and a margin. Chosen.
 */
export const helloDeadlineMs = 35_000;
/**
 * Age in milliseconds above which a hello counts as not sent if the gateway does not have it. Chosen: 10 s after the
 * deadline.
 */
const absentAfterMs = 45_000;
/**
 * Milliseconds after which a hello is reported as a problem if nothing has confirmed its arrival. Chosen: most
 * messages arrive within seconds.
 */
const confirmedWithinMs = 30_000;
/**
 * Minimum milliseconds between two queries to the gateway about one hello, and the maximum number of these queries.
 * Chosen.
 */
export const helloAsk = { everyMs: 3000, max: 40 };

/** @returns the text of the message. It asks for a reply, because a reply proves that Parley also receives messages. */
export function helloText(agentName: string): string {
  return guardPlaceholders(
    `Hello! This is a test message. The agent "${plainLine(agentName)}" answers on this number: reply to try it.`,
  );
}

/** The stored facts of a hello. */
export interface HelloFacts {
  request_id: string;
  number: string;
  status: 'attempting' | 'sent' | 'unknown' | 'failed';
  problem: HelloProblem | null;
  attempted_at: Date;
  /** Milliseconds since `attempted_at`, by the database's clock. */
  age_ms: number;
  arrived_at: Date | null;
  arrived_by: 'event' | 'reply' | 'gateway' | null;
}

const problemOf = (code: HelloProblem['code'], message: string): HelloProblem => ({ code, message });

const uncertain = (why: string): HelloProblem =>
  problemOf('uncertain', `${why} Look at the phone before you send another one.`);

/**
 * Converts the outcome of sending a hello to the status and the problem to store. Only a user sends a hello again, so
 * every outcome but `sent` has a problem that explains what to do.
 */
export function afterHello(outcome: PartOutcome): {
  status: 'sent' | 'unknown' | 'failed';
  problem: HelloProblem | null;
} {
  const failed = (code: HelloProblem['code'], message: string) =>
    ({ status: 'failed', problem: problemOf(code, message) }) as const;
  switch (outcome.outcome) {
    case 'sent':
      return { status: 'sent', problem: null };
    case 'session_down':
      return failed(
        'session_down',
        "The WhatsApp session is not connected. Scan the QR code in the gateway's dashboard, then send again.",
      );
    case 'invalid_credentials':
      return failed(
        'invalid_credentials',
        'The gateway refused the instance token. Edit the connection, then send again.',
      );
    case 'timelocked':
      return failed(
        'timelocked',
        `WhatsApp does not let this number begin new chats${until(outcome.untilMs)} (463). Write to this number from the phone: the agent answers.`,
      );
    case 'refused':
      return failed(
        'refused',
        `The gateway refused the message (${String(outcome.status)})${said(outcome.detail)}. Check that the phone number has its country code and is on WhatsApp.`,
      );
    case 'busy':
    case 'rate_limited':
      return failed('gateway_busy', 'The gateway is busy. Send again in a minute.');
    case 'no_instance':
      return failed(
        'gateway_unreachable',
        'The gateway knows no such instance. Check the base URL and the token: edit the connection.',
      );
    case 'not_reachable':
      return failed(
        'gateway_unreachable',
        'The gateway could not be reached, so nothing was sent. Check the base URL, then send again.',
      );
    case 'failed':
      return {
        status: 'unknown',
        problem: uncertain(
          `The gateway failed (${String(outcome.status)})${said(outcome.detail)}, so the message may have been sent.`,
        ),
      };
    case 'unknown':
      return {
        status: 'unknown',
        problem: uncertain('The gateway did not answer, so the message may have been sent.'),
      };
  }
}

/** The gateway's record of a message. */
export interface GatewayRecord {
  /**
   * The state of the message, such as Queued, Sent, Delivered, Read, Failed or Canceled; null if the gateway reports
   * none.
   */
  status: string | null;
  error: string | null;
}

export type HelloFinding =
  | { found: 'delivered' | 'sent' | 'absent' }
  /** The gateway's record reports that WhatsApp did not deliver the message. */
  | { found: 'failed'; problem: HelloProblem };

/** Interprets the gateway's record of a hello. @param record undefined if the gateway has no such message */
export function helloFinding(record: GatewayRecord | undefined): HelloFinding {
  if (record === undefined) return { found: 'absent' };
  const status = record.status?.trim().toLowerCase() ?? '';
  if (['delivered', 'read', 'played'].includes(status)) return { found: 'delivered' };
  if (status !== 'failed' && status !== 'canceled') return { found: 'sent' };
  const message = `WhatsApp did not deliver the message${said(record.error ?? '')}. Check that the phone number is on WhatsApp, then send again.`;
  return { found: 'failed', problem: problemOf('refused', message) };
}

/**
 * True if a hello that the gateway does not have was certainly not sent. False while its request may still arrive
 * (until `absentAfterMs`), and for a hello that the gateway has accepted (`sent`), because its record may be missing
 * for another reason.
 */
export function isAbsenceFinal({ status, age_ms }: Pick<HelloFacts, 'status' | 'age_ms'>): boolean {
  return status !== 'sent' && age_ms > absentAfterMs;
}

/** The problem of a hello that counts as not sent, because the gateway does not have it (see `isAbsenceFinal`). */
export const notSent = problemOf(
  'gateway_unreachable',
  'The gateway has no such message, so it was not sent. Send again.',
);

/**
 * True while a query to the gateway can still change what is known of the hello: its arrival is not confirmed, it has
 * not failed, and its send is not in progress.
 */
export function isHelloOpen({ status, arrived_at, age_ms }: HelloFacts): boolean {
  if (arrived_at !== null || status === 'failed') return false;
  return status !== 'attempting' || age_ms > helloDeadlineMs;
}

/**
 * Converts a hello to the form in which callers see it.
 * @param channelError the channel's current problem, which may explain why nothing confirms the hello
 */
export function helloView(hello: HelloFacts, channelError: ChannelError | null): ChannelHello {
  const { request_id, number: to, attempted_at, arrived_at, arrived_by } = hello;
  const common = { request_id, to, sent_at: attempted_at.toISOString() };
  if (arrived_at !== null && arrived_by !== null)
    return { ...common, status: 'arrived', arrived_at: arrived_at.toISOString(), arrived_by };
  const status = statusOf(hello);
  const problem = status === 'sending' ? null : (hello.problem ?? unconfirmed(hello, channelError));
  return { ...common, status, ...(problem !== null && { problem }) };
}

function statusOf({ status, age_ms }: HelloFacts): ChannelHello['status'] {
  if (status !== 'attempting') return status;
  return age_ms > helloDeadlineMs ? 'unknown' : 'sending';
}

function unconfirmed(
  { status, age_ms, number }: HelloFacts,
  channelError: ChannelError | null,
): HelloProblem | null {
  if (status === 'attempting')
    return uncertain('Parley was stopped while it sent the message, which may have been sent.');
  if (age_ms < confirmedWithinMs) return null;
  if (channelError !== null) return problemOf(codeFor(channelError.code), channelError.message);
  return problemOf(
    'not_confirmed',
    `The gateway accepted the message, but nothing confirms that it arrived. Look at the phone +${number}: if the message is there, reply to it. If not, check that the number is on WhatsApp and the phone is online.`,
  );
}

function codeFor(code: ChannelError['code']): HelloProblem['code'] {
  switch (code) {
    case 'session_down':
    case 'invalid_credentials':
    case 'gateway_unreachable':
    case 'timelocked':
    case 'gateway_busy':
      return code;
    case 'webhook_wrong':
    case 'webhook_suffix':
      return 'webhook_wrong';
    case 'not_a_gateway':
    case 'not_connected':
    case 'number_moved':
    case 'other_number':
    case 'other_token':
      return 'not_confirmed';
  }
}

const said = (detail: string): string => (detail === '' ? '' : `: ${detail}`);
const until = (ms: number | null): string => (ms === null ? '' : ` until ${new Date(ms).toISOString()}`);
