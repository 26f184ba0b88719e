/**
 * Plans when follow-ups are due. A follow-up is a message to a user who does not answer. When it is due,
 * claim_follow_up.sql decides whether it is still sent.
 */

/** The next follow-up to a user who has not answered. */
export interface Silence {
  /** Id of the run whose answer the user has not replied to. */
  of: string;
  /** Number of the next follow-up, from 1. */
  attempt: number;
  /** When the agent's last message was recorded (epoch ms): the run's answer or the previous follow-up. */
  since: number;
  /**
   * For each follow-up in order, the seconds that must pass after the agent's previous message, as run_outcome.sql
   * returns them.
   */
  after: number[];
}

/**
 * Computes when a follow-up is due. Workflows call this function, so a change of its results requires `patched`
 * (docs/workflows.md).
 * @returns when the follow-up is due (epoch ms); undefined if the agent has no such follow-up
 */
export function followUpDueAt({ attempt, since, after }: Omit<Silence, 'of'>): number | undefined {
  const seconds = after[attempt - 1];
  return seconds === undefined ? undefined : since + seconds * 1000;
}

/**
 * Finds the follow-up that comes after a conversation's last run. Called when the run ends, and for a workflow that
 * missed the end of the run.
 * @param last `followUpOf` and `attempt` are set if the last run was itself a follow-up
 * @returns the follow-up; undefined if `followUps` has no further one, or if `followUps` or `answeredAt` is absent
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
