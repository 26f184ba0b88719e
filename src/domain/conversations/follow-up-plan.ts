/** Plans follow-ups: messages to a user who does not answer. */

/** The next follow-up of a silent user. */
export interface Silence {
  /** The run whose answer the user has not replied to. */
  of: string;
  /** Number of the next follow-up, from 1. */
  attempt: number;
  /** When the last answer was recorded (epoch ms). */
  since: number;
  /** Seconds without a user message before each follow-up, in order. */
  after: number[];
}

/**
 * Plans the next follow-up from a conversation's last run. Used by a workflow that missed the run's end because its
 * worker died or an operator reset it.
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
