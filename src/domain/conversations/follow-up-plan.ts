/**
 * Plans when follow-ups are due: messages to a user who does not answer. When a follow-up is due, claim_follow_up.sql
 * decides whether it is still sent.
 */

/** The next follow-up of a silent user. */
export interface Silence {
  /** The run whose answer the user has not replied to. */
  of: string;
  /** Number of the next follow-up, from 1. */
  attempt: number;
  /** When the last answer was recorded (epoch ms). */
  since: number;
  /** Seconds without a user message before each follow-up, in order, as run_outcome.sql reads them from the agent. */
  after: number[];
}

/**
 * Workflows call this function, so a change of its results needs `patched` (docs/workflows.md).
 * @returns when the follow-up is due (epoch ms); undefined if the agent has no such follow-up
 */
export function followUpDueAt({ attempt, since, after }: Omit<Silence, 'of'>): number | undefined {
  const seconds = after[attempt - 1];
  return seconds === undefined ? undefined : since + seconds * 1000;
}

/**
 * Finds the follow-up after a conversation's last run. Called when the run ends; also for a workflow that missed the
 * end, because its worker died or an operator reset it.
 * @param last `followUpOf` and `attempt` are set if the last run was a follow-up itself
 * @returns undefined if no follow-up is left
 */
export function silenceAfter(last: {
  runId: string;
  followUpOf?: string | undefined;
  attempt?: number | undefined;
  followUps?: number[] | undefined;
  answeredAt?: number | undefined;
}): Silence | undefined {
  const attempt = (last.attempt ?? 0) + 1;
  if (last.followUps === undefined || last.answeredAt === undefined || last.followUps.length < attempt)
    return undefined;
  return { of: last.followUpOf ?? last.runId, attempt, since: last.answeredAt, after: last.followUps };
}
