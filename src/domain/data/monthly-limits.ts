/** Decides whether a monthly limit is reached. Months are in UTC. */

/** Monthly limits, with the usage of this month. */
export interface Allowance {
  /** Credits per month; null: unlimited. */
  limit: number | null;
  used: number;
  /** Messages from users per month; null: unlimited. */
  message_limit: number | null;
  messages: number;
}

/** The error of a call that a limit refuses. */
export interface LimitReached {
  code: 'credit_limit_reached' | 'message_limit_reached';
  sentence: string;
}

/**
 * Checks the limits of the organization, then those of the token.
 * @returns the first limit that is reached; undefined if none is
 */
export function limitReached({
  organization,
  token,
}: {
  organization: Allowance;
  token: Allowance | null;
}): LimitReached | undefined {
  return (
    reachedBy('organization', organization) ?? (token === null ? undefined : reachedBy('API token', token))
  );
}

function reachedBy(
  whose: string,
  { limit, used, message_limit, messages }: Allowance,
): LimitReached | undefined {
  const sentence = (what: string) =>
    `The monthly limit of this ${whose} is reached: ${what}. It starts again on the first day of the next month (UTC).`;
  if (limit !== null && used >= limit)
    return { code: 'credit_limit_reached', sentence: sentence(`${limit} credits`) };
  if (message_limit !== null && messages >= message_limit)
    return { code: 'message_limit_reached', sentence: sentence(`${message_limit} messages`) };
  return undefined;
}

/** @returns when the monthly usage starts again at zero: midnight (UTC) on the first of the next month, as ISO 8601 */
export function nextMonth(now: Date): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString();
}
