/**
 * The same turns with another share of users who answer within seconds: all of them, half of them, none. A turn counts
 * as one of a user who returns if its message came within `WARM_SECONDS` of the last answer of its conversation.
 */
import { queryRow, type Database } from '../../src/adapters/postgres/database.ts';
import type { RunningSubject } from './bare-stack.ts';
import { roundOf, type RoundFigures } from './compare.ts';
import { inLanes, takeTurn, type Burst, type Callbacks } from './load.ts';
import { cpuOf, perTurn } from './turn-cost.ts';

/** Shares of turns of users who return. */
export const shares = [1, 0.5, 0] as const;
export type Share = (typeof shares)[number];

/** Turns that open the conversation of a user who returns; they are not measured. The second one makes it warm. */
const openingTurns = 2;

export interface ReturningRound extends RoundFigures {
  /** When the burst began. */
  since: Date;
}

export interface ReturningSize {
  /** One after another. */
  turns: number;
  burst: { turns: number; inFlight: number };
}

/** One turn at a time, then a burst, each over conversations of its own. */
export async function measureReturning(
  subject: RunningSubject,
  callbacks: Callbacks,
  common: Record<string, number>,
  size: ReturningSize,
  { share, name }: { share: Share; name: string },
): Promise<ReturningRound> {
  const single = await prepare(subject, callbacks, { share, lanes: 1, name: `${name}-one` });
  const one = await single(size.turns);
  const many = await prepare(subject, callbacks, {
    share,
    lanes: size.burst.inFlight,
    name: `${name}-burst`,
  });
  const pids = { ...subject.pids, ...common };
  const before = cpuOf(pids);
  const since = new Date();
  const burst = await many(size.burst.turns);
  return { ...roundOf(one.turns, burst, perTurn(before, cpuOf(pids), burst.turns.length)), since };
}

/**
 * Opens a conversation for each lane.
 * @returns takes so many turns: each lane by turns one of its conversation and one of a new conversation, by the share
 */
async function prepare(
  subject: RunningSubject,
  callbacks: Callbacks,
  { share, lanes, name }: { share: Share; lanes: number; name: string },
): Promise<(turns: number) => Promise<Burst>> {
  const opened = (lane: number) => `${name}-returns-${lane}`;
  if (share > 0)
    await inLanes({ turns: openingTurns * lanes }, lanes, (lane) =>
      takeTurn(subject, callbacks, opened(lane)),
    );
  const taken = Array.from({ length: lanes }, () => 0);
  return (turns) =>
    inLanes({ turns }, lanes, (lane, turn) => {
      // Neighbouring lanes begin with different kinds, so that a burst has both at once.
      const nth = (taken[lane] = (taken[lane] ?? 0) + 1) + lane;
      const returns = share === 1 || (share === 0.5 && nth % 2 === 0);
      return takeTurn(subject, callbacks, returns ? opened(lane) : `${name}-new-${turn}`);
    });
}

/**
 * @param since only messages that were accepted after this time
 * @returns the share of messages that came within `seconds` of the last answer of their conversation
 */
export async function shareOfReturning(db: Database, since: Date, seconds: number): Promise<number> {
  const row = await queryRow<{ share: number | null }>(db, shareStatement, [seconds, since]);
  return row?.share ?? Number.NaN;
}

const shareStatement = {
  name: 'share_of_returning',
  text: `select avg((coalesce(accepted.created_at - answered.at <= make_interval(secs => $1), false))::int)::float8 as share
    from messages accepted, lateral (
      select max(answer.created_at) as at from messages answer
      where answer.conversation_id = accepted.conversation_id and answer.origin = 'agent'
        and answer.created_at < accepted.created_at
    ) answered
    where accepted.origin = 'user' and accepted.created_at >= $2`,
};
